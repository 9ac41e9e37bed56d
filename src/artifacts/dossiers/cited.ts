import type { Trust } from '../../core/trust.ts'

export interface Cite {
  readonly message: string
  /** UTF-16 offsets in the message text; absent for a tool call. */
  readonly span?: readonly [number, number]
  readonly call?: string
  /** As `show` accepts. */
  readonly id: string | null
}

export interface CitedSentence {
  /** Redacted, one line. */
  readonly text: string
  /** Never empty: uncited sentences are dropped. */
  readonly cites: readonly Cite[]
}

export interface Section {
  readonly title: string
  readonly sentences: readonly CitedSentence[]
  readonly numbered?: boolean
}

export type DossierKind = 'entity' | 'topic' | 'project' | 'how-to' | 'project-how-to'

export interface Dossier {
  readonly kind: DossierKind
  /** Needed to rebuild the dossier: entity id, topic, project name or session. */
  readonly subject: string
  readonly title: string
  readonly agentId: string
  readonly sections: readonly Section[]
  /** Written by a model; adds nothing beyond the sections. */
  readonly narrative?: readonly CitedSentence[] | undefined
  readonly trust: Trust
  /** Time of the newest source message; null without sources. */
  readonly newest: number | null
}

export function countOf({ sections }: Dossier): number {
  return sections.reduce((sum, { sentences }) => sum + sentences.length, 0)
}
