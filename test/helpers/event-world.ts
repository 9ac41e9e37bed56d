/** Messages, mail, a calendar and contacts on disk with a configuration, for tests with real processes. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { random } from './generate-claude.ts'
import { generateMessages } from './generate-messages.ts'
import { vcalendar, vevent } from './sources/calendar.ts'

const OWNER = 'owner@example.com'
const START = Date.UTC(2026, 0, 5, 9)
const HOUR = 3_600_000

export interface EventWorld {
  readonly messages: number
  readonly mails: number
  readonly meetings: number
}

/** Deterministic. */
export function writeEventWorld(folder: string, { messages, mails, meetings }: EventWorld): void {
  generateMessages(join(folder, 'messages', 'chat.db'), messages)
  const put = (path: string, content: string | Buffer) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const rand = random(5)
  put('mail/box.mbox', Array.from({ length: mails }, (_, n) => mail(n, rand)).join(''))
  put('calendar/work.ics', vcalendar('X-WR-CALNAME:Work', ...Array.from({ length: meetings }, (_, n) => meeting(n))))
  put('people/people.vcf', Array.from({ length: 40 }, (_, n) => card(n)).join(''))
}

export function configureEventWorld(home: string, folder: string): void {
  mkdirSync(home, { recursive: true })
  const at = { imessage: 'messages/chat.db', gmail: 'mail', calendar: 'calendar', contacts: 'people' }
  const lines = Object.entries(at).map(([name, path]) => `  ${name}: { enabled: true, paths: [${JSON.stringify(join(folder, path))}] }\n`)
  writeFileSync(
    join(home, 'config.yaml'),
    `owner: { name: Max, timezone: UTC, emails: [${OWNER}] }\nsources:\n${lines.join('')}  claude-code: { enabled: false }\n`,
    { mode: 0o600 },
  )
}

/** Answers refer to the mail before; every third is the owner's. */
function mail(n: number, rand: () => number): string {
  const date = new Date(START + n * HOUR).toUTCString()
  const first = `From 17@xxx ${date.slice(0, 3)} ${date.slice(8, 11)} ${date.slice(5, 7)} ${date.slice(17, 25)} +0000 ${date.slice(12, 16)}`
  const other = `Person ${n % 17} <person${n % 17}@example.org>`
  const own = n % 3 === 1
  const answers = n % 4 === 0 ? [] : [`In-Reply-To: <m${n - 1}@example.org>`, `References: <m${n - 1}@example.org>`]
  const head = [
    ...[first, `X-Gmail-Labels: ${own ? 'Sent' : 'Inbox'}`, `Message-ID: <m${n}@example.org>`, `Date: ${date.replace('GMT', '+0000')}`],
    ...[
      `From: ${own ? OWNER : other}`,
      `To: ${own ? other : OWNER}`,
      `Subject: ${n % 4 === 0 ? '' : 'Re: '}Matter ${n - (n % 4)}`,
      ...answers,
    ],
    'Content-Type: text/plain; charset=utf-8',
  ]
  const filler = Array.from({ length: 60 }, () => `word${Math.floor(rand() * 500)}`).join(' ')
  const said = n % 5 === 0 ? `We decided to use plan ${n} for the launch.` : `I will send you the report ${n} tomorrow.`
  return `${head.join('\r\n')}\r\n\r\n${filler}.\r\n${said}\r\n\r\n`
}

function meeting(n: number): string {
  const day = (at: number) => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
  const at = START + n * 7 * HOUR
  return vevent({
    ...{ UID: `meeting-${n}@example.com`, DTSTAMP: '20260101T000000Z', DTSTART: day(at), DTEND: day(at + HOUR), SUMMARY: `Meeting ${n}` },
    ...{ ORGANIZER: `mailto:${OWNER}`, ATTENDEE: `;CN=Person ${n % 17}:mailto:person${n % 17}@example.org` },
    ...(n % 6 === 0 ? { RRULE: 'FREQ=WEEKLY;COUNT=12' } : {}),
  })
}

function card(n: number): string {
  const number = `+1415555${String(n).padStart(4, '0')}`
  return `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Friend ${n}\r\nTEL:${number}\r\nEMAIL:person${n}@example.org\r\nEND:VCARD\r\n`
}
