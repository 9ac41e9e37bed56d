/** What the programs that write pi's format do each in their own way: names of sessions, and who speaks in a user's line. */
import type { Trust } from '../../../core/trust.ts'
import type { MessageKind, MessageRecord, SessionRecord } from '../../../ledgers/agent-record.ts'

import type { Fields } from '../fields.ts'

/** What was said in a line, without what a program put around it. */
export interface Spoken {
  readonly role: MessageRecord['role']
  readonly kind: MessageKind
  readonly text: string
  readonly trust: Trust
  readonly speaker?: string
  readonly metadata?: Fields | undefined
}

/** A user's or an assistant's line as the file has it. */
export interface Uttered {
  readonly message: Fields
  readonly texts: readonly string[]
  /** Pictures and other attachments in it. */
  readonly others: number
  readonly calls: number
  /** True where these words were an answer a moment ago. */
  repeats(text: string): boolean
}

/** What is known of one file before it is read. */
export interface Dialect {
  /** The session's name, from the header's id. */
  sessionOf(headerId: string): string
  /** What is known of its session. */
  readonly facts: Omit<Partial<SessionRecord>, 'type' | 'session' | 'firstHash'>
  readonly title?: string
  /** The file is written over, or written again, by its program. */
  readonly replaces?: boolean
  user(said: Uttered): Spoken
  assistant(said: Uttered): Spoken | undefined
  /** Values of the model's name that are no model. */
  readonly noModels?: ReadonlySet<string>
  /** The session that a tool's result says it has started. */
  childOf?(details: Fields): string | undefined
}

/** pi itself: a user's line was typed by the owner. */
export const piDialect: Dialect = {
  sessionOf: (headerId) => headerId,
  facts: {},
  user: ({ texts }) => ({ role: 'user', kind: 'prompt', text: texts.join('\n\n'), trust: 'owner' }),
  assistant: () => undefined,
}
