/** Skips spam, trash, drafts and chats. */
import { given } from '../../../core/given.ts'
import { sha256 } from '../../../core/hash.ts'
import { cutMarked, cutMarkedDeep } from '../../../core/marked-text.ts'
import type { EventPerson, EventRecord } from '../../../ledgers/event-record.ts'
import { type MailFacts, mailDirection } from '../../../ledgers/mail/mail-facts.ts'
import { baseSubject } from '../../../ledgers/mail/mail-threads.ts'
import { isHandle } from '../../../ledgers/people/names-of.ts'
import { type Fate, fateOf, isLabelled } from './labels.ts'
import type { Mail } from './mail.ts'
import { ownWords } from './own-words.ts'

const CHANNEL = 'gmail'

export type Converted = { readonly leftOut: Fate } | { readonly wrong: string } | { readonly records: readonly EventRecord[] }

export interface MailEventOptions {
  /** Lower-cased. */
  readonly owners: ReadonlySet<string>
  /** Fallback time. */
  readonly fileTime: number
  readonly apiId?: string
}

export function mailEvent(mail: Mail, { owners, fileTime, apiId }: MailEventOptions): Converted {
  const leftOut = fateOf(mail.labels)
  if (leftOut !== undefined) return { leftOut }
  if (mail.people.length === 0 && mail.subject === '' && mail.text === '' && mail.attachments.length === 0)
    return { wrong: 'no sender, no subject, no text' }
  const sent = mail.sent ?? { at: Math.round(fileTime), by: 'file' }
  const content = cutMarked(mail.text)
  const subject = cutMarked(mail.subject)
  const people = firstWriterOnly(mail.people).map((person) => ({ ...person, name: person.name == null ? null : cutMarked(person.name) }))
  const sourceId =
    mail.messageId ??
    `hash:${sha256(JSON.stringify([sent.by === 'date' ? sent.at : '', people[0]?.handle ?? '', mail.subject, mail.text]))}`
  const key = threadKey(mail, sourceId, people)
  const facts = factsOf(mail, { key, subject })
  const direction = mailDirection(people, facts, owners)
  const metadata = cutMarkedDeep({
    ...facts,
    ...given({
      message_id: mail.messageId,
      in_reply_to: mail.inReplyTo,
      reply_to: mail.replyTo,
      api_id: apiId,
      attachments: mail.attachments.length > 0 ? mail.attachments : undefined,
      invitations: mail.invitations.length > 0 ? mail.invitations : undefined,
      bulk: mail.bulk,
      html: mail.html || undefined,
      time_by: sent.by === 'date' ? undefined : sent.by,
    }),
  }) as Record<string, unknown>
  const [writer] = people
  const thread = `gmail:${key}`
  const words = ownWords(content, { forwards: isForward(mail.subject) })
  return {
    records: [
      {
        ...{ type: 'thread', id: thread, sourceId: key, channel: CHANNEL, agentId: 'main' },
        ...{ name: baseSubject(subject) || null, createdAt: sent.at, updatedAt: sent.at },
      },
      {
        ...{ type: 'event', id: `gmail:${sourceId}`, sourceId, channel: CHANNEL, agentId: 'main', timestamp: sent.at },
        ...{ contentTypes: contentTypes(mail), content, direction, thread, people, metadata },
        replyTo: mail.inReplyTo === undefined ? null : `gmail:${mail.inReplyTo}`,
        speaker: writer?.role === 'from' ? spokenBy(writer) : null,
        // Trust is decided over the whole ledger: ledgers/mail/mail-trust.ts.
        trust: direction === 'sent' ? 'owner' : 'untrusted',
        mail: { owners },
        ...given({ ownWords: words }),
      },
    ],
  }
}

/** Prefers the handle over a name that is itself an address. */
function spokenBy({ name, handle }: EventPerson): string {
  return name == null || isHandle(name, handle) ? handle : name
}

/** Trust is decided on one address, so only the first `From` counts. */
function firstWriterOnly(people: readonly EventPerson[]): EventPerson[] {
  const writer = people.find(({ role }) => role === 'from')
  return [...(writer === undefined ? [] : [writer]), ...people.filter(({ role }) => role !== 'from')]
}

function factsOf(mail: Mail, { key, subject }: { readonly key: string; readonly subject: string }): MailFacts {
  const { labels, delivered, arrived, doubtful, gmailThread } = mail
  return {
    subject,
    thread_key: key,
    ...given({
      gmail_thread: gmailThread,
      labels: labels === undefined ? undefined : [...labels].sort(),
      // Received mail was not sent from here, unless the mailbox says so.
      sent_copy: doubtful ? false : labels !== undefined ? isLabelled(labels, 'sent') : delivered.length > 0 || arrived ? false : undefined,
      delivered_to: delivered.length > 0 ? [...new Set(delivered)].sort() : undefined,
    }),
  }
}

/** Thread key from the mail itself; the ledger merges threads later. */
function threadKey({ gmailThread, references, inReplyTo, subject, messageId }: Mail, own: string, people: readonly EventPerson[]): string {
  const named = gmailThread ?? references[0] ?? inReplyTo
  if (named !== undefined) return named
  // Without references: same subject, same people.
  if (messageId !== undefined && baseSubject(subject) === subject.trim()) return own
  const handles = [...new Set(people.map(({ handle }) => handle))].sort()
  return `subject:${sha256(JSON.stringify([baseSubject(subject).toLowerCase(), handles])).slice(0, 32)}`
}

function isForward(subject: string): boolean {
  return /^\s*(?:fwd?|wg|tr|rv|enc|i|vl|pd|doorst|转发|轉寄)\s*[:：]/i.test(subject)
}

function contentTypes({ text, attachments }: Mail): string[] {
  const kinds = attachments.map(({ type }) => (/^(?:image|audio|video)\//.exec(type)?.[0] ?? 'file/').slice(0, -1))
  return [...new Set([...(text === '' ? [] : ['text']), ...kinds])]
}
