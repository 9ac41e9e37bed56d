import type { EventPerson } from '../../../ledgers/event-record.ts'

export interface Mail {
  /** Without angle brackets. */
  readonly messageId: string | undefined
  readonly subject: string
  readonly people: readonly EventPerson[]
  /** Unix milliseconds with their origin. Undefined if unknown. */
  readonly sent: { readonly at: number; readonly by: 'date' | 'separator' | 'received' | 'gmail' | 'file' } | undefined
  readonly text: string
  readonly html: boolean
  /** Oldest first. */
  readonly references: readonly string[]
  readonly inReplyTo: string | undefined
  /** Hex, as in the API. */
  readonly gmailThread: string | undefined
  /** Undefined if the source has none. */
  readonly labels: readonly string[] | undefined
  readonly attachments: readonly MailAttachment[]
  /** iTIP methods: REQUEST, REPLY, CANCEL. */
  readonly invitations: readonly string[]
  readonly bulk: Readonly<Record<string, string | true>> | undefined
  /** Delivered-To headers, written by the receiving server. */
  readonly delivered: readonly string[]
  /** Relayed by servers, and not submitted by a logged-in sender. */
  readonly arrived?: boolean
  /** Possibly forged including headers: must not count as the owner's. */
  readonly doubtful?: boolean
  readonly replyTo: string | undefined
}

export interface MailAttachment {
  readonly name: string | null
  readonly type: string
  readonly size: number
}
