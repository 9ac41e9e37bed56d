/** Messages of Gmail's API (`users.messages.get`), decoded or raw. */

import type { Mail, MailAttachment } from './mail.ts'
import { mailSkeleton } from './mail-skeleton.ts'
import { parseMail } from './parse-mail.ts'

export async function apiMail(value: unknown): Promise<{ readonly mail: Mail; readonly apiId: string } | undefined> {
  if (!isMessage(value)) return undefined
  const bytes = value.raw === undefined ? asMail(value.payload as Part) : decode(value.raw)
  const parsed = await parseMail(kept(bytes))
  const labels = Array.isArray(value.labelIds) ? value.labelIds.filter((label) => typeof label === 'string') : undefined
  const at = Number(value.internalDate)
  return {
    apiId: value.id,
    mail: {
      ...parsed,
      ...(value.raw === undefined ? { attachments: filesOf(value.payload as Part) } : {}),
      // Trust the API's mailbox fields, not headers of the same name, which the sender controls.
      gmailThread: /^[0-9a-f]{1,16}$/i.test(value.threadId) ? value.threadId.toLowerCase() : undefined,
      labels: labels?.map(labelName),
      sent: parsed.sent?.by === 'date' || !Number.isSafeInteger(at) || at <= 0 ? parsed.sent : { at, by: 'gmail' },
    },
  }
}

export function isApiHead(head: string): boolean {
  return /"threadId"\s*:\s*"/.test(head) && /"(?:payload|raw|labelIds|internalDate)"\s*:/.test(head)
}

interface Message {
  readonly id: string
  readonly threadId: string
  readonly labelIds?: unknown
  readonly internalDate?: unknown
  readonly raw?: string
  readonly payload?: unknown
}

interface Part {
  readonly mimeType?: unknown
  readonly filename?: unknown
  readonly headers?: unknown
  readonly body?: { readonly size?: unknown; readonly data?: unknown }
  readonly parts?: unknown
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null) return false
  const { id, threadId, raw, payload } = value as Record<string, unknown>
  return (
    typeof id === 'string' && typeof threadId === 'string' && (typeof raw === 'string' || (typeof payload === 'object' && payload !== null))
  )
}

/** Converts system label ids to Takeout's names; the owner's labels keep their numeric id. */
function labelName(id: string): string {
  if (id.startsWith('CATEGORY_')) return `Category ${capital(id.slice('CATEGORY_'.length))}`
  return /^[A-Z]+$/.test(id) ? capital(id) : id
}

function capital(word: string): string {
  return word.slice(0, 1) + word.slice(1).toLowerCase()
}

function decode(base64url: string): Buffer {
  return Buffer.from(base64url, 'base64url')
}

function kept(bytes: Buffer): Buffer {
  const skeleton = mailSkeleton({ unquote: false })
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(10, at)
    const to = newline === -1 ? bytes.length : newline + 1
    skeleton.line(bytes.subarray(at, to), true)
    at = to
  }
  return skeleton.end() ?? Buffer.alloc(0)
}

/** Rebuilds the MIME source. The API decodes bodies but not headers, so it re-encodes. */
function asMail(part: Part, depth = 0): Buffer {
  const headers = Array.isArray(part.headers) ? part.headers.flatMap(headerLine) : []
  const parts = Array.isArray(part.parts) && depth < 50 ? (part.parts as Part[]) : []
  const own = headers.filter((line) => !/^content-transfer-encoding:/i.test(line))
  const type = typeof part.mimeType === 'string' ? part.mimeType : 'text/plain'
  if (parts.length > 0) {
    // An embedded message has its headers in its only part.
    const boundary = `part-${depth}`
    const head = own.filter((line) => !/^content-type:/i.test(line))
    const multipart = type.startsWith('multipart/') ? type : 'multipart/mixed'
    const lines = [...head, `Content-Type: ${multipart}; boundary="${boundary}"`, '', '']
    const bodies = parts.flatMap((child) => [Buffer.from(`--${boundary}\r\n`), asMail(child, depth + 1), Buffer.from('\r\n')])
    return Buffer.concat([Buffer.from(lines.join('\r\n')), ...bodies, Buffer.from(`--${boundary}--\r\n`)])
  }
  const named = own.some((line) => /^content-type:/i.test(line)) ? own : [...own, `Content-Type: ${type}`]
  const { data } = part.body ?? {}
  const body = typeof data === 'string' && !isFile(part) ? decode(data).toString('base64').replace(/.{76}/g, '$&\r\n') : ''
  return Buffer.from([...named, 'Content-Transfer-Encoding: base64', '', body].join('\r\n'))
}

function isFile({ filename }: Part): boolean {
  return typeof filename === 'string' && filename !== ''
}

/** Metadata only; attachments stay at Gmail. */
function filesOf(part: Part, depth = 0): MailAttachment[] {
  const parts = Array.isArray(part.parts) && depth < 50 ? (part.parts as Part[]) : []
  const type = typeof part.mimeType === 'string' ? part.mimeType.toLowerCase() : 'text/plain'
  const own = isFile(part) || (parts.length === 0 && !/^(?:text\/(?:plain|html)$|multipart\/)/.test(type))
  const size = typeof part.body?.size === 'number' ? part.body.size : 0
  const file = { name: isFile(part) ? String(part.filename) : null, type, size }
  return [...(own ? [file] : []), ...parts.flatMap((child) => filesOf(child, depth + 1))]
}

function headerLine(header: unknown): string[] {
  const { name, value } = (header ?? {}) as { name?: unknown; value?: unknown }
  if (typeof name !== 'string' || typeof value !== 'string' || !/^[\x21-\x39\x3b-\x7e]+$/.test(name)) return []
  return [`${name}: ${value.replace(/\r?\n(?![ \t])|\r(?!\n)/g, ' ')}`]
}
