import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { leftOver } from '../../test/helpers/canaries.ts'
import { canonicalDump } from '../../test/helpers/canonical-dump.ts'
import { fakeEmbedder } from '../../test/helpers/fake-embedder.ts'
import { testHome } from '../../test/helpers/home.ts'
import type { Exchange } from '../../test/helpers/sample-source.ts'
import { claudeCodeSource } from '../../test/helpers/sources/claude-code.ts'
import { jsonlSource } from '../../test/helpers/sources/jsonl.ts'
import { sessionToken } from '../artifacts/format/session-token.ts'
import type { Mnemonic } from '../library/index.ts'
import type { ForgetReport } from './forget.ts'
import type { ForgetRequest } from './request.ts'

const SECRET = 'Project Bluebird-77'
const DAY = 86_400_000
const MARCH = Date.UTC(2026, 2, 1, 9)

const said = (prompt: string, answer: string, at: number): Exchange => ({ prompt, answer, at })

async function world(more: Parameters<ReturnType<typeof testHome>['open']>[0] = {}) {
  const home = testHome()
  const sources = join(home.root, 'sources')
  mkdirSync(sources)
  const first = [
    said('How do tides work?', 'By the pull of the moon on the water.', MARCH),
    said(`What is ${SECRET} about?`, 'It is a plan that nobody should know of, with a budget.', MARCH + 60_000),
    said('And lighthouses?', 'They burn oil from whales in the old days.', MARCH + 120_000),
  ]
  claudeCodeSource.write(sources, 'first', first)
  jsonlSource.write(sources, 'second', [said('Which harbour is deepest?', 'Rotterdam is deep enough for all.', MARCH + 5 * DAY)])
  jsonlSource.write(sources, 'third', [said('Name a sailing knot', 'The bowline never slips.', MARCH + 9 * DAY)])
  const mnemonic = await home.open({ embedder: fakeEmbedder(), ...more })
  await mnemonic.sync({ path: sources, embed: false })
  return { home, sources, mnemonic, roots: [join(home.root, 'home'), join(home.root, 'workspace')] }
}

const run = async (mnemonic: Mnemonic, request: ForgetRequest) => (await mnemonic.forget(request)) as ForgetReport

async function finds(mnemonic: Mnemonic, query: string, text: string): Promise<boolean> {
  return (await mnemonic.search({ query })).results.some(({ content }) => content.includes(text))
}

const kept = ['moon', 'whales', 'Rotterdam', 'bowline']

async function expectFound(mnemonic: Mnemonic, words: readonly string[]): Promise<void> {
  for (const word of words) expect(await finds(mnemonic, word, word), word).toBe(true)
}

