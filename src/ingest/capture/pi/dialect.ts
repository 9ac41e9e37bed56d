/** Differences between programs that write pi's format. */
import type { Trust } from '../../../core/trust.ts'
import type { MessageKind, MessageRecord, SessionRecord } from '../../../ledgers/agent-record.ts'

import type { Fields } from '../fields.ts'

export interface Spoken {
  readonly role: MessageRecord['role']
  readonly kind: MessageKind
  readonly text: string
  readonly trust: Trust
  readonly speaker?: string
  readonly metadata?: Fields | undefined
}

export interface Uttered {
  readonly message: Fields
  readonly texts: readonly string[]
  readonly others: number
  readonly calls: number
  /** Whether this text was a recent answer. */
  repeats(text: string): boolean
}

export interface Dialect {
  sessionOf(headerId: string): string
  readonly facts: Omit<Partial<SessionRecord>, 'type' | 'session' | 'firstHash'>
  readonly title?: string
  /** The program may rewrite the file. */
  readonly replaces?: boolean
  user(said: Uttered): Spoken
  assistant(said: Uttered): Spoken | undefined
  /** Placeholder model names. */
  readonly noModels?: ReadonlySet<string>
  childOf?(details: Fields): string | undefined
}

/** In pi itself, the owner types every user line. */
export const piDialect: Dialect = {
  sessionOf: (headerId) => headerId,
  facts: {},
  user: ({ texts }) => ({ role: 'user', kind: 'prompt', text: texts.join('\n\n'), trust: 'owner' }),
  assistant: () => undefined,
}
