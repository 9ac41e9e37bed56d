/**
 * Mail in the proportions of a mailbox: letters with quotes, newsletters in two forms, and attachments, most of the bytes. Deterministic.
 */
import { random } from '../test/helpers/generate-claude.ts'

const WORDS =
  'the a of to and is in that launch invoice meeting budget travel contract draft review office garden concert recipe ticket flight we not on'.split(
    ' ',
  )
const PEOPLE = 400
const OWNER = 'owner@example.com'
/** Looks random in base64; made once. */
const BLOB = Buffer.from(Array.from({ length: 57 * 1024 }, (_, i) => (i * 2_654_435_761) >>> 24))
  .toString('base64')
  .replace(/.{76}/g, '$&\r\n')

/** In Takeout's format, until `bytes` are reached. */
export function* mails(bytes: number): Generator<string, void, undefined> {
  const rand = random(11)
  const text = (words: number) => Array.from({ length: words }, () => WORDS[Math.floor(rand() * WORDS.length)]).join(' ')
  const paragraphs = (count: number) => Array.from({ length: count }, () => text(60)).join('\r\n\r\n')
  for (let size = 0, n = 0; size < bytes; n++) {
    const person = `person${Math.floor(rand() * PEOPLE)}@example.org`
    const sent = n % 9 === 0
    const thread = n % 4 === 0 ? n : n - (n % 4)
    const at = new Date(Date.UTC(2020, 0, 1) + n * 600_000)
    const head = [
      `From ${thread}@xxx ${at.toUTCString().slice(0, 3)} ${at.toUTCString().slice(8, 11)} ${at.toUTCString().slice(5, 7)} ${at.toISOString().slice(11, 19)} +0000 ${at.getUTCFullYear()}`,
      `X-GM-THRID: ${1_700_000_000_000_000_000n + BigInt(thread)}`,
      `X-Gmail-Labels: ${sent ? 'Sent' : 'Inbox,Important'}`,
      `Message-ID: <mail-${n}@example.org>`,
      ...(n === thread ? [] : [`In-Reply-To: <mail-${thread}@example.org>`, `References: <mail-${thread}@example.org>`]),
      `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
      `From: ${sent ? `The Owner <${OWNER}>` : `A Person <${person}>`}`,
      `To: ${sent ? person : OWNER}`,
      `Subject: ${n === thread ? '' : 'Re: '}About ${text(4)} ${thread}`,
      'MIME-Version: 1.0',
    ]
    const letter = `${paragraphs(4)}\r\n\r\nOn Mon, Jan 6, 2020 at 10:00 AM A Person <${person}> wrote:\r\n> ${text(60)}\r\n> ${text(60)}\r\n\r\n-- \r\nA Person\r\n`
    const mail = `${head.join('\r\n')}\r\n${body(n, letter, paragraphs)}\r\n`
    size += mail.length
    yield mail
  }
}

function body(n: number, letter: string, paragraphs: (count: number) => string): string {
  if (n % 10 === 3)
    return [
      ...['Content-Type: multipart/mixed; boundary="mixed"', '', '--mixed', 'Content-Type: text/plain; charset=utf-8', '', letter],
      ...['--mixed', 'Content-Type: application/pdf; name="report.pdf"', 'Content-Disposition: attachment; filename="report.pdf"'],
      ...['Content-Transfer-Encoding: base64', '', BLOB.repeat(1 + (n % 16)), '--mixed--', ''],
    ].join('\r\n')
  if (n % 5 === 1) {
    const html = `<html><head><style>${'p { margin: 0 } '.repeat(200)}</style></head><body>${`<div><p>${paragraphs(1)}</p></div>`.repeat(40)}</body></html>`
    const plain = n % 2 === 0 ? [] : ['--alt', 'Content-Type: text/plain; charset=utf-8', '', paragraphs(20)]
    return [
      ...['List-Unsubscribe: <mailto:leave@example.org>', 'Content-Type: multipart/alternative; boundary="alt"', '', ...plain],
      ...['--alt', 'Content-Type: text/html; charset=utf-8', '', html, '--alt--', ''],
    ].join('\r\n')
  }
  return `Content-Type: text/plain; charset=utf-8\r\n\r\n${letter}`
}
