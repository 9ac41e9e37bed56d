/** Mailboxes as Google Takeout writes them, and messages as Gmail's API gives them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gmail } from '../../../src/ingest/events/gmail.ts'
import type { EventSource, SampleMessage } from '../event-source.ts'

const OWNER = 'owner@example.com'

export function mboxOf(messages: readonly SampleMessage[]): string {
  return messages.map(mboxMail).join('')
}

function mboxMail({ key, text, at }: SampleMessage): string {
  const date = new Date(at).toUTCString()
  const separator = `From 17@xxx ${date.slice(0, 3)} ${date.slice(8, 11)} ${date.slice(5, 7)} ${date.slice(17, 25)} +0000 ${date.slice(12, 16)}`
  const head = [
    ...[separator, 'X-GM-THRID: 1779000000000000017', 'X-Gmail-Labels: Inbox', `Message-ID: <${key}@example.org>`],
    ...[`Date: ${date.replace('GMT', '+0000')}`, 'From: Sarah <sarah@example.org>', `To: ${OWNER}`, 'Subject: The launch'],
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

const adapter = (folder: string) => gmail({ paths: [folder], owners: [OWNER] })

export const gmailMboxSource: EventSource = {
  name: 'gmail',
  kind: 'grows',
  adapter,
  write: (folder, unit, messages) => write(folder, `${unit}.mbox`, mboxOf(messages)),
}

export const gmailApiSource: EventSource = {
  name: 'gmail',
  kind: 'document',
  adapter,
  write: (folder, unit, messages) => write(folder, `${unit}.json`, JSON.stringify(messages.map(apiMessage))),
}

function apiMessage({ key, text, at }: SampleMessage) {
  const headers = { 'Message-ID': `<${key}@example.org>`, From: 'Sarah <sarah@example.org>', To: OWNER, Subject: 'The launch' }
  return {
    ...{ id: `id-${key}`, threadId: '18b04a8ed7d90011', labelIds: ['INBOX'], internalDate: String(at) },
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
