/**
 * Stories of people with shared or several names, each a home analysed by rules. The owner speaks in sessions, others in mail or messages;
 * contacts are a vCard. A label is every entity with that name in that text. `merged` is the worst mistake.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mnemonic, openMnemonic, type ShownEntity } from 'agent-mnemonic'
import Database from 'better-sqlite3'
import type { Half, Story } from './know-data.ts'
import type { BenchContext } from './run.ts'
import { table } from './table.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')
const DAY = 86_400_000
const ALL = 1000
const OWNER = { name: 'Robin Vale', timezone: 'UTC', emails: ['robin@home.example'], phones: ['+14155550100'] }
const SOURCES = { imessage: { enabled: true }, gmail: { enabled: true }, contacts: { enabled: true } } as const

const WANTED = ['one', 'candidate', 'apart'] as const
type Wanted = (typeof WANTED)[number]
type Made = 'merged' | 'candidates' | 'two' | 'missing'

interface Pair {
  readonly half: Half
  readonly story: string
  readonly wanted: Wanted
  readonly made: Made
}

export async function knowPeople({ root, print }: BenchContext, stories: readonly Story[]): Promise<void> {
  const pairs: Pair[] = []
  for (const story of stories) {
    const at = join(root, 'know', 'people', story.id)
    writeStory(join(at, 'sources'), story)
    const mnemonic = await openMnemonic({
      ...{ home: join(at, 'home'), workspace: join(at, 'workspace'), clock: () => NOW },
      config: { owner: OWNER, sources: SOURCES, embedding: { sync_seconds: 0 } },
    })
    try {
      await mnemonic.sync({ path: join(at, 'sources'), embed: false })
      await mnemonic.analyze()
      pairs.push(...(await judged(mnemonic, story)))
    } finally {
      await mnemonic.close()
    }
  }
  print(found(pairs))
  const open = pairs.filter((pair) => pair.half === 'dev' && !isRight(pair))
  print(`\nnot as wanted, of the dev half: ${open.map(({ story, wanted, made }) => `${story} ${wanted}: ${made}`).join('; ') || 'none'}`)
}

/** `one` accepts candidates, too: the owner decides. */
function isRight({ wanted, made }: Pair): boolean {
  if (wanted === 'one') return made === 'merged' || made === 'candidates'
  return wanted === 'candidate' ? made === 'candidates' : made === 'two' || made === 'candidates'
}

function found(pairs: readonly Pair[]): string {
  const halves = [...new Set(pairs.map(({ half }) => half))]
  const rows = halves.flatMap((half) =>
    WANTED.map((wanted) => {
      const own = pairs.filter((pair) => pair.half === half && pair.wanted === wanted)
      const count = (made: Made) => String(own.filter((pair) => pair.made === made).length)
      return [`${wanted}, ${half}`, String(own.length), String(own.filter(isRight).length), ...MADE.map(count)]
    }),
  )
  return table('Know: who is who, pairs of labels by what they should be', ['', 'pairs', 'right', ...MADE], rows)
}

const MADE: readonly Made[] = ['merged', 'candidates', 'two', 'missing']

async function judged(mnemonic: Mnemonic, story: Story): Promise<Pair[]> {
  const { entities } = await mnemonic.entities.list({ limit: ALL })
  const shown: ShownEntity[] = []
  for (const { id } of entities) shown.push(await mnemonic.entities.show(id, { episodes: ALL }))
  const of = new Map(story.mentions.map((mention) => [mention.label, shown.filter((entity) => isNamed(entity, mention, story))]))
  return WANTED.flatMap((wanted) =>
    story[wanted].map(([a, b]) => ({
      ...{ half: story.half, story: story.id, wanted },
      made: madeOf(of.get(a) ?? [], of.get(b) ?? []),
    })),
  )
}

function madeOf(some: readonly ShownEntity[], others: readonly ShownEntity[]): Made {
  if (some.length === 0 || others.length === 0) return 'missing'
  const ids = new Set(others.map(({ entity }) => entity.id))
  if (some.some(({ entity }) => ids.has(entity.id))) return 'merged'
  const asked = some.flatMap(({ candidates }) => candidates).filter(({ status }) => status === 'proposed')
  return asked.some(({ a, b }) => ids.has(a.id) || ids.has(b.id)) ? 'candidates' : 'two'
}

