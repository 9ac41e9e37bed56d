/** Forms of mail: what is read, what is skipped, and memory use. */
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { processorTime } from '../../../test/helpers/processor-time.ts'
import { mboxOf } from '../../../test/helpers/sources/gmail.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import { settleMail } from '../../ledgers/mail/settle-mail.ts'
import type { Store } from '../../store/store.ts'
import { syncSources } from '../sync.ts'
import { gmail } from './gmail.ts'

const OWNER = 'owner@example.com'

async function sync(store: Store, path: string, name = path) {
  const { totals } = await syncSources({
    ...{ store, adapters: [gmail({ owners: [OWNER] })], path: name, clock: () => NOON, quietMs: 7_200_000, ignore: () => false },
    ...{ guard: async () => {}, afterGroup: async () => {} },
  })
  return totals
}

async function eventsOf(store: Store) {
  const rows = await store.read.selectFrom('events').selectAll().orderBy('timestamp').orderBy('id').execute()
  return rows.map((row) => ({ ...row, metadata: JSON.parse(row.metadata_json ?? '{}') as Record<string, unknown> }))
}

/** Reads one mail from its own file. */
async function read(lines: readonly (string | Buffer)[], file = 'one.eml') {
  const [store, folder] = [await tempStore(), tempFolder()]
  const path = join(folder, file)
  writeFileSync(path, Buffer.concat(lines.map((line) => Buffer.concat([Buffer.from(line as string), Buffer.from('\r\n')]))))
  const totals = await sync(store, path)
  return { totals, events: await eventsOf(store), store }
}

const HEAD = [
  'Message-ID: <a@x>',
  'Date: Tue, 3 Feb 2026 10:00:00 +0100',
  'From: Sarah <Sarah@Example.org>',
  `To: Me <${OWNER}>, b@x.org`,
  'Subject: Plan',
]

it('plain text is preferred, HTML becomes text, attachments are listed and not kept', async () => {
  const picture = Buffer.alloc(100_000, 7).toString('base64').replace(/.{76}/g, '$&\r\n')
  const { events } = await read([
    ...HEAD,
    ...['Content-Type: multipart/mixed; boundary="m"', '', '--m', 'Content-Type: multipart/alternative; boundary=a', ''],
    ...[
      '--a',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Plain words.',
      '--a',
      'Content-Type: text/html',
      '',
      '<p>Other words.</p>',
      '--a--',
    ],
    ...['--m', 'Content-Type: image/png; name="=?utf-8?Q?B=C3=A4r=2Epng?="', 'Content-Transfer-Encoding: base64', '', picture],
    ...['--m', 'Content-Type: text/calendar; method=REQUEST', '', 'BEGIN:VCALENDAR', '--m--'],
  ])
  const [event] = events
  expect(event).toMatchObject({ content: 'Plain words.', speaker: 'Sarah', direction: 'received', timestamp: Date.UTC(2026, 1, 3, 9) })
  expect(JSON.parse(event?.content_types ?? '')).toEqual(['text', 'image', 'file'])
  expect(event?.metadata).toMatchObject({ subject: 'Plan', invitations: ['REQUEST'] })
  expect(event?.metadata.attachments).toEqual([
    { name: 'Bär.png', type: 'image/png', size: 100_000 },
    { name: null, type: 'text/calendar', size: 'BEGIN:VCALENDAR\r\n'.length },
  ])
})

it('who puts somebody else’s address in the place of their name speaks under their own', async () => {
  for (const from of ['"sarah@example.org" <evil@example.net>', '=?utf-8?q?sarah=40example.org?= <evil@example.net>']) {
    const { events } = await read([...HEAD.filter((line) => !line.startsWith('From:')), `From: ${from}`, '', 'Pay this.'])
    expect(events[0]).toMatchObject({ speaker: 'evil@example.net', trust: 'untrusted' })
  }
})

it('HTML alone: links as their words, quoted history behind >, styles and pictures gone', async () => {
  const html =
    '<style>p{}</style><p>See <a href="https://x.org">the plan</a>.</p><div class="gmail_quote">On Mon, Feb 2, 2026 at 9:00 AM Me wrote:<blockquote>Where is it?</blockquote></div>'
  const { events } = await read([...HEAD, 'Content-Type: text/html; charset=utf-8', '', html])
  const content = events[0]?.content ?? ''
  expect(content).toContain('See the plan.')
  expect(content).toContain('> Where is it?')
  const own = events[0]?.metadata.own_words as [number, number][]
  expect(own.map(([from, to]) => content.slice(from, to))).toEqual(['See the plan.'])
})

