/** What of a mail decides its direction, its thread and its trust. It is kept in the event's metadata, so that all three can be decided again without the source. */
import type { EventPerson, OneEventRecord } from '../event-record.ts'

export interface MailFacts {
  readonly subject?: string
  /** Names the thread: Gmail's number of it, else the oldest message id that the mail refers to, else its own. */
  readonly thread_key: string
  /** Where Gmail says which thread it is. */
  readonly gmail_thread?: string
  readonly labels?: readonly string[]
  /** True: it lies among the sent mail of a mailbox. False: a mailbox says that it was not sent from there. Absent: nothing says either. */
  readonly sent_copy?: boolean
  /** Addresses whose mailbox it arrived in. */
  readonly delivered_to?: readonly string[]
}

export function mailFacts(metadata: string | null): MailFacts {
  const facts = metadata === null ? {} : (JSON.parse(metadata) as Partial<MailFacts>)
  return { ...facts, thread_key: facts.thread_key ?? '' }
}

/**
 * Seen from the owner. Anybody can write the owner's address into `From`: where a mailbox shows that a mail was not sent from it, the address proves
 * nothing, and the mail is one that came in.
 */
export function mailDirection(
  people: readonly EventPerson[],
  { sent_copy, labels, delivered_to = [] }: MailFacts,
  owners: ReadonlySet<string>,
): OneEventRecord['direction'] {
  const has = (roles: readonly string[]) => people.some(({ role, handle }) => roles.includes(role) && owners.has(handle))
  if (has(['from'])) return sent_copy === false ? 'received' : 'sent'
  // A mailbox with labels is the owner's own: what lies in it came in, also through a list or as a blind copy.
  const isHere = owners.size === 0 || labels !== undefined || has(['to', 'cc', 'bcc']) || delivered_to.some((handle) => owners.has(handle))
  return isHere ? 'received' : 'observed'
}
