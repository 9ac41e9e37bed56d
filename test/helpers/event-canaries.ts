/** Messages, mails, meetings and an address book with a unique string in every place for words or names. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { binaryPlist } from './binary-plist.ts'
import { appleTime, openMessages } from './messages-database.ts'
import { vcalendar, vevent } from './sources/calendar.ts'
import { attributedBody } from './typed-stream.ts'

export interface EventCanary {
  readonly text: string
  readonly source: 'imessage' | 'gmail' | 'calendar' | 'contacts'
  readonly where: string
}

const START = Date.UTC(2026, 1, 2, 9)
const MINUTE = 60_000
const DAY = 86_400_000
export const OWNER = 'owner@example.com'
/** Common prefix: any byte of a canary shows by it. */
export const NEST = 'zqheron'

export interface PlantedEvents {
  readonly canaries: readonly EventCanary[]
  /** Words of records without canaries. */
  readonly kept: readonly string[]
}

export function plantEventCanaries(folder: string): PlantedEvents {
  const canaries: EventCanary[] = []
  const plantAs = (source: EventCanary['source']) => (where: string) => {
    const text = `${NEST}${where}${(canaries.length * 7919 + 104_729).toString(36)}vx`
    canaries.push({ text, source, where })
    return text
  }
  plantMessages(folder, plantAs('imessage'))
  plantMails(folder, plantAs('gmail'))
  plantMeetings(folder, plantAs('calendar'))
  plantCards(folder, plantAs('contacts'))
  return { canaries, kept: ['pelicans', 'lanterns', 'gangway', 'tides', 'Ropewalk', 'Weekly extra'] }
}

type Plant = (where: string) => string

function plantMessages(folder: string, plant: Plant): void {
  const messages = openMessages(join(folder, 'messages', plant('path'), 'chat.db'))
  const { db } = messages
  const sarah = messages.handle('+14155552671')
  const tom = messages.handle(`${plant('handle')}@example.org`)
  const chat = messages.chat({ guid: 'any;-;+14155552671', style: 45, chat_identifier: '+14155552671', service_name: 'iMessage' }, [sarah])
  const names = { guid: 'any;+;chat1', style: 43, chat_identifier: 'chat1', service_name: 'iMessage', group_id: 'G1' }
  const group = messages.chat({ ...names, display_name: `The ${plant('thread')} crew` }, [sarah, tom])
  messages.message({ guid: 'kept-1', text: 'Have you seen the pelicans?', chat, from: sarah, at: START })
  messages.message({ guid: 'text-1', text: `The code is ${plant('said')}, keep it.`, chat, from: sarah, at: START + MINUTE })
  messages.message({ guid: 'promise-1', text: `I will send you the ${plant('promised')} tomorrow.`, chat, at: START + 2 * MINUTE })
  messages.message({ guid: 'group-1', text: 'Bring the lanterns tonight', chat: group, from: tom, at: START + 3 * MINUTE })
  const photo = messages.message({ guid: 'photo-1', text: 'Look at this', chat, from: sarah, at: START + 4 * MINUTE })
  const file = `${plant('attached')}.heic`
  messages.attach(photo, { guid: 'at-1', filename: `~/Library/${file}`, transfer_name: file, mime_type: 'image/heic' })
  const edited = messages.message({ guid: 'edit-1', text: 'See you at nine', chat, from: sarah, at: START + 5 * MINUTE })
  const version = (text: string, at: number) => ({ t: attributedBody(text), d: (at - 978_307_200_000) / 1000 })
  const at = START + 6 * MINUTE
  const summary = binaryPlist({
    ec: { 0: [version(`See you at ${plant('edited')}`, START + 5 * MINUTE), version('See you at nine', at)] },
    otr: { 0: { lo: 0, le: 15 } },
  })
  db.prepare('update message set message_summary_info = ?, date_edited = ? where ROWID = ?').run(summary, appleTime(at), edited)
  const other = messages.handle(`${plant('reacted')}@example.org`)
  const liked = { associated_message_guid: 'p:0/kept-1', associated_message_type: 2000 }
  messages.message({ guid: 'react-1', text: 'Loved', chat, from: other, at: START + 7 * MINUTE, columns: liked })
  messages.message({
    ...{ guid: `${plant('guid')}-1`, text: 'With a name that says too much', chat, from: sarah, at: START + 8 * MINUTE },
  })
  messages.message({
    ...{ guid: 'reply-1', text: 'An answer to it', chat, from: sarah, at: START + 9 * MINUTE },
    columns: { thread_originator_guid: `${plant('answered')}-0` },
  })
  // A system line: who left the group.
  messages.message({ guid: 'left-1', chat: group, from: tom, at: START + 10 * MINUTE, columns: { item_type: 3 } })
  messages.close()
}

