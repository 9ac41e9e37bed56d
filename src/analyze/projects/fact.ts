/** A fact about a project from one call or message. Raw text: `follow-facts.ts` redacts it before storing. */

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
  /** Text of a person, a file or a program, not the agent's. */
  readonly isForeign?: boolean
}
