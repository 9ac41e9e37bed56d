/** Every kind of secret that the redactor knows goes through every derivation; no part of one stands in what is derived, in no case and cut into no words. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it, vi } from 'vitest'
import { SHAPE_KINDS } from '../../src/core/redact-kinds.ts'
import { type GeneratedSecret, generatedSecrets } from '../helpers/generated-secrets.ts'
import { saidHome } from '../helpers/said-home.ts'
import { codexSource } from '../helpers/sources/codex.ts'

vi.setConfig({ testTimeout: 900_000 })

const SECRETS = generatedSecrets()
const FOLDER = '/home/dev/atlas'

/** Ledgers hold what was said as it was said; all that leaves them is redacted. What is derived stands beside them. */
const LEDGER: Readonly<Record<string, readonly string[]>> = {
  agent_messages: ['content', 'raw_json', 'metadata_json'],
  agent_tool_calls: ['params_json', 'result_json'],
  agent_compactions: ['summary'],
}

const prompt = ({ text }: GeneratedSecret) =>
  `I prefer ${text} for the database. Let's use ${text} for the broker from now on. We decided to go with ${text}. Never use ${text} in the tests.
TODO: rotate ${text} before the release. Actually it is ${text}, not the old one.
Dana Reed works at ${text}. I work on the project ${text}. Why does ${text} fail in store.ts?`
const answer = ({ text }: GeneratedSecret) =>
  `I decided to use ${text} for it. Decision: the broker uses ${text}. Fixed: the service reads ${text} now.`
/** Sessions of a size that people have: each secret of its own would take minutes. */
const IN_SESSION = 12
const sessions = () =>
  Array.from({ length: Math.ceil(SECRETS.length / IN_SESSION) }, (_, i) => SECRETS.slice(i * IN_SESSION, (i + 1) * IN_SESSION))

const mailOf = (text: string, i: number) =>
  `From 1@x Mon Feb 02 10:00:00 +0000 2026
Message-ID: <m${i}@example.org>
Date: Mon, 2 Feb 2026 10:${String(i % 60).padStart(2, '0')}:00 +0000
From: Eve Miller <eve@example.org>
To: me@example.org
Subject: Re: ${text}

Hello, I prefer ${text} for the pump. We decided to use ${text}. I will send you ${text} by Friday. Eve lives in ${text}.
`

it('the generator makes a secret of every shape', () => {
  expect(SHAPE_KINDS.filter((kind) => !SECRETS.some((secret) => secret.kind === kind))).toEqual([])
})

it('nothing that is derived holds a part of a secret', async () => {
  const memory = await saidHome(
    sessions().map((some, i) => ({
      session: `${i.toString(16).padStart(8, '0')}-1111-4111-8111-111111111111`,
      folder: FOLDER,
      texts: some.flatMap((secret) => [prompt(secret), answer(secret)]),
    })),
  )
  const { home } = memory
  for (const { text } of SECRETS.slice(0, 8)) {
    await memory.remember({ text: `I prefer ${text} for tests`, type: 'preference', by: 'owner' })
    await memory.remember({ text: `the bridge key is ${text}`, type: 'fact', entity: 'Bridge', by: 'owner' } as never)
  }
  codexSource.write(
    home.logs,
    'deeds',
    SECRETS.map(({ text }, i) => ({
      ...{ at: Date.UTC(2026, 1, 9, 10) + i * 60_000, prompt: `Use ${text} now.`, answer: `Committed ${text}.` },
      tool: {
        name: 'shell',
        params: { command: ['bash', '-lc', `git commit -m "Use ${text.replaceAll('"', '')} in the broker" # ${text}`] },
        result: JSON.stringify({
          output: `[main ${(0x1a2b3c4 + i).toString(16)}] Use ${text.replaceAll('"', '')} in the broker\n 1 file changed\n`,
          metadata: { exit_code: 0 },
        }),
      },
    })),
  )
  writeFileSync(join(home.root, 'mail.mbox'), SECRETS.map(({ text }, i) => mailOf(text, i)).join('\n'))
  await memory.sync({ path: home.logs, embed: false })
  await memory.sync({ path: join(home.root, 'mail.mbox'), adapters: ['gmail'], embed: false })
  await memory.analyze()
  await memory.artifacts.publish()
  await memory.safekeeping.export({ dir: join(home.root, 'export') } as never)
  expect(placesOf(home)).toEqual({})

  // As an earlier version left a home: its rules were the same, its redaction knew less.
  const [first] = SECRETS as [GeneratedSecret, ...GeneratedSecret[]]
  const db = new Database(home.database)
  db.pragma('foreign_keys = on')
  db.prepare("update meta set value = 'redact-3' where key = 'redaction_version'").run()
  db.prepare("update events set content = ? where source_adapter = 'derived'").run(`I prefer ${first.text}`)
  db.prepare('insert into decision_terms (event_id, term, is_name) select event_id, ?, 0 from decisions').run(first.pieces[0])
  db.prepare("update agent_sessions set title = ? where title_origin = 'prompt'").run(`Use ${first.text}`)
  db.prepare('update agent_turns set label = ? where label is not null').run(`Use ${first.text}`)
  db.prepare('update facets set value = ?').run(first.text)
  db.prepare('update analysis_runs set output_text = ?').run(first.text)
  db.prepare('insert into discussion_terms (unit, term, shown, salience, is_name) select unit, ?, ?, 1, 0 from discussions').run(
    first.pieces[0],
    first.text,
  )
  db.close()
  const database = { ...home, root: '/nowhere' }
  expect(Object.keys(placesOf(database))).toEqual(
    expect.arrayContaining(['decision_terms.term', 'facets.value', 'agent_turns.label', 'discussion_terms.term', 'agent_sessions.title']),
  )
  await memory.sync({ path: home.logs, embed: false })
  expect(placesOf(database)).toEqual({})
})

/** Places that hold a part of a secret, with its formats. */
function placesOf(home: { readonly root: string; readonly database: string }): Record<string, string[]> {
  const found = new Map<string, Set<string>>()
  const note = (place: string, text: string) => {
    const low = text.toLowerCase()
    for (const { name, pieces } of SECRETS)
      if (pieces.some((piece) => low.includes(piece))) found.set(place, (found.get(place) ?? new Set()).add(name))
  }
  const db = new Database(home.database, { readonly: true })
  const tables = db
    .prepare("select name from sqlite_master where type = 'table' and sql not like 'create virtual%'")
    .pluck()
    .all() as string[]
  for (const table of tables)
    for (const row of db.prepare(`select * from "${table}"`).iterate() as Iterable<Record<string, unknown>>)
      for (const [column, value] of Object.entries(row)) {
        if (
          LEDGER[table]?.includes(column) ||
          (table === 'events' && row.source_adapter !== 'derived') ||
          (table === 'threads' && row.source_adapter !== 'aix-events')
        )
          continue
        if (typeof value === 'string' || Buffer.isBuffer(value))
          note(`${table}.${column}${row.source_adapter ? ` of ${row.source_adapter}` : ''}`, value.toString())
      }
  db.close()
  for (const folder of ['workspace', 'export'])
    for (const file of !existsSync(join(home.root, folder))
      ? []
      : readdirSync(join(home.root, folder), { recursive: true, withFileTypes: true }))
      if (file.isFile()) {
        note(`${folder}: name`, file.name)
        note(`${folder}: ${/\.[a-z]+$/.exec(file.name)?.[0]}`, readFileSync(join(file.parentPath, file.name), 'latin1'))
      }
  return Object.fromEntries([...found].map(([place, names]) => [place, [...names]]))
}