function mail(key: string, at: number, headers: Readonly<Record<string, string | undefined>>, body: string): string {
  const date = new Date(at).toUTCString()
  const first = `From 17@xxx ${date.slice(0, 3)} ${date.slice(8, 11)} ${date.slice(5, 7)} ${date.slice(17, 25)} +0000 ${date.slice(12, 16)}`
  const all = {
    ...{ 'X-Gmail-Labels': 'Inbox', 'Message-ID': `<${key}@example.org>`, Date: date.replace('GMT', '+0000') },
    ...{ From: 'Sarah Chen <sarah@example.org>', To: OWNER, 'Content-Type': 'text/plain; charset=utf-8' },
    ...headers,
  }
  return `${[first, ...Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))].join('\r\n')}\r\n\r\n${body.replaceAll('\n', '\r\n')}\r\n\r\n`
}

function plantMails(folder: string, plant: Plant): void {
  const dir = join(folder, 'mail', plant('path'))
  mkdirSync(dir, { recursive: true })
  const secret = `The vault opens with ${plant('body')} only.`
  const quoted = `Thanks, the cormorant agrees.\n\nOn Mon, Feb 2, 2026 at 9:00 AM Sarah wrote:\n> ${secret}\n`
  const part = (type: string, body: string, more = '') => `--b\nContent-Type: ${type}\n${more}\n${body}\n`
  const attached = plant('attachment')
  const mails = [
    mail('kept', START, { Subject: 'Harbour' }, 'The gangway is wet.'),
    mail('body', START + DAY, { Subject: 'Vault' }, secret),
    mail(
      'quote',
      START + DAY + MINUTE,
      { Subject: 'Re: Vault', 'In-Reply-To': '<body@example.org>', References: '<body@example.org>' },
      quoted,
    ),
    mail('subject', START + 2 * DAY, { Subject: `About ${plant('subject')} today` }, 'Nothing else to say of it.'),
    mail('resubject', START + 2 * DAY + 1000, { Subject: `Re: ${plant('topic')}` }, 'An answer that names no mail.'),
    mail('named', START + 3 * DAY, { Subject: 'Name', From: `${plant('writer')} Doe <doe@example.org>` }, 'Who am I?'),
    mail('address', START + 4 * DAY, { Subject: 'Address', From: `${plant('address')}@example.net` }, 'Where am I?'),
    mail('copied', START + 5 * DAY, { Subject: 'Copy', Cc: `${plant('copied')} Roe <roe@example.net>` }, 'Somebody else reads it too.'),
    mail('labels', START + 6 * DAY, { Subject: 'Label', 'X-Gmail-Labels': `Inbox,${plant('label')}` }, 'It has a label.'),
    mail(
      'attached',
      START + 7 * DAY,
      { Subject: 'File', 'Content-Type': 'multipart/mixed; boundary=b' },
      `${part('text/plain', 'It is attached.')}${part('application/pdf', 'eA==', `Content-Disposition: attachment; filename="${attached}.pdf"\nContent-Transfer-Encoding: base64\n`)}--b--`,
    ),
  ]
  mails.push(
    mail('sent', START + 9 * DAY, { Subject: 'Sails', From: OWNER, To: 'sailor@example.org', 'X-Gmail-Labels': 'Sent' }, 'Set the sails.'),
    mail('between', START + 10 * DAY, { Subject: 'Masts', To: 'sailor@example.org', 'X-Gmail-Labels': undefined }, 'Between others.'),
  )
  // Answers and thread refer to the first mail.
  const first = `root-${plant('mailid')}`
  const root = `<${first}@example.org>`
  mails.push(
    mail(first, START + 8 * DAY, { Subject: 'Root' }, 'The first of three.'),
    mail(
      'child-1',
      START + 8 * DAY + MINUTE,
      { Subject: 'Re: Root', References: root, 'In-Reply-To': root },
      'The second of three, about tides.',
    ),
    mail('child-2', START + 8 * DAY + 2 * MINUTE, { Subject: 'Re: Root', References: root, 'In-Reply-To': root }, 'The third of three.'),
  )
  writeFileSync(join(dir, 'box.mbox'), mails.join(''))
}

