/** A document that is made from what was said: sections of sentences, each with the messages that say so. */
import type { Trust } from '../../core/trust.ts'

export interface Cite {
  /** Of either ledger. */
  readonly message: string
  /** In UTF-16 units of the message's text; absent for what a tool call of the message did. */
  readonly span?: readonly [number, number]
  /** Of the tool call, where it is what the sentence is about. */
  readonly call?: string
  /** Short, as `show` takes it. */
  readonly id: string | null
}

export interface CitedSentence {
  /** Redacted, one line. */
  readonly text: string
  /** At least one: a sentence without is not written. */
  readonly cites: readonly Cite[]
}

export interface Section {
  readonly title: string
  readonly sentences: readonly CitedSentence[]
  /** Steps are numbered. */
  readonly numbered?: boolean
}

/** `project-how-to`: how a project is worked on, in a folder of its own. */
export type DossierKind = 'entity' | 'topic' | 'project' | 'how-to' | 'project-how-to'

export interface Dossier {
  readonly kind: DossierKind
  /** With which the same one is made again: an entity's id, a topic, a project's name, a session. */
  readonly subject: string
  readonly title: string
  readonly agentId: string
  readonly sections: readonly Section[]
  /** Of a model, where one is configured: it begins the document. What the dossier says is what its sections say. */
  readonly narrative?: readonly CitedSentence[] | undefined
  readonly trust: Trust
  /** The time of the newest message that it is made from; null where it is made from nothing. */
  readonly newest: number | null
}

export function countOf({ sections }: Dossier): number {
  return sections.reduce((sum, { sentences }) => sum + sentences.length, 0)
}
