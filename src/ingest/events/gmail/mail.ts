/** One mail, whatever it was read from: a mailbox, a file, an answer of Gmail's API. */
import type { EventPerson } from '../../../ledgers/event-record.ts'

export interface Mail {
  /** Without its angle brackets. */
  readonly messageId: string | undefined
  readonly subject: string
  readonly people: readonly EventPerson[]
  /** Unix milliseconds, and what says so. Undefined where nothing does. */
  readonly sent: { readonly at: number; readonly by: 'date' | 'separator' | 'received' | 'gmail' | 'file' } | undefined
  readonly text: string
  /** The text was made from HTML. */
  readonly html: boolean
  /** Message ids, the oldest first. */
  readonly references: readonly string[]
  readonly inReplyTo: string | undefined
  /** Gmail's number of the thread, in hex as its API writes it. */
  readonly gmailThread: string | undefined
  /** Undefined where the source keeps none. */
  readonly labels: readonly string[] | undefined
  readonly attachments: readonly MailAttachment[]
  /** Methods of the invitations in it: REQUEST, REPLY, CANCEL. */
  readonly invitations: readonly string[]
  readonly bulk: Readonly<Record<string, string | true>> | undefined
  /** The mail arrived here: a server of the receiver wrote so. */
  readonly delivered: readonly string[]
  /** Servers passed it on, and the last of them did not take it from somebody who sends. */
  readonly arrived?: boolean
  /** A stranger may have made it, headers and all: nothing in it says that the owner sent it. */
  readonly doubtful?: boolean
  readonly replyTo: string | undefined
}

export interface MailAttachment {
  readonly name: string | null
  readonly type: string
  readonly size: number
}