function plantMeetings(folder: string, plant: Plant): void {
  const dir = join(folder, 'calendar', plant('path'))
  mkdirSync(dir, { recursive: true })
  const at = { DTSTAMP: '20260101T000000Z' }
  const single = (uid: string, day: string, more: Readonly<Record<string, string | readonly string[]>>) =>
    vevent({ UID: uid, ...at, DTSTART: `202602${day}T090000Z`, DTEND: `202602${day}T100000Z`, ...more })
  const series = (uid: string, more: Readonly<Record<string, string | readonly string[]>>) =>
    vevent({ UID: uid, ...at, DTSTART: '20260105T090000Z', DTEND: '20260105T093000Z', RRULE: 'FREQ=WEEKLY;COUNT=6', ...more })
  const changed = (uid: string, more: Readonly<Record<string, string | readonly string[]>>) =>
    vevent({ UID: uid, ...at, 'RECURRENCE-ID': '20260112T090000Z', DTSTART: '20260112T110000Z', DTEND: '20260112T113000Z', ...more })
  const work = [
    single('kept', '01', { SUMMARY: 'Ropewalk visit' }),
    single('title', '02', { SUMMARY: `Meet ${plant('meeting')} there` }),
    single('place', '03', { SUMMARY: 'Place', LOCATION: plant('place') }),
    single('told', '04', { SUMMARY: 'Told', DESCRIPTION: `Bring ${plant('described')} along` }),
    single('invited', '05', {
      ...{ SUMMARY: 'Invited', ORGANIZER: `mailto:${OWNER}` },
      ATTENDEE: [
        `;CN=${plant('guest')};PARTSTAT=ACCEPTED:mailto:guest@example.org`,
        `;PARTSTAT=ACCEPTED:mailto:${plant('guestaddress')}@example.org`,
      ],
    }),
    single('asked', '05', { SUMMARY: 'Asked', ORGANIZER: 'mailto:captain@example.org', ATTENDEE: `mailto:${OWNER}` }),
    single('kinds', '06', { SUMMARY: 'Kinds', CATEGORIES: plant('category') }),
    single(`uid-${plant('uid')}`, '07', { SUMMARY: 'Uid' }),
    series('rule', { SUMMARY: `Weekly ${plant('series')} round` }),
    series('ruletold', { SUMMARY: 'Weekly told', DESCRIPTION: `Agenda: ${plant('agenda')}.` }),
    series('rulepeople', {
      SUMMARY: 'Weekly people',
      ORGANIZER: `mailto:${OWNER}`,
      ATTENDEE: `;CN=${plant('regular')}:mailto:regular@example.org`,
    }),
    series('override', { SUMMARY: 'Weekly plain' }),
    changed('override', { SUMMARY: `Plain, but ${plant('override')}` }),
    series('extra', { SUMMARY: 'Weekly extra' }),
    series(`seriesuid-${plant('seriesuid')}`, { SUMMARY: 'Weekly uid' }),
  ]
  writeFileSync(join(dir, 'work.ics'), vcalendar('X-WR-CALNAME:Work', ...work))
  const other = [single('other', '08', { SUMMARY: 'Of another calendar' }), series('otherrule', { SUMMARY: 'Of another, weekly' })]
  writeFileSync(join(dir, 'other.ics'), vcalendar(`X-WR-CALNAME:${plant('calendar')}`, ...other))
}

function plantCards(folder: string, plant: Plant): void {
  const dir = join(folder, 'people', plant('path'))
  mkdirSync(dir, { recursive: true })
  const card = (name: string, reached: string) => `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${name}\r\n${reached}\r\nEND:VCARD\r\n`
  writeFileSync(
    join(dir, 'people.vcf'),
    [
      card('Sarah Chen', 'TEL:+1 415 555 2671'),
      card(`${plant('card')} Doe`, 'EMAIL:doe@example.org'),
      card('Roe', `EMAIL:${plant('cardaddress')}@example.org`),
    ].join(''),
  )
}