it('HTML that nests without end gives its words, and soon', async () => {
  for (const tag of ['<div>', '<ul><li>', '<table><tr><td>', '<blockquote>', '<tr><td><p><li>', '<dd><p>']) {
    const spent = processorTime()
    const { events } = await read([...HEAD, 'Content-Type: text/html', '', `${tag.repeat(50_000)}deep words`])
    expect(events[0]?.content).toContain('deep words')
    expect(spent()).toBeLessThan(10_000)
  }
})

it('a field of encoded words without end is cut, and its neighbours are read', async () => {
  const spent = processorTime()
  const subject = `Subject: ${'=?utf-8?B?4oKs?= '.repeat(60_000)}`
  const { events } = await read([...HEAD.slice(0, 4), subject, 'Cc: late@example.org', '', 'Words.'])
  expect(events[0]?.content).toBe('Words.')
  expect(JSON.stringify(events[0]?.metadata.subject)).toMatch(/^"€€€/)
  expect(spent()).toBeLessThan(5_000)
})

it('a mail of parts without end is read as far as a person would, and soon', async () => {
  const spent = processorTime()
  const parts = Array.from({ length: 60_000 }, (_, n) => `--b\r\nContent-Type: application/x; name="a${n}.bin"\r\n\r\nAAAA`)
  const { events } = await read([...HEAD, 'Content-Type: multipart/mixed; boundary=b', '', '--b', '', 'Words.', ...parts, '--b--'])
  expect(events[0]?.content).toBe('Words.')
  expect(events[0]?.metadata.attachments).toHaveLength(4_999)
  expect(spent()).toBeLessThan(15_000)
})

it('a text of very many lines is read whole, soon, and what follows it too', async () => {
  const spent = processorTime()
  const text = Array.from({ length: 300_000 }, (_, n) => (n % 3 === 0 ? '' : `line ${n}`))
  const { events } = await read([
    ...HEAD,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    ...text,
    'end',
    '--b',
    '',
    'second',
    '--b--',
  ])
  expect(events[0]?.content).toBe(`${text.join('\n').trim()}\nend\n\nsecond`)
  expect(spent()).toBeLessThan(10_000)
})

it('a field in one line that comes in pieces ends, and the next one counts', async () => {
  const { events, store } = await read([...HEAD.slice(0, 4), `X-Long: ${'from: x@y.z '.repeat(60_000)}`, 'Subject: Short', '', 'Words.'])
  expect(events[0]?.metadata.subject).toBe('Short')
  const people = await store.read.selectFrom('event_people').select(['role', 'handle']).where('role', '=', 'from').execute()
  expect(people).toEqual([{ role: 'from', handle: 'sarah@example.org' }])
})

it('zeros in the text of the first mail cost no mailbox', async () => {
  const path = join(tempFolder(), 'zeros.mbox')
  const sample = (key: string, text: string) => mboxOf([{ key, text, at: NOON }])
  writeFileSync(path, sample('a', `before ${'\0'.repeat(3000)}after`) + sample('b', 'Second.'))
  const store = await tempStore()
  await sync(store, path)
  expect((await eventsOf(store)).map(({ content }) => content)).toEqual(['before after', 'Second.'])
})

it.each([
  [
    'came through servers',
    'from mx.evil.example by mail.example.com with ESMTPS id 1; Tue, 3 Feb 2026 10:00:00 +0100',
    'received',
    'untrusted',
  ],
  [
    'was taken from somebody who sends',
    'from [10.0.0.2] by smtp.example.com with ESMTPSA id 1; Tue, 3 Feb 2026 10:00:00 +0100',
    'sent',
    'owner',
  ],
])('the owner in From proves nothing where the mail %s', async (_, received, direction, trust) => {
  const { events } = await read([
    `Received: ${received}`,
    'Message-ID: <f@x>',
    `From: ${OWNER}`,
    'To: bank@x.org',
    'Subject: Pay',
    '',
    'Pay.',
  ])
  expect(events).toMatchObject([{ direction, trust }])
})

it.each([
  ['windows-1252 that says ISO-8859-1', 'iso-8859-1', Buffer.from([0x93, 0x47, 0x72, 0xfc, 0xdf, 0x65, 0x94]), '“Grüße”'],
  ['windows-1252 that says UTF-8', 'utf-8', Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65]), 'Grüße'],
  ['UTF-8 that says ASCII', 'us-ascii', Buffer.from('Grüße, Zoë'), 'Grüße, Zoë'],
  ['UTF-8 that says ISO-8859-1', 'iso-8859-1', Buffer.from('Grüße'), 'Grüße'],
  ['Korean under its old name', 'ks_c_5601-1987', Buffer.from([0xb0, 0xa1, 0xb3, 0xaa]), '가나'],
  ['Japanese in escapes', 'iso-2022-jp', Buffer.from('\x1b$B$"$$\x1b(B', 'latin1'), 'あい'],
])('%s', async (_, charset, bytes, text) => {
  const { events } = await read([...HEAD, `Content-Type: text/plain; charset=${charset}`, 'Content-Transfer-Encoding: 8bit', '', bytes])
  expect(events[0]?.content).toBe(text)
})

