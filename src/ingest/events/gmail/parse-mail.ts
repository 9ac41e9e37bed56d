import PostalMime, { type Address, addressParser, decodeWords, type Email } from 'postal-mime'
import type { EventPerson } from '../../../ledgers/event-record.ts'
import { normalHandle } from '../../../ledgers/people/handle.ts'
import { htmlText } from '../html-text.ts'
import { mailTime, receivedTime, separatorTime } from './dates.ts'
import { parseLabels } from './labels.ts'
import type { Mail, MailAttachment } from './mail.ts'
import { garbledBy, inCharset, withLetters } from './repair-charset.ts'

/** `bytes`: output of `mailSkeleton`. */
export async function parseMail(bytes: Uint8Array, separator?: string): Promise<Mail> {
  const options = { maxNestingDepth: 256, maxHeadersSize: 4 << 20 }
  const email = await PostalMime.parse(bytes, options)
  const charset = garbledBy(textIn(email))
  if (charset === undefined) return mailOf(email, separator)
  const again = await PostalMime.parse(inCharset(bytes, charset), options)
  return mailOf(garbledBy(textIn(again)) === undefined ? again : email, separator)
}

function textIn({ text = '', html = '' }: Email): string {
  return text + html
}

function mailOf(email: Email, separator: string | undefined): Mail {
  const headers = headersOf(email)
  const { text, html } = textOf(email)
  const [receiver] = headers.all('received')
  const at = mailTime(headers.first('date')) ?? mailTime(headers.first('resent-date'))
  const fallback = separatorTime(separator) ?? undefined
  const arrived = receivedTime(receiver)
  return {
    messageId: messageIds(headers.first('message-id'))[0] ?? (headers.first('message-id')?.trim() || undefined),
    subject: withLetters(decodeWords(headers.first('subject') ?? '')).trim(),
    people: peopleOf(headers),
    sent:
      at !== undefined
        ? { at, by: 'date' }
        : arrived !== undefined
          ? { at: arrived, by: 'received' }
          : fallback !== undefined
            ? { at: fallback, by: 'separator' }
            : undefined,
    ...{ text, html },
    references: messageIds(headers.first('references')),
    inReplyTo: messageIds(headers.first('in-reply-to'))[0],
    ...gmailOf(email),
    attachments: email.attachments.filter(({ rfc822DepthExceeded }) => !rfc822DepthExceeded).map(attachmentOf),
    invitations: email.attachments.flatMap(({ mimeType, method }) => (mimeType === 'text/calendar' ? [method ?? 'PUBLISH'] : [])),
    bulk: bulkOf(headers),
    delivered: ['delivered-to', 'x-original-to', 'envelope-to']
      .flatMap((key) => headers.all(key))
      .map((value) => normalHandle(value.replace(/[<>]/g, ''))),
    arrived: receiver !== undefined && !SUBMITTED.test(receiver),
    replyTo: mailboxes(headers.first('reply-to'))[0]?.address,
  }
}

/** The last server received it from a logged-in sender, as outgoing mail. */
const SUBMITTED = /\bwith\s+(?:(?:UTF8)?[EL]?SMTPS?A|HTTPS?|MAPI)\b/i

type Headers = ReturnType<typeof headersOf>

function headersOf({ headers }: Email) {
  const all = (key: string) => headers.filter((header) => header.key === key).map(({ value }) => value)
  return { all, first: (key: string) => all(key)[0] }
}

/** Headers that servers prepend. Anything after them came with the mail and may be forged. */
const TRACES = new Set(['received', 'x-received', 'return-path', 'delivered-to', 'arc-seal', 'authentication-results', 'received-spf'])

/** Gmail prepends its own headers; later ones of the same name are forged. */
function gmailOf({ headers }: Email): Pick<Mail, 'gmailThread' | 'labels'> {
  let gmailThread: string | undefined
  let labels: string[] | undefined
  for (const { key, value } of headers) {
    if (TRACES.has(key)) break
    if (key === 'x-gm-thrid' && gmailThread === undefined && /^\s*\d{1,20}\s*$/.test(value)) gmailThread = BigInt(value.trim()).toString(16)
    if (key === 'x-gmail-labels') labels ??= parseLabels(decodeWords(value))
  }
  return { gmailThread, labels }
}

function textOf({ text, html }: Email): { text: string; html: boolean } {
  if (text !== undefined && text.trim() !== '') return { text: tidy(text), html: false }
  return html === undefined ? { text: '', html: false } : { text: tidy(htmlText(html)), html: true }
}

function tidy(text: string): string {
  return withLetters(text).replace(/\r\n?/g, '\n').replaceAll('\0', '').trim()
}

function attachmentOf({ filename, mimeType, content }: Email['attachments'][number]): MailAttachment {
  return { name: filename, type: mimeType, size: sizeOf(content) }
}

/** The skeleton replaced the body by its size; a kept part is measured. */
function sizeOf(content: ArrayBuffer | Uint8Array | string): number {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer)
  const size = bytes.length > 20 ? Number.NaN : Number(bytes.toString('latin1').trim() || Number.NaN)
  return Number.isSafeInteger(size) ? size : bytes.length
}

const ROLES = ['from', 'to', 'cc', 'bcc'] as const

function peopleOf(headers: Headers): EventPerson[] {
  return ROLES.flatMap((role) =>
    headers
      .all(role)
      .flatMap((value) =>
        mailboxes(value).map(({ address, name }) => ({ role, handle: normalHandle(address), name: withLetters(name).trim() || null })),
      ),
  )
}

/** Requires `@`. Of several `From` headers the first counts. */
function mailboxes(value: string | undefined): { address: string; name: string }[] {
  const flat = (addresses: readonly Address[]): { address: string; name: string }[] =>
    addresses.flatMap((one) => (one.group === undefined ? [{ address: one.address, name: one.name }] : flat(one.group)))
  return value === undefined ? [] : flat(addressParser(value)).filter(({ address }) => address !== undefined && /\S@\S/.test(address))
}

/** Some programs omit the brackets. */
export function messageIds(value: string | undefined): string[] {
  if (value === undefined) return []
  const bracketed = [...value.matchAll(/<\s*([^<>\s]+)\s*>/g)].map((match) => match[1] as string)
  return bracketed.length > 0 ? bracketed : value.split(/[\s,]+/).filter((word) => /^[^<>\s]+@[^<>\s]+$/.test(word))
}

function bulkOf(headers: Headers): Mail['bulk'] {
  const said = (key: string) => headers.first(key)?.trim()
  const precedence = said('precedence')?.toLowerCase()
  const auto = said('auto-submitted')?.toLowerCase()
  const list = said('list-id')
  const bulk: Record<string, string | true> = {
    ...(list ? { list_id: decodeWords(list) } : {}),
    ...(said('list-unsubscribe') ? { list_unsubscribe: true } : {}),
    ...(precedence ? { precedence } : {}),
    ...(auto && auto !== 'no' ? { auto_submitted: auto } : {}),
  }
  return Object.keys(bulk).length > 0 ? bulk : undefined
}
