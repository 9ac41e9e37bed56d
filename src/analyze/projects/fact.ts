/** What one tool call or message says of a project. Texts are as the source has them: `follow-facts.ts` redacts before anything is stored. */

export type FactKind =
  | 'about'
  | 'language'
  | 'dependency'
  | 'tool'
  | 'task'
  | 'command'
  | 'person'
  | 'pull'
  | 'issue'
  | 'commit'
  | 'branch'
  | 'env'
  | 'service'
  | 'term'
  | 'failure'
  | 'caution'

export interface Fact {
  readonly kind: FactKind
  readonly key: string
  readonly value: string
  readonly detail?: Readonly<Record<string, string | number | boolean>>
  /** The text is a person's, a file's or a program's, not the agent's. */
  readonly isForeign?: boolean
}