it('headers in raw bytes, encoded words over two lines, names of attachments in RFC 2231', async () => {
  const { events } = await read([
    ...HEAD.slice(0, 3).map((line) => line.replace('Sarah <', '=?UTF-8?B?U8O2?= =?UTF-8?B?cmVu?= <')),
    Buffer.from('Subject: Caf\xe9 um f\xfcnf', 'latin1'),
    ...["Content-Disposition: attachment; filename*0*=utf-8''na%C3%AF; filename*1*=ve.txt", 'Content-Type: text/plain', '', 'x'],
  ])
  expect(events[0]).toMatchObject({ speaker: 'Sören' })
  expect(events[0]?.metadata).toMatchObject({ subject: 'Café um fünf', attachments: [{ name: 'naïve.txt' }] })
})

it('a mail within a mail is read; lines that flow are joined', async () => {
  const { events } = await read([
    ...HEAD,
    ...[
      'Content-Type: multipart/mixed; boundary=m',
      '',
      '--m',
      'Content-Type: text/plain; format=flowed',
      '',
      'One line that ',
      'goes on.',
    ],
    ...['--m', 'Content-Type: message/rfc822', 'Content-Disposition: attachment', '', 'From: Ann <ann@x.org>', 'Subject: Inner', ''],
    ...['The inner words.', '--m--'],
  ])
  expect(events[0]?.content).toContain('One line that goes on.')
  expect(events[0]?.content).toContain('The inner words.')
})

it('spam, trash, drafts and chats are left out and counted, in the language of the account too', async () => {
  const mail = (n: number, labels: string) =>
    `From 1@xxx Tue Feb 03 10:00:0${n} +0000 2026\nX-Gmail-Labels: ${labels}\nMessage-ID: <m${n}@x>\nFrom: a@x.org\nDate: Tue, 3 Feb 2026 10:00:0${n} +0000\nSubject: ${n}\n\nText ${n}.\n\n`
  const labels = ['Inbox,"a, b"', 'Spam', '=?UTF-8?Q?Papierkorb,Wichtig?=', '=?UTF-8?Q?Entw=C3=BCrfe?=', 'Chat', 'Posteingang']
  const { events, totals } = await read([labels.map((label, n) => mail(n, label)).join('')], 'all.mbox')
  expect(events.map(({ metadata }) => metadata.labels)).toEqual([['Inbox', 'a, b'], ['Posteingang']])
  expect(totals.warnings.join()).toContain('left out 1 of spam, 1 in the trash, 1 as drafts, 1 of chats')
})

it('Gmail’s headers count only before those of the servers: a stranger cannot label a mail', async () => {
  const forged = ['X-Gmail-Labels: Sent', 'X-GM-THRID: 17']
  const { events } = await read([
    'Delivered-To: owner@example.com',
    ...forged,
    'Message-ID: <f@x>',
    `From: ${OWNER}`,
    'To: thief@x.org',
    'Date: Tue, 3 Feb 2026 10:00:00 +0000',
    '',
    'Hi',
  ])
  expect(events[0]).toMatchObject({ direction: 'received', trust: 'untrusted', thread_id: 'gmail:f@x' })
  expect(events[0]?.metadata.labels).toBeUndefined()
})

