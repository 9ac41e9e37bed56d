/** Stored in metadata, so that direction, thread and trust can be decided again without the source. */
import type { EventPerson, OneEventRecord } from '../event-record.ts'

export interface MailFacts {
  readonly subject?: string
  /** Gmail's thread number, else the oldest referenced message id, else its own. */
  readonly thread_key: string
  readonly gmail_thread?: string
  readonly labels?: readonly string[]
  /** True: in a mailbox's sent mail. False: a mailbox shows that it was not sent from there. Absent: unknown. */
  readonly sent_copy?: boolean
  readonly delivered_to?: readonly string[]
}

export function mailFacts(metadata: string | null): MailFacts {
  const facts = metadata === null ? {} : (JSON.parse(metadata) as Partial<MailFacts>)
  return { ...facts, thread_key: facts.thread_key ?? '' }
}

/** `From` can be forged: if a mailbox shows that the mail was not sent from it, it counts as received. */
export function mailDirection(
  people: readonly EventPerson[],
  { sent_copy, labels, delivered_to = [] }: MailFacts,
  owners: ReadonlySet<string>,
): OneEventRecord['direction'] {
  const has = (roles: readonly string[]) => people.some(({ role, handle }) => roles.includes(role) && owners.has(handle))
  if (has(['from'])) return sent_copy === false ? 'received' : 'sent'
  // A labelled mailbox is the owner's, so its mail was received, even through lists or as bcc.
  const isHere = owners.size === 0 || labels !== undefined || has(['to', 'cc', 'bcc']) || delivered_to.some((handle) => owners.has(handle))
  return isHere ? 'received' : 'observed'
}