describe('by --match', () => {
  it('the message goes, its neighbours stay, and the same source does not bring it back', async () => {
    const { mnemonic, sources, roots } = await world()
    expect(await finds(mnemonic, 'bluebird', 'Bluebird')).toBe(true)
    const report = await run(mnemonic, { match: SECRET.toLowerCase() })
    expect(report).toMatchObject({ status: 'gone', still_held: [], removed: { message: 1 } })
    expect(report.tombstones).toBeGreaterThan(0)
    expect(await finds(mnemonic, 'bluebird', 'Bluebird')).toBe(false)
    expect(await finds(mnemonic, 'budget', 'budget')).toBe(true)
    await expectFound(mnemonic, kept)
    expect(leftOver(roots, [SECRET])).toEqual([])
    claudeCodeSource.write(sources, 'first', [
      said('How do tides work?', 'By the pull of the moon on the water.', MARCH),
      said(`What is ${SECRET} about?`, 'It is a plan that nobody should know of, with a budget.', MARCH + 60_000),
      said('And lighthouses?', 'They burn oil from whales in the old days.', MARCH + 120_000),
      said('And buoys?', 'They float, and ring a bell.', MARCH + 180_000),
    ])
    await mnemonic.sync({ path: sources, embed: false })
    await expectFound(mnemonic, [...kept, 'buoys'])
    expect(leftOver(roots, [SECRET])).toEqual([])
  })

  it.each([
    ['turn', ['moon', 'whales'], ['budget']],
    ['session', ['Rotterdam'], ['budget', 'moon', 'whales']],
  ] as const)('--whole %s widens it', async (whole, stay, go) => {
    const { mnemonic, roots } = await world()
    expect(await run(mnemonic, { match: SECRET, whole })).toMatchObject({ status: 'gone', whole })
    await expectFound(mnemonic, stay)
    for (const word of go) expect(await finds(mnemonic, word, word), word).toBe(false)
    expect(leftOver(roots, [SECRET])).toEqual([])
  })

  it('a message that says it in two lines goes with the title that says it in one', async () => {
    const { mnemonic, sources, roots } = await world()
    jsonlSource.write(sources, 'lines', [said('Tell me of Zephyr\nHarbourplan', 'It is a secret place of mine.', MARCH)])
    await mnemonic.sync({ path: sources, embed: false })
    expect(await run(mnemonic, { match: 'Zephyr Harbourplan' })).toMatchObject({ status: 'gone', removed: { message: 1, title: 1 } })
    expect(leftOver(roots, ['Zephyr Harbourplan', 'Zephyr\nHarbourplan'])).toEqual([])
  })

  it('a second time finds nothing, and proves it again', async () => {
    const { mnemonic } = await world()
    await run(mnemonic, { match: SECRET })
    expect(await run(mnemonic, { match: SECRET })).toMatchObject({ status: 'gone', removed: {}, tombstones: 0, scan: { needles: 3 } })
  })

  it('what an ordinary delete left in the free pages of the file makes it be written anew', async () => {
    const { mnemonic, home, roots } = await world()
    const db = new Database(home.database)
    db.exec('create temp table t (x); pragma secure_delete = off')
    const insert = db.prepare("insert into extraction_cache values (?, 'old', ?)")
    for (let i = 0; i < 50; i += 1) insert.run(`h${i}`, `${'waste '.repeat(600)} zephyr-leftover-${i}`)
    db.exec("delete from extraction_cache where extractor = 'old'")
    db.pragma('wal_checkpoint(truncate)')
    db.close()
    expect(leftOver(roots, ['zephyr-leftover-7'])).not.toEqual([])
    expect(await run(mnemonic, { match: 'zephyr-leftover' })).toMatchObject({ status: 'gone', scan: { database_rewritten: true } })
    expect(leftOver(roots, ['zephyr-leftover'])).toEqual([])
  })

  it('a word that our own tables use is looked for in every value instead', async () => {
    const { mnemonic, sources } = await world()
    jsonlSource.write(sources, 'fourth', [said('Explain the word autoincrement', 'A counter that grows by itself.', MARCH)])
    await mnemonic.sync({ path: sources, embed: false })
    const report = await run(mnemonic, { match: 'autoincrement' })
    expect(report).toMatchObject({ status: 'gone', removed: { message: 1 }, warnings: [expect.stringContaining('own description')] })
    expect(await finds(mnemonic, 'autoincrement', 'autoincrement')).toBe(false)
  })

  it('a word leaves the full-text index too, and no page of it begins with it', async () => {
    const { mnemonic, home } = await world()
    await run(mnemonic, { match: SECRET })
    const db = new Database(home.database, { readonly: true })
    const terms = db.prepare("select term from chunks_vocab where term like 'bluebird%'").all()
    const pages = db.prepare('select block from chunks_fts_data').pluck().all() as Buffer[]
    const starts = db.prepare('select term from chunks_fts_idx').pluck().all() as (Buffer | string)[]
    db.close()
    expect(terms).toEqual([])
    expect([...pages, ...starts].some((bytes) => Buffer.from(bytes).includes('bluebird'))).toBe(false)
  })
})