function isNamed({ entity, aliases, episodes }: ShownEntity, mention: Story['mentions'][number], story: Story): boolean {
  const names = [entity.name, ...aliases.map(({ value }) => value)].map((name) => name.toLowerCase())
  const wanted = mention.name.toLowerCase()
  // Message texts need not name an address: it is found as an alias.
  if (!(names.includes(wanted) || names.includes(wanted.replace(/^@/, '')))) return false
  const day = dayOf(mention.say, story)
  return episodes.some(({ start }) => start.slice(0, 10) === day)
}

/** One day per text identifies its episode. */
function timeOf(say: number, { says }: Story): number {
  return NOW - (says.length - say) * 7 * DAY
}
const dayOf = (say: number, story: Story) => new Date(timeOf(say, story)).toISOString().slice(0, 10)

function writeStory(folder: string, story: Story): void {
  mkdirSync(folder, { recursive: true })
  const texts: { text: string; handle: string; at: number }[] = []
  for (const [i, { text, from, channel }] of story.says.entries()) {
    const at = timeOf(i, story)
    const id = `${story.id}-${i}`
    if (from === undefined) {
      const line = { role: 'user', content: text, timestamp: new Date(at).toISOString(), id, session_id: id }
      writeFileSync(join(folder, `${id}.jsonl`), `${JSON.stringify(line)}\n`)
    } else if (channel === 'gmail') writeFileSync(join(folder, `${id}.mbox`), mail({ id, text, from, at }))
    else texts.push({ text, handle: from, at })
  }
  if (texts.length > 0) writeMessages(join(folder, 'chat.db'), texts)
  const cards = story.cards?.map(({ name, handles }) => vcard(name, handles)) ?? []
  if (cards.length > 0) writeFileSync(join(folder, 'contacts.vcf'), cards.join(''))
}

function mail({ id, text, from, at }: { id: string; text: string; from: string; at: number }): string {
  const number = 1_900_000_000_000_000_000n + BigInt(at)
  return `From ${number}@xxx ${new Date(at).toUTCString()}
X-GM-THRID: ${number}
X-Gmail-Labels: Inbox
Message-ID: <${id}@mail.example>
Date: ${new Date(at).toUTCString()}
From: ${from}
To: ${OWNER.emails[0]}
Subject: Hello
Content-Type: text/plain; charset=utf-8

${text}
`
}

function vcard(name: string, handles: readonly string[]): string {
  const lines = handles.map((handle) => (handle.includes('@') ? `EMAIL:${handle}` : `TEL;TYPE=CELL:${handle}`))
  return ['BEGIN:VCARD', 'VERSION:3.0', `FN:${name}`, ...lines, 'END:VCARD', ''].join('\r\n')
}

/** The columns read from Messages' database. */
const MESSAGES = `
create table handle (ROWID integer primary key, id text not null, service text not null);
create table chat (ROWID integer primary key, guid text unique not null, style integer, chat_identifier text, service_name text, display_name text, group_id text);
create table message (ROWID integer primary key, guid text unique not null, text text, handle_id integer default 0, service text, date integer,
  is_from_me integer default 0, destination_caller_id text, thread_originator_guid text, associated_message_guid text, associated_message_type integer default 0);
create table chat_message_join (chat_id integer, message_id integer, message_date integer, primary key (chat_id, message_id));
create table chat_handle_join (chat_id integer, handle_id integer, unique (chat_id, handle_id));`
const APPLE_EPOCH = Date.parse('2001-01-01T00:00:00Z')

function writeMessages(path: string, texts: readonly { text: string; handle: string; at: number }[]): void {
  const db = new Database(path)
  db.exec(MESSAGES)
  for (const [i, { text, handle, at }] of texts.entries()) {
    const n = i + 1
    const date = BigInt(at - APPLE_EPOCH) * 1_000_000n
    db.prepare('insert into handle values (?, ?, ?)').run(n, handle, 'iMessage')
    db.prepare('insert into chat values (?, ?, 45, ?, ?, null, null)').run(n, `iMessage;-;${handle}`, handle, 'iMessage')
    db.prepare('insert into message (ROWID, guid, text, handle_id, service, date, destination_caller_id) values (?, ?, ?, ?, ?, ?, ?)').run(
      ...[n, `B1-${n}`, text, n, 'iMessage', date, OWNER.phones[0]],
    )
    db.prepare('insert into chat_message_join values (?, ?, ?)').run(n, n, date)
    db.prepare('insert into chat_handle_join values (?, ?)').run(n, n)
  }
  db.close()
}