it('the API and a mailbox name the same thread and the same mail; its labels are united', async () => {
  const [store, folder] = [await tempStore(), tempFolder()]
  const [mbox, json] = [join(folder, 'a.mbox'), join(folder, 'b.json')]
  writeFileSync(mbox, mboxOf([{ key: 'k1', text: 'Hello.', at: NOON }]))
  const raw = Buffer.from(
    'Message-ID: <k1@example.org>\r\nFrom: Sarah <sarah@example.org>\r\nDate: Thu, 5 Feb 2026 12:00:00 +0000\r\n\r\nHello.',
  )
  writeFileSync(
    json,
    JSON.stringify({
      id: 'x',
      threadId: BigInt('1779000000000000017').toString(16),
      labelIds: ['STARRED', 'CATEGORY_UPDATES'],
      raw: raw.toString('base64url'),
    }),
  )
  await sync(store, mbox)
  expect(await sync(store, json)).toMatchObject({ records: 0, repeated: 1 })
  const events = await eventsOf(store)
  expect(events).toHaveLength(1)
  expect(events[0]?.metadata.labels).toEqual(['Category Updates', 'Inbox', 'Starred'])
})

it('dates that are wrong or missing: the server’s, then the separator’s, then the file’s', async () => {
  const by = async (...lines: string[]) => (await read(['Message-ID: <a@x>', 'From: a@x.org', 'Subject: s', ...lines, '', 'x'])).events[0]
  expect(await by('Date: 3 Feb 99 10:00 EST')).toMatchObject({ timestamp: Date.UTC(1999, 1, 3, 15) })
  expect((await by('Date: yesterday', 'Received: by x; Tue, 3 Feb 2026 10:00:00 +0000'))?.metadata).toMatchObject({ time_by: 'received' })
  expect((await by())?.metadata).toMatchObject({ time_by: 'file' })
})

it('From in a text begins no mail; one after an empty line and with a weekday does; quoted ones get their beginning back', async () => {
  const text = 'From here on it is mine.\n\nFrom now, Monday, on.\nFrom me Mon\n>From > stays'
  const { events } = await read(
    [
      mboxOf([
        { key: 'a', text, at: NOON },
        { key: 'b', text: 'Second.', at: NOON + 1000 },
      ]),
    ],
    'x.mbox',
  )
  expect(events.map(({ content }) => content)).toEqual([text, 'Second.'])
})

it.each([
  ['with a separator of its own making', 'From eve@evil.example Tue Feb 03 10:00:00 2026', ['X-GM-THRID: 17', 'X-Gmail-Labels: Sent']],
  ['without what Takeout writes', 'From 99@xxx Tue Feb 03 10:00:00 +0000 2026', []],
])('a mail that a stranger hides in a text that is not quoted is none that the owner sent: %s', async (_, separator, own) => {
  const [store, folder] = [await tempStore(), tempFolder()]
  const path = join(folder, 'takeout.mbox')
  const from = (key: string, sender: string, at: number) => mboxOf([{ key, text: 'Words.', at, from: sender }])
  const hidden = [separator, ...own, 'Message-ID: <forged@x>', `From: ${OWNER}`, 'To: eve@evil.example', 'Subject: Yes', '', 'I agree.', '']
  writeFileSync(path, `${from('a', OWNER, NOON)}${from('b', 'eve@evil.example', NOON + 1000)}${hidden.join('\r\n')}\r\n`)
  await sync(store, path)
  // An appended part is checked against the first separator too.
  appendFileSync(path, hidden.join('\r\n').replace('forged@x', 'later@x'))
  await sync(store, path)
  await settleMail(store, { owners: [OWNER], guard: async () => {} })
  const rows = (await eventsOf(store)).map(({ id, direction, trust }) => [id, direction, trust])
  expect(rows.sort()).toEqual([
    ['gmail:a@example.org', 'sent', 'owner'],
    ['gmail:b@example.org', 'received', 'untrusted'],
    ['gmail:forged@x', 'received', 'untrusted'],
    ['gmail:later@x', 'received', 'untrusted'],
  ])
})