describe('by what is named', () => {
  it('--session: the session is gone for good, the others stay', async () => {
    const { mnemonic, sources, home, roots } = await world()
    const [session] = (await mnemonic.sessions()).filter(({ source }) => source === 'claude-code')
    const id = session?.session_id ?? ''
    expect(await run(mnemonic, { session: id })).toMatchObject({ status: 'gone', removed: { session: 1, message: 6 } })
    await expect(mnemonic.show(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expectFound(mnemonic, ['Rotterdam', 'bowline'])
    const gone = ['pull of the moon', 'nobody should know', 'whales in the old']
    expect(leftOver(roots, gone)).toEqual([])
    await mnemonic.close()
    rmSync(join(home.root, 'home'), { recursive: true })
    const again = await home.open()
    await again.sync({ path: sources, embed: false })
    await expectFound(again, ['Rotterdam', 'bowline'])
    expect(leftOver(roots, gone)).toEqual([])
    expect((await again.sessions()).map(({ source }) => source)).toEqual(['jsonl', 'jsonl'])
  })

  it('--turn: its messages go, the turns around it are joined', async () => {
    const { mnemonic, roots } = await world()
    const { results } = await mnemonic.search({ query: 'bluebird' })
    expect(await run(mnemonic, { turn: results[0]?.turn_id ?? '' })).toMatchObject({ status: 'gone', removed: { message: 2 } })
    await expectFound(mnemonic, kept)
    expect(leftOver(roots, [SECRET, 'nobody should know of'])).toEqual([])
  })

  it('--before: sessions that were over by then go whole, of others the messages before it', async () => {
    const { mnemonic, roots, sources } = await world()
    jsonlSource.write(sources, 'second', [
      said('Which harbour is deepest?', 'Rotterdam is deep enough for all.', MARCH + 5 * DAY),
      said('And the second?', 'Antwerp comes next in depth.', MARCH + 8 * DAY),
    ])
    await mnemonic.sync({ path: sources, embed: false })
    expect(await run(mnemonic, { before: '2026-03-08T00:00:00Z' })).toMatchObject({ status: 'gone' })
    await expectFound(mnemonic, ['Antwerp', 'bowline'])
    for (const word of ['moon', 'Rotterdam']) expect(await finds(mnemonic, word, word), word).toBe(false)
    expect(leftOver(roots, [SECRET, 'Rotterdam is deep enough'])).toEqual([])
    await mnemonic.sync({ path: sources, embed: false })
    await mnemonic.index.run({ scope: 'all' })
    expect(leftOver(roots, [SECRET, 'Rotterdam is deep enough'])).toEqual([])
  })

  it('--entity: the graph forgets it, with aliases and observations; messages stay', async () => {
    const { mnemonic, home } = await world()
    const db = new Database(home.database)
    db.exec(`insert into entities (id, type, name, created_at, updated_at) values ('e1', 'person', 'Orla Finch', 1, 1), ('e2', 'person', 'Tom', 1, 1);
      insert into entity_aliases (id, entity_id, alias_type, value, normalized, created_at) values ('a1', 'e1', 'email', 'Orla@x.io', 'orla@x.io', 1);
      insert into relationships (id, subject_id, type, object_id, fact, source_type, confidence, created_at, recorded_at, trust)
        values ('r1', 'e1', 'KNOWS', 'e2', 'Orla Finch knows Tom from the rowing club', 'stated', 1, 1, 1, 'owner')`)
    db.close()
    expect(await run(mnemonic, { entity: 'orla@x.io' })).toMatchObject({ status: 'gone', removed: { entity: 1 } })
    const { rows } = await mnemonic.sql(
      'select (select group_concat(id) from entities), (select count(*) from entity_aliases), (select count(*) from relationships)',
    )
    expect(rows).toEqual([['e2', 0, 0]])
    await expectFound(mnemonic, kept)
    await expect(mnemonic.forget({ entity: 'nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

it('a dry run says what would go, and changes no row and no file', async () => {
  const { mnemonic, home, roots } = await world()
  const before = canonicalDump(home.database)
  const files = () =>
    roots
      .flatMap((root) => (statSync(root, { throwIfNoEntry: false }) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : []))
      .sort()
  const listed = files()
  const plan = await mnemonic.planForget({ match: SECRET })
  expect(plan).toMatchObject({ dry_run: true, selector: 'match', would_remove: { message: 1 } })
  expect(plan.sessions).toHaveLength(1)
  expect(canonicalDump(home.database)).toEqual(before)
  expect(files()).toEqual(listed)
  expect((await mnemonic.sql('select count(*) from tombstones')).rows).toEqual([[0]])
})

it('a dry run shows title, date and the words of what goes, redacted and cleaned', async () => {
  const { mnemonic, sources } = await world()
  const key = 'sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789'
  jsonlSource.write(sources, 'fourth', [
    said('Plan the \u001b[1mvoyage\u001b[0m', `${'Long ago. '.repeat(30)}The ${SECRET} key is ${key}, keep it.`, MARCH + 60_000),
  ])
  await mnemonic.sync({ path: sources, embed: false })
  const { records } = await mnemonic.planForget({ match: SECRET })
  expect(records.filter(({ kind }) => kind === 'message')).toHaveLength(2)
  const found = records.find(({ text }) => text.includes('key is'))
  expect(found).toMatchObject({ kind: 'message', session_id: 'jsonl:fourth', timestamp: expect.stringMatching(/^2026-03-01T09:/) })
  expect(Object.keys(found ?? {}).sort()).toEqual(['kind', 'session_id', 'text', 'timestamp', 'title'])
  expect(found?.title).toContain('voyage')
  expect(found?.text).toMatch(/^….*Project Bluebird-77 key is/)
  expect(found?.text.length).toBeLessThan(200)
  expect(JSON.stringify(records)).not.toMatch(/AbCdEf|\\u001b/)
  const whole = await mnemonic.planForget({ session: 'jsonl:fourth' })
  expect(whole.records).toMatchObject([{ kind: 'session', session_id: 'jsonl:fourth', title: expect.stringContaining('voyage') }])
})

it('a document of the owner stays as it is, leaves the index, and is named', async () => {
  const { mnemonic, home, sources } = await world()
  const note = join(home.root, 'workspace', 'notes.md')
  mkdirSync(join(home.root, 'workspace'), { recursive: true })
  const text = `# Plans\n\nAll about ${SECRET} and its people, written by hand.\n`
  writeFileSync(note, text)
  await mnemonic.sync({ embed: false })
  expect((await mnemonic.memorySearch({ query: 'people written by hand' })).results.length).toBeGreaterThan(0)
  const report = await run(mnemonic, { match: SECRET })
  expect(report).toMatchObject({ status: 'still_held', still_held: [{ path: note, owner: 'other' }] })
  expect(readFileSync(note, 'utf8')).toBe(text)
  const indexed = async () => (await mnemonic.sql("select count(*) from chunks where source = 'memory'")).rows
  expect(await indexed()).toEqual([[0]])
  await mnemonic.sync({ embed: false })
  await mnemonic.index.run({ scope: 'all' })
  expect(await indexed()).toEqual([[0]])
  expect(leftOver([join(home.root, 'home')], [SECRET])).toEqual([])
  await mnemonic.sync({ path: sources, embed: false })
})

it('receipt, tombstones and log of jobs are for the owner alone, and say nothing of the text', async () => {
  const { mnemonic, home } = await world()
  const report = await run(mnemonic, { match: SECRET, reason: 'asked by Ann' })
  const files = [
    report.receipt_path,
    report.receipt_path.replace('.json', '.md'),
    join(home.root, 'workspace', 'memory', 'tombstones.jsonl'),
  ]
  for (const file of files) {
    expect(statSync(file).mode & 0o777, file).toBe(0o600)
    expect(readFileSync(file, 'utf8').toLowerCase(), file).not.toContain('bluebird')
  }
  const receipt = JSON.parse(readFileSync(report.receipt_path, 'utf8')) as ForgetReport
  expect(receipt).toMatchObject({ selector: 'match', status: 'gone', reason: 'asked by Ann', scan: { unreadable: [] } })
  expect(receipt.scan.files).toBeGreaterThan(2)
  expect(JSON.stringify((await mnemonic.sql('select * from tombstones')).rows)).not.toContain('claude-code:')
})

it.each(['match', 'session'] as const)(
  'tombstones name the session by its token, and the published files that went, the manifest among them (--%s)',
  async (selector) => {
    const { mnemonic, home } = await world()
    await mnemonic.artifacts.publish()
    const [session] = (await mnemonic.sessions()).filter(({ source }) => source === 'claude-code')
    const id = session?.session_id ?? ''
    const published = readdirSync(join(home.root, 'workspace', 'memory')).map((name) => `memory/${name}`)
    const token = sessionToken({ agentId: 'main', sessionKey: null, sessionId: id })
    const files = published.filter((path) => path.includes(token)).sort()
    expect(files.map((path) => path.split('--')[2])).toEqual(['manifest.md', 'summary.md', 'transcript.md'])
    await run(mnemonic, selector === 'match' ? { match: SECRET } : { session: id })
    const lines = readFileSync(join(home.root, 'workspace', 'memory', 'tombstones.jsonl'), 'utf8')
      .trim()
      .split('\n')
    const stones = lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>])).filter(({ kind }) => kind)
    const whole = stones.filter(({ kind }) => kind === 'artifact' || kind === 'session')
    expect(whole.length).toBeGreaterThanOrEqual(2)
    for (const stone of whole) {
      expect(stone).toMatchObject({
        agent_id: 'main',
        session_token: token,
        reason: 'owner',
        removed_paths: files,
        removed_at: expect.any(Number),
      })
    }
    if (selector === 'match')
      expect(stones.find(({ kind }) => kind === 'message')).toMatchObject({ session_token: token, removed_paths: [] })
    const { rows } = await mnemonic.sql("select distinct removed_paths from tombstones where kind = 'artifact'")
    expect(rows).toEqual([[JSON.stringify(files)]])
  },
)

it('a copy of the database is cleaned by the same protocol; one that cannot be is named', async () => {
  const { mnemonic, home } = await world()
  const [copy, broken] = [join(home.root, 'copies', 'backup.db'), join(home.root, 'copies', 'broken.db')]
  mkdirSync(join(home.root, 'copies'))
  const db = new Database(home.database)
  db.exec(`vacuum into '${copy}'`)
  const note = db.prepare("insert into meta values ('backups', ?) on conflict (key) do update set value = excluded.value")
  note.run(JSON.stringify([copy]))
  expect(leftOver([join(home.root, 'copies')], [SECRET])).not.toEqual([])
  expect(await run(mnemonic, { match: SECRET })).toMatchObject({ status: 'gone', backups: [{ path: copy, status: 'clean' }] })
  expect(leftOver([join(home.root, 'copies')], [SECRET])).toEqual([])
  const kept = new Database(copy, { readonly: true })
  expect(kept.prepare('select count(*) from agent_messages').pluck().get()).toBe(9)
  kept.close()
  writeFileSync(broken, `no database, but it holds ${SECRET}`)
  note.run(JSON.stringify([copy, broken]))
  db.close()
  expect(await run(mnemonic, { match: SECRET })).toMatchObject({
    status: 'still_held',
    still_held: [{ path: broken, owner: 'backup' }],
    backups: [{ status: 'clean' }, { status: 'failed' }],
  })
})

it.each(['match', 'session'] as const)('of what was published nothing is left in backups and exports (--%s)', async (selector) => {
  const { mnemonic, home, sources } = await world()
  // Not in the last message: the republished set then reuses the first one's names.
  claudeCodeSource.write(sources, 'titled', [
    said(`Where is ${SECRET} kept?`, `In the harbour, says ${SECRET}, and nobody looks there.`, MARCH),
    said('And lighthouses?', 'They burn oil from whales in the old days.', MARCH + 120_000),
  ])
  await mnemonic.sync({ path: sources, embed: false })
  await mnemonic.artifacts.publish()
  const copies = join(home.root, 'copies')
  mkdirSync(copies)
  await mnemonic.safekeeping.backup(join(copies, 'backup.db'))
  await mnemonic.safekeeping.export({ dir: join(copies, 'export') })
  expect(leftOver([copies], [SECRET]).length).toBeGreaterThan(2)
  const db = new Database(home.database, { readonly: true })
  const holding = db.prepare('select distinct session_id from agent_messages where instr(content, ?)').pluck().all(SECRET) as string[]
  db.close()
  expect(holding).toHaveLength(2)
  const requests = selector === 'match' ? [{ match: SECRET }] : holding.map((session) => ({ session }))
  for (const request of requests) {
    expect(await run(mnemonic, request)).toMatchObject({ status: 'gone', backups: [{ status: 'clean' }] })
  }
  expect(leftOver([copies], [SECRET])).toEqual([])
})

it('a reason that was given before, and a path in an earlier receipt, go too', async () => {
  const { mnemonic, home, roots } = await world()
  const note = join(home.root, 'workspace', 'Kestrelplan.txt')
  mkdirSync(join(home.root, 'workspace'), { recursive: true })
  writeFileSync(note, 'whales')
  expect(await run(mnemonic, { match: 'whales', reason: 'the Kestrelplan' })).toMatchObject({ still_held: [{ path: note }] })
  rmSync(note)
  expect(leftOver(roots, ['Kestrelplan']).length).toBeGreaterThan(2)
  expect(await run(mnemonic, { match: 'kestrelplan' })).toMatchObject({ status: 'gone' })
  expect(leftOver(roots, ['Kestrelplan'])).toEqual([])
})

it('an export that holds it is named, also when its name does, and the list of copies keeps the others', async () => {
  const { mnemonic, home } = await world()
  const [other, named] = [join(home.root, 'exported'), join(home.root, `export of ${SECRET}`)]
  for (const folder of [other, named]) {
    mkdirSync(folder)
    writeFileSync(join(folder, 'all.jsonl'), JSON.stringify({ text: `about ${SECRET}` }))
  }
  const db = new Database(home.database)
  db.prepare("insert into meta values ('exports', ?)").run(JSON.stringify([named, other]))
  db.close()
  const report = await run(mnemonic, { match: SECRET })
  expect(report).toMatchObject({
    status: 'still_held',
    still_held: expect.arrayContaining([{ path: join(other, 'all.jsonl'), owner: 'export' }]),
  })
  expect(report.still_held).toHaveLength(2)
  expect(JSON.stringify(report)).not.toContain('Bluebird')
  expect((await mnemonic.sql("select value from meta where key = 'exports'")).rows).toEqual([[JSON.stringify([other])]])
})

it('an older copy of the database put in its place is cleaned before anything is read', async () => {
  const { mnemonic, home, roots } = await world()
  const copy = join(home.root, 'older.db')
  const db = new Database(home.database)
  db.exec(`vacuum into '${copy}'`)
  db.close()
  await run(mnemonic, { match: SECRET })
  await mnemonic.close()
  for (const end of ['-wal', '-shm']) rmSync(`${home.database}${end}`, { force: true })
  copyFileSync(copy, home.database)
  const again = await home.open()
  expect(await finds(again, 'bluebird', 'Bluebird')).toBe(false)
  await expectFound(again, kept)
  expect(leftOver(roots, [SECRET])).toEqual([])
  expect(await again.resumeForgetting()).toBeUndefined()
})

describe('whatever reads an older copy of the database first finds it cleaned:', () => {
  const doors: Readonly<Record<string, (mnemonic: Mnemonic, out: string) => Promise<unknown>>> = {
    sql: (mnemonic) => mnemonic.sql('select content from agent_messages'),
    export: (mnemonic, out) => mnemonic.safekeeping.export({ dir: out }),
    backup: (mnemonic, out) => mnemonic.safekeeping.backup(join(out, 'copy.db')),
    embed: (mnemonic) => mnemonic.embedding.run(),
  }
  it.each(Object.keys(doors))('%s', async (door) => {
    const { mnemonic, home, roots } = await world()
    const copy = join(home.root, 'older.db')
    const out = join(home.root, 'out')
    mkdirSync(out)
    const db = new Database(home.database)
    db.exec(`vacuum into '${copy}'`)
    db.close()
    await run(mnemonic, { match: SECRET })
    await mnemonic.close()
    for (const end of ['-wal', '-shm']) rmSync(`${home.database}${end}`, { force: true })
    copyFileSync(copy, home.database)
    const again = await home.open({ embedder: fakeEmbedder() })
    expect(JSON.stringify(await doors[door]?.(again, out))).not.toContain('Bluebird')
    expect(leftOver([...roots, out], [SECRET])).toEqual([])
  })
})

it('chunks whose text stays keep their vectors', async () => {
  const { mnemonic, home } = await world()
  await mnemonic.embedding.run()
  const count = (sql: string) => {
    const db = new Database(home.database, { readonly: true })
    const rows = db.prepare(sql).all()
    db.close()
    return rows.length
  }
  const [chunks, vectors] = [count('select id from chunks'), count('select id from embeddings')]
  expect(count("select id from chunks where embed_status = 'done'")).toBe(chunks)
  await run(mnemonic, { match: 'whales' })
  const waiting = count("select id from chunks where embed_status <> 'done'")
  expect(waiting).toBeLessThanOrEqual(1)
  expect(count('select id from embeddings')).toBe(vectors - 1)
})

it('no vector of a text is stored that was forgotten while it was computed', async () => {
  let forgetIt: (() => Promise<unknown>) | undefined
  const embedder = fakeEmbedder({ before: async () => void (await forgetIt?.()) })
  const { mnemonic } = await world({ embedder })
  forgetIt = async () => {
    forgetIt = undefined
    await run(mnemonic, { match: SECRET, whole: 'session' })
  }
  await mnemonic.embedding.run()
  const { rows } = await mnemonic.sql('select count(*), (select count(*) from chunks), (select count(*) from chunk_signs) from embeddings')
  expect(rows).toEqual([[2, 2, 2]])
})

it('a wrong request is refused without naming the text', async () => {
  const { mnemonic } = await world()
  for (const [request, why] of [
    [{}, 'in one way'],
    [{ match: 'abcd', session: 'b' }, 'in one way'],
    [{ match: 'abc' }, 'at least 4'],
    [{ session: '  ' }, 'empty'],
    [{ session: 'abcdef', whole: 'turn' }, 'match only'],
    [{ match: SECRET, reason: `about ${SECRET.toUpperCase()}` }, 'holds the text'],
  ] as const) {
    const error = await mnemonic.forget(request as ForgetRequest).catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ code: 'USAGE', message: expect.stringContaining(why) })
    expect(JSON.stringify(error)).not.toMatch(/bluebird/i)
  }
})

it('a fork that tells forgotten messages again does not bring them back', async () => {
  const { mnemonic, sources, roots } = await world()
  const [session] = (await mnemonic.sessions()).filter(({ source }) => source === 'claude-code')
  await run(mnemonic, { session: session?.session_id ?? '' })
  const [file] = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.includes('first') || /[0-9a-f-]{36}\.jsonl$/.test(name),
  )
  const fork = '99999999-aaaa-4bbb-8ccc-dddddddddddd'
  const lines = readFileSync(join(sources, file ?? ''), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const last = lines.at(-1)?.uuid
  const more = {
    ...lines[0],
    sessionId: fork,
    uuid: `${fork}-1`,
    parentUuid: last,
    message: { role: 'user', content: 'A new thought on anchors' },
  }
  const told = [...lines.map((line) => ({ ...line, sessionId: fork })), more]
  writeFileSync(join(sources, `${fork}.jsonl`), `${told.map((line) => JSON.stringify(line)).join('\n')}\n`)
  await mnemonic.sync({ path: sources, embed: false })
  await expectFound(mnemonic, ['anchors', 'Rotterdam'])
  expect(leftOver(roots, [SECRET, 'pull of the moon', 'nobody should know'])).toEqual([])
})

describe('what was not named stays', () => {
  const lines = (session: string, ...texts: string[]) =>
    texts.map((content, i) =>
      JSON.stringify({
        ...{ id: String(i), session_id: session, role: i % 2 === 0 ? 'user' : 'assistant', content },
        timestamp: new Date(MARCH + i * 60_000).toISOString(),
      }),
    )
  const contents = async (mnemonic: Mnemonic, home: ReturnType<typeof testHome>) => {
    await mnemonic.status()
    const db = new Database(home.database, { readonly: true })
    const rows = db.prepare('select content from agent_messages order by session_id, sequence').pluck().all() as string[]
    db.close()
    return rows
  }
  async function counted() {
    const home = testHome()
    const sources = join(home.root, 'sources')
    mkdirSync(sources)
    const write = (name: string, ...texts: string[]) =>
      writeFileSync(join(sources, `${name}.jsonl`), `${lines(name, ...texts).join('\n')}\n`)
    const mnemonic = await home.open({ embedder: fakeEmbedder() })
    const sync = () => mnemonic.sync({ path: sources, embed: false })
    return { home, sources, write, mnemonic, sync }
  }

  it('a turn goes, and not what others say in the same words or under the same number', async () => {
    const { home, write, mnemonic, sync } = await counted()
    const one = ['continue', 'alpha is first', 'continue', 'beta is second', 'continue', 'gamma is third']
    const two = ['start with this', 'delta is fourth', 'then', 'epsilon is fifth']
    write('one', ...one)
    write('two', ...two)
    await sync()
    const report = await run(mnemonic, { turn: 'jsonl:one/3' })
    expect(report).toMatchObject({ removed: { message: 2 } })
    const left = [...one.slice(0, 2), ...one.slice(4), ...two]
    expect(await contents(mnemonic, home)).toEqual(left)
    write('one', ...one, 'continue', 'zeta is sixth')
    await sync()
    expect(await contents(mnemonic, home)).toEqual([...one.slice(0, 2), ...one.slice(4), 'continue', 'zeta is sixth', ...two])
  })

  it('nothing is called proven where there was nothing to look for', async () => {
    const { write, mnemonic, sync } = await counted()
    write('one', 'yes', 'fine')
    await sync()
    const report = await run(mnemonic, { session: 'jsonl:one' })
    expect(report).toMatchObject({ status: 'removed', scan: { needles: 0, database_rewritten: true } })
  })

  it('a word in the name of a source does not take all of its sessions', async () => {
    const { mnemonic } = await world()
    const report = await run(mnemonic, { match: 'claude' })
    expect(report.removed.session).toBeUndefined()
    expect(report.warnings).toEqual([expect.stringContaining('name of a source')])
    expect(report.still_held.map(({ owner }) => owner)).toEqual(['mnemonic'])
    await expectFound(mnemonic, kept)
  })
})

describe('folders behind links', () => {
  it('a database on another disk is read too', async () => {
    const { mnemonic, home } = await world()
    await mnemonic.close()
    const elsewhere = join(home.root, 'disk')
    mkdirSync(elsewhere)
    renameSync(home.database, join(elsewhere, 'moved.db'))
    symlinkSync(join(elsewhere, 'moved.db'), home.database)
    const again = await home.open({ embedder: fakeEmbedder() })
    const report = await run(again, { match: SECRET })
    expect(report).toMatchObject({ status: 'gone', removed: { message: 1 } })
    expect(report.scan.bytes).toBeGreaterThan(statSync(join(elsewhere, 'moved.db')).size)
    expect(leftOver([elsewhere], [SECRET])).toEqual([])
  })

  it('what it holds and cannot lose is said', async () => {
    const { mnemonic, home } = await world()
    const elsewhere = join(home.root, 'disk')
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, 'notes.txt'), `mine: ${SECRET}`)
    mkdirSync(join(home.root, 'workspace'), { recursive: true })
    symlinkSync(elsewhere, join(home.root, 'workspace', 'memory'))
    const report = await run(mnemonic, { match: SECRET })
    expect(report).toMatchObject({ status: 'still_held', still_held: [{ path: join(elsewhere, 'notes.txt') }] })
  })
})

it('an export in the workspace is no document, and is named when its session goes', async () => {
  const { mnemonic, home, sources, roots } = await world()
  const [session] = (await mnemonic.sessions()).filter(({ source }) => source === 'claude-code')
  const id = session?.session_id ?? ''
  const file = join(home.root, 'workspace', 'talk.md')
  mkdirSync(join(home.root, 'workspace'), { recursive: true })
  await mnemonic.safekeeping.writeSession(id, file)
  await mnemonic.sync({ path: sources, embed: false })
  await mnemonic.sync({ embed: false })
  expect((await mnemonic.sql("select path from documents where kind = 'document'")).rows).toEqual([])
  const report = await run(mnemonic, { session: id })
  expect(report).toMatchObject({ status: 'still_held', still_held: [{ path: file, owner: 'export' }] })
  rmSync(file)
  expect(leftOver(roots, ['pull of the moon', 'nobody should know'])).toEqual([])
})

it('an export that an older version took for a document leaves the index, and a dossier that is another text by now', async () => {
  const { mnemonic, home, roots } = await world()
  const [session] = (await mnemonic.sessions()).filter(({ source }) => source === 'claude-code')
  const workspace = join(home.root, 'workspace')
  const [file, dossier] = [join(workspace, 'talk.md'), join(workspace, 'dossiers', 'tides.md')]
  mkdirSync(join(workspace, 'dossiers'), { recursive: true })
  for (const path of [file, dossier]) writeFileSync(path, '# Tides\n\nBy the pull of the moon on the water.\n')
  await mnemonic.sync({ embed: false })
  expect((await mnemonic.sql("select path from documents where kind = 'document' order by path")).rows).toHaveLength(2)
  const db = new Database(home.database)
  db.prepare("insert into meta values ('exports', ?)").run(JSON.stringify([file]))
  db.close()
  rmSync(dossier)
  const report = await run(mnemonic, { session: session?.session_id ?? '' })
  expect(report.still_held).toEqual([{ path: file, owner: 'export' }])
  rmSync(file)
  expect(leftOver(roots, ['pull of the moon'])).toEqual([])
})
