/**
 * Merges copies of a mail: from several labels, mailboxes, or a partly written file. The first copy stays; later ones add to it. Labels,
 * thread and direction do not depend on the order.
 */
import type { Insertable, Selectable } from 'kysely'
import { given } from '../../core/given.ts'
import type { EventsTable } from '../../store/tables.ts'
import type { EventPerson } from '../event-record.ts'
import { type MailFacts, mailDirection, mailFacts } from './mail-facts.ts'

interface Copy {
  readonly row: Insertable<EventsTable>
  readonly people: readonly EventPerson[]
}

export function unitedMail(
  copy: Copy,
  stored: { readonly row: Selectable<EventsTable>; readonly people: readonly EventPerson[] },
  owners: ReadonlySet<string>,
): { row: Insertable<EventsTable>; people: readonly EventPerson[] } {
  const [before, now] = [mailFacts(stored.row.metadata_json), mailFacts(copy.row.metadata_json ?? null)]
  const isSame = writerOf(stored.people) === writerOf(copy.people)
  // The owner's sent copy wins: a recipient could return the mail under its id with other words.
  const [mine, mineNow] = [before.sent_copy === true, now.sent_copy === true]
  if (!isSame && mine === mineNow) return { row: stored.row, people: stored.people }
  // A truncated copy yields to the complete one.
  const grown = mine === mineNow ? isWholeOf(stored.row, copy.row) : mineNow
  const [base, people] = grown ? [copy.row, copy.people] : [stored.row, stored.people]
  const gmail_thread = smaller(before.gmail_thread, now.gmail_thread)
  const thread_key = gmail_thread ?? (grown ? now.thread_key : before.thread_key)
  const { subject, thread_key: _, gmail_thread: __, labels: ___, sent_copy: ____, delivered_to: _____, ...rest } = grown ? now : before
  // Fixed key order, so that equal facts give equal JSON.
  const facts: MailFacts = {
    ...given({ subject }),
    thread_key,
    ...given({
      gmail_thread,
      labels: union(before.labels, now.labels),
      sent_copy: before.sent_copy === true || now.sent_copy === true ? true : (before.sent_copy ?? now.sent_copy),
      delivered_to: union(before.delivered_to, now.delivered_to),
    }),
    ...rest,
  }
  const direction = mailDirection(people, facts, owners)
  const metadata_json = JSON.stringify(facts)
  return {
    people,
    row: {
      ...base,
      id: stored.row.id,
      direction,
      // settle-mail.ts moves the mail together with its thread.
      thread_id: stored.row.thread_id,
      trust: direction === 'sent' ? 'owner' : stored.row.trust === 'owner' ? 'untrusted' : stored.row.trust,
      metadata_json,
    },
  }
}

/** Anyone can reuse a Message-ID, so a copy must have the same sender. */
function writerOf(people: readonly EventPerson[]): string | undefined {
  return people.find(({ role }) => role === 'from')?.handle
}

function isWholeOf(stored: Selectable<EventsTable>, copy: Insertable<EventsTable>): boolean {
  const [some, all] = [stored.content ?? '', copy.content ?? '']
  return all.length > some.length && all.startsWith(some.trimEnd()) && stored.timestamp === copy.timestamp
}

function smaller(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a < b ? a : b
}

function union(a: readonly string[] | undefined, b: readonly string[] | undefined): string[] | undefined {
  return a === undefined && b === undefined ? undefined : [...new Set([...(a ?? []), ...(b ?? [])])].sort()
}