it('a mailbox that grew is read from its last mail on; one that was rewritten is read again', async () => {
  const [store, folder] = [await tempStore(), tempFolder()]
  const path = join(folder, 'grow.mbox')
  const many = Array.from({ length: 300 }, (_, n) => ({ key: `g${n}`, text: `Words of mail ${n}. `.repeat(20), at: NOON + n * 1000 }))
  writeFileSync(path, mboxOf(many.slice(0, 299)))
  const first = await sync(store, path)
  appendFileSync(path, mboxOf(many.slice(299)))
  const second = await sync(store, path)
  expect(second).toMatchObject({ records: 1 })
  expect(second.bytes_read).toBeLessThan(first.bytes_read / 10)
  writeFileSync(path, `${mboxOf([{ key: 'new', text: 'First of all.', at: NOON - 1000 }])}${mboxOf(many)}`)
  expect(await sync(store, path)).toMatchObject({ records: 1 })
  expect(await eventsOf(store)).toHaveLength(301)
})

it('an attachment of 80 MB is let go while it streams by, also in one line, and the mail after it is read', async () => {
  const [store, folder] = [await tempStore(), tempFolder()]
  const path = join(folder, 'large.mbox')
  const head = [
    'From 1@x Tue Feb 03 10:00:00 +0000 2026',
    ...HEAD,
    'Content-Type: multipart/mixed; boundary=m',
    '',
    '--m',
    '',
    'See below.',
    '--m',
  ]
  writeFileSync(path, `${[...head, 'Content-Type: application/zip', 'Content-Transfer-Encoding: base64', '', ''].join('\n')}`)
  const line = `${'QUJD'.repeat(19)}\n`.repeat(13_000)
  for (let i = 0; i < 40; i++) appendFileSync(path, line)
  appendFileSync(path, `\n--m\nContent-Type: application/octet-stream\n\n`)
  for (let i = 0; i < 40; i++) appendFileSync(path, 'x'.repeat(1_000_000))
  appendFileSync(path, `\n--m--\n\n${mboxOf([{ key: 'after', text: 'After it.', at: NOON }])}`)
  await sync(store, path)
  const [large, after] = await eventsOf(store)
  expect(large).toMatchObject({ content: 'See below.' })
  expect(large?.metadata.attachments).toMatchObject([{ type: 'application/zip', size: (40 * 13_000 * 76 * 3) / 4 }, { size: 40_000_001 }])
  expect(after?.content).toBe('After it.')
})

it('text of more than a record may hold is skipped and said', async () => {
  const [store, folder] = [await tempStore(), tempFolder()]
  const path = join(folder, 'long.mbox')
  writeFileSync(path, `From 1@x Tue Feb 03 10:00:00 +0000 2026\n${HEAD.join('\n')}\n\n`)
  for (let i = 0; i < 66; i++) appendFileSync(path, `${'word '.repeat(19)}\n`.repeat(11_000))
  appendFileSync(path, `\n${mboxOf([{ key: 'after', text: 'After it.', at: NOON }])}`)
  expect((await sync(store, path)).warnings.join()).toContain('longer than 64 MB')
  expect((await eventsOf(store)).map(({ content }) => content)).toEqual(['After it.'])
})

it.skipIf(process.platform === 'win32')('a pipe is read once from its beginning, and is no unit of a later sync', async () => {
  const [store, folder] = [await tempStore(), tempFolder()]
  const [pipe, file] = [join(folder, 'pipe'), join(folder, 'file.mbox')]
  execFileSync('mkfifo', [pipe])
  const many = Array.from({ length: 50 }, (_, n) => ({ key: `p${n}`, text: `Words of mail ${n}. `.repeat(300), at: NOON + n * 1000 }))
  for (const [count, records] of [
    [30, 30],
    [50, 20],
    [50, 0],
  ] as const) {
    writeFileSync(file, mboxOf(many.slice(0, count)))
    spawn('sh', ['-c', 'cat "$0" > "$1"', file, pipe], { stdio: 'ignore' })
    expect(await sync(store, pipe)).toMatchObject({ found: 1, imported: 1, records })
  }
  const states = await store.read.selectFrom('sync_state').select(['path', 'offset', 'status']).execute()
  expect(states).toEqual([{ path: `pipe:${pipe}`, offset: 0, status: 'done' }])
})
