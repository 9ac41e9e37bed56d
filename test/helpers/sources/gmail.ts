/** Mailboxes of Google Takeout, and messages of Gmail's API. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gmail } from '../../../src/ingest/events/gmail.ts'
import type { EventSource, Happening } from '../event-source.ts'

const OWNER = 'owner@example.com'
const SARAH = 'sarah@example.org'

export interface SampleMail {
  readonly key: string
  readonly text: string
  /** Unix milliseconds, whole seconds. */
  readonly at: number
  /** Default Sarah's. */
  readonly from?: string
}

export function mboxOf(messages: readonly SampleMail[]): string {
  return messages.map(mboxMail).join('')
}

function mboxMail({ key, text, at, from = SARAH }: SampleMail): string {
  const date = new Date(at).toUTCString()
  const separator = `From 17@xxx ${date.slice(0, 3)} ${date.slice(8, 11)} ${date.slice(5, 7)} ${date.slice(17, 25)} +0000 ${date.slice(12, 16)}`
  const head = [
    ...[
      separator,
      'X-GM-THRID: 1779000000000000017',
      `X-Gmail-Labels: ${from === OWNER ? 'Sent' : 'Inbox'}`,
      `Message-ID: <${key}@example.org>`,
    ],
    ...[`Date: ${date.replace('GMT', '+0000')}`, `From: ${from}`, `To: ${from === OWNER ? SARAH : OWNER}`, 'Subject: The launch'],
    ...['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit'],
  ]
  const body = text.replace(/^(>*From )/gm, '>$1').replaceAll('\n', '\r\n')
  return `${head.join('\r\n')}\r\n\r\n${body}\r\n\r\n`
}

function write(folder: string, file: string, content: string): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, file)
  writeFileSync(path, content)
  return path
}

function mailsOf(unit: string, happenings: readonly Happening[]): SampleMail[] {
  return happenings.map(({ text, at, from = OWNER }, n) => ({ key: `${unit}-${n}`, text, at, from }))
}

const adapter = (folder: string) => gmail({ paths: [folder], owners: [OWNER] })

export const gmailMboxSource: EventSource = {
  name: 'gmail',
  kind: 'file',
  adapter,
  write: (folder, unit, happenings) => write(folder, `${unit}.mbox`, mboxOf(mailsOf(unit, happenings))),
}

export const gmailApiSource: EventSource = {
  name: 'gmail',
  kind: 'file',
  adapter,
  write: (folder, unit, happenings) => write(folder, `${unit}.json`, JSON.stringify(mailsOf(unit, happenings).map(apiMessage))),
}

function apiMessage({ key, text, at, from = SARAH }: SampleMail) {
  const headers = { 'Message-ID': `<${key}@example.org>`, From: from, To: from === OWNER ? SARAH : OWNER, Subject: 'The launch' }
  return {
    ...{ id: `id-${key}`, threadId: '18b04a8ed7d90011', labelIds: [from === OWNER ? 'SENT' : 'INBOX'], internalDate: String(at) },
    payload: {
      mimeType: 'text/plain',
      headers: Object.entries({ ...headers, Date: new Date(at).toUTCString().replace('GMT', '+0000') }).map(([name, value]) => ({
        name,
        value,
      })),
      body: { size: text.length, data: Buffer.from(text).toString('base64url') },
    },
  }
}
