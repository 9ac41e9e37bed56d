/** What every capture holds to, whatever its format: asked of all of them, through the real runner into a real ledger. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listSessions } from '../../src/browse/sessions.ts'
import { resolvePaths } from '../../src/config/paths.ts'
import { type Config, configSchema } from '../../src/config/schema.ts'
import { HARNESS_SOURCES, PERSONAL_SOURCES, PLANNED_SOURCES } from '../../src/config/source-names.ts'
import { isTooDeep } from '../../src/core/nesting.ts'
import type { Adapter } from '../../src/ingest/adapter.ts'
import { builtInAdapters } from '../../src/ingest/adapters.ts'
import { syncSources } from '../../src/ingest/sync.ts'
import type { SyncReport } from '../../src/ingest/sync-report.ts'
import type { Store } from '../../src/store/store.ts'
import { EVENT_SOURCES } from '../helpers/event-sources/all.ts'
import type { Exchange, SampleSource } from '../helpers/sample-source.ts'
import { SAMPLE_SOURCES } from '../helpers/sources/all.ts'
import { NOON, tempFolder, tempStore } from '../helpers/store.ts'

const DAY = 86_400_000

/** Sources whose records follow one another as they stand in the file, and have no parents or database keys of their own. */
const LINEAR = new Set(['jsonl', 'codex', 'gemini-cli'])

function exchanges(count: number): Exchange[] {
  return Array.from({ length: count }, (_, n) => ({
    prompt: `Question ${n}: which port does the atlas gateway listen on?`,
    answer: `Answer ${n}: it listens on port ${9000 + n}.`,
    at: NOON - 3 * DAY + n * 60_000,
    ...(n % 2 === 0 ? { tool: { name: 'read_file', params: { path: `config-${n}.toml` }, result: `port = ${9000 + n}` } } : {}),
  }))
}

/** A list in a list in a list. */
function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let i = 0; i < depth; i++) value = [value]
  return value
}

/** JSON that no recursive walk survives, with half a character, which sets one going. */
function overflowing(): string {
  return `${'{"a":'.repeat(5000)}"\\ud83d"${'}'.repeat(5000)}`
}

function syncOptions(store: Store) {
  return {
    store,
    clock: () => NOON,
    quietMs: 7_200_000,
    ignore: () => false,
    guard: async () => {},
    afterGroup: async () => {},
  }
}

async function sync(store: Store, adapter: Adapter, path?: string): Promise<SyncReport['totals']> {
  const { totals } = await syncSources({ ...syncOptions(store), adapters: [adapter], ...(path === undefined ? {} : { path }) })
  expect(totals.found).toBe(totals.imported + totals.unchanged + totals.quarantined)
  return totals
}

/** What was said, in order, session by session. */
async function speech(store: Store): Promise<string[]> {
  const rows = await store.read
    .selectFrom('agent_messages')
    .select('content')
    .where('kind', 'in', ['prompt', 'reply'])
    .where('content', '<>', '')
    .orderBy('session_id')
    .orderBy('sequence')
    .execute()
  return rows.map((row) => row.content ?? '')
}

/** Of the turns from the first to the head's, in order. */
async function currentSpeech(store: Store): Promise<string[]> {
  const rows = await store.read
    .selectFrom('agent_messages as m')
    .innerJoin('agent_turns as t', 't.opener_id', 'm.opener_id')
    .select('m.content')
    .where('m.kind', 'in', ['prompt', 'reply'])
    .where('m.content', '<>', '')
    .where('t.status', '<>', 'superseded')
    .orderBy('m.session_id')
    .orderBy('m.sequence')
    .execute()
  return rows.map((row) => row.content ?? '')
}

/** Everything that a ledger says but its clocks and where the source stood. */
async function ledger(store: Store) {
  const sessions = await store.read
    .selectFrom('agent_sessions')
    .select(['id', 'title', 'message_count', 'head_turn_id'])
    .orderBy('id')
    .execute()
  const messages = await store.read
    .selectFrom('agent_messages')
    .select(['id', 'role', 'kind', 'content', 'turn_id', 'parent_id', 'timestamp'])
    .orderBy('id')
    .execute()
  const calls = await store.read
    .selectFrom('agent_tool_calls')
    .select(['id', 'message_id', 'tool_name', 'params_json', 'result_json', 'status'])
    .orderBy('id')
    .execute()
  const turns = await store.read.selectFrom('agent_turns').select(['id', 'parent_turn_id', 'status']).orderBy('id').execute()
  return { sessions, messages, calls, turns }
}

const said = (list: readonly Exchange[]) => list.flatMap(({ prompt, answer }) => [prompt, answer])

it('every capture has a sample', () => {
  const { config, paths } = { config: configSchema.parse({}), paths: resolvePaths({ home: '/nowhere', workspace: '/nowhere' }) }
  expect([...new Set([...SAMPLE_SOURCES, ...EVENT_SOURCES].map(({ name }) => name))].sort()).toEqual(
    builtInAdapters(config as Config, paths)
      .map(({ name }) => name)
      .sort(),
  )
})

it('every source that has a name has an adapter, or is planned', () => {
  const { config, paths } = { config: configSchema.parse({}), paths: resolvePaths({ home: '/nowhere', workspace: '/nowhere' }) }
  const read = builtInAdapters(config as Config, paths).map(({ name }) => name)
  expect([...HARNESS_SOURCES, ...PERSONAL_SOURCES].filter((name) => !read.includes(name))).toEqual(PLANNED_SOURCES)
})

describe.each(SAMPLE_SOURCES.map((source) => [`${source.name} (${source.kind})`, source] as const))('%s', (_, source: SampleSource) => {
  it('gives every prompt and answer in order, with the calls between them and what they gave', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    source.write(folder, 'one', exchanges(4))
    expect(await sync(store, source.adapter(folder))).toMatchObject({ found: 1, imported: 1, skipped_lines: 0, warnings: [] })
    expect(await speech(store)).toEqual(said(exchanges(4)))
    const turns = await store.read.selectFrom('agent_turns').select('query_message_ids').execute()
    expect(turns.map((turn) => (JSON.parse(turn.query_message_ids) as string[]).length)).toEqual([1, 1, 1, 1])
    if (source.noTools) return
    const calls = (await ledger(store)).calls
    expect(calls.map((call) => [call.tool_name, JSON.parse(call.params_json ?? 'null'), call.status]).sort()).toEqual([
      ['read_file', { path: 'config-0.toml' }, 'completed'],
      ['read_file', { path: 'config-2.toml' }, 'completed'],
    ])
    for (const call of calls) expect(call.result_json).toMatch(/port = 900[02]/)
  })

  it('importing twice changes nothing, and an unchanged unit is not opened', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', exchanges(3))
    await sync(store, source.adapter(folder))
    const before = await ledger(store)
    expect(await sync(store, source.adapter(folder))).toMatchObject({ unchanged: 1, imported: 0, bytes_read: 0 })
    utimesSync(path, new Date(NOON), new Date(NOON))
    expect(await sync(store, source.adapter(folder))).toMatchObject({ imported: 1, records: 0 })
    expect(await ledger(store)).toEqual(before)
  })

  it('has the same ids on another machine', async () => {
    const stores = [await tempStore(), await tempStore()]
    for (const store of stores) {
      const folder = join(tempFolder(), 'elsewhere')
      source.write(folder, 'one', exchanges(3))
      await sync(store, source.adapter(folder))
    }
    expect(await ledger(stores[1] as Store)).toEqual(await ledger(stores[0] as Store))
  })

  it('grows step by step to what one reading gives', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    for (const count of [1, 2, 5]) {
      source.write(folder, 'one', exchanges(count))
      await sync(store, source.adapter(folder))
      expect(await speech(store)).toEqual(said(exchanges(count)))
    }
    const [whole, other] = [await tempStore(), tempFolder()]
    source.write(other, 'one', exchanges(5))
    await sync(whole, source.adapter(other))
    expect(await ledger(store)).toEqual(await ledger(whole))
  })

  it('loses nothing when a source shrinks, breaks or vanishes', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', exchanges(5))
    await sync(store, source.adapter(folder))
    source.write(folder, 'one', exchanges(2))
    await sync(store, source.adapter(folder))
    expect((await speech(store)).sort()).toEqual(said(exchanges(5)).sort())
    truncateSync(path, Math.floor(statSync(path).size / 2))
    await sync(store, source.adapter(folder))
    expect((await speech(store)).sort()).toEqual(said(exchanges(5)).sort())
    rmSync(path)
    await sync(store, source.adapter(folder))
    expect((await speech(store)).sort()).toEqual(said(exchanges(5)).sort())
  })

  it.skipIf(!LINEAR.has(source.name))('what follows a part that is changed in the middle stays current, in its order', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    source.write(folder, 'one', exchanges(5))
    await sync(store, source.adapter(folder))
    const changed = exchanges(5).with(2, { ...(exchanges(5)[2] as Exchange), prompt: 'Which one is it?', answer: 'Answer 2: it moved.' })
    source.write(folder, 'one', changed)
    await sync(store, source.adapter(folder))
    expect(await currentSpeech(store)).toEqual(said(changed))
  })

  it('damage in the middle costs one record or sets the unit aside; other units go on', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', exchanges(9))
    const other = source.write(folder, 'two', exchanges(2))
    const bytes = readFileSync(path)
    // A unit that holds all sessions is damaged as a whole: there is no other one to go on with.
    bytes.fill('"', Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 40)
    writeFileSync(path, bytes)
    const report = await sync(store, source.adapter(folder))
    if (source.kind === 'lines') {
      expect(report).toMatchObject({ imported: 2, skipped_lines: 1 })
      expect((await speech(store)).length).toBeGreaterThanOrEqual(2 * 10)
    } else if (report.quarantined > 0) {
      expect(report.warnings.join('\n')).toContain(path)
    }
    if (other !== path) expect(await speech(store)).toEqual(expect.arrayContaining(said(exchanges(2))))
    expect(await sync(store, source.adapter(folder))).toMatchObject({ imported: 0 })
  })

  it.skipIf(source.kind === 'database')('a half-written end waits for the next sync', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', exchanges(3))
    const whole = readFileSync(path)
    writeFileSync(path, whole.subarray(0, whole.length - 30))
    await sync(store, source.adapter(folder))
    const early = await speech(store)
    expect(said(exchanges(3))).toEqual(expect.arrayContaining(early))
    if (source.kind === 'lines') expect(early.length).toBeGreaterThanOrEqual(5)
    writeFileSync(path, whole)
    await sync(store, source.adapter(folder))
    expect(await speech(store)).toEqual(said(exchanges(3)))
  })

  it('keeps every character', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const odd = '👩‍👩‍👧 e\u0301 שלום \u2028 "quoted" \\n {"json": [1]} \t tab \u00a0 𝔘 </user_query_> end'
    const list = [{ prompt: `Look: ${odd}`, answer: `Seen: ${odd}`, at: NOON - DAY }]
    source.write(folder, 'one', list)
    await sync(store, source.adapter(folder))
    expect(await speech(store)).toEqual(said(list))
  })

  it('an empty unit is no error', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', exchanges(1))
    truncateSync(path, 0)
    for (const beside of ['-wal', '-shm']) rmSync(path + beside, { force: true })
    const report = await sync(store, source.adapter(folder))
    expect(report.found).toBe(1)
    expect(await speech(store)).toEqual([])
  })

  it('takes a prompt of two megabytes whole', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const list = [{ prompt: `Read this: ${'lorem ipsum dolor '.repeat(110_000)}end`, answer: 'Read.', at: NOON - DAY }]
    source.write(folder, 'one', list)
    await sync(store, source.adapter(folder))
    const [prompt, answer] = await speech(store)
    expect(prompt?.length).toBe(list[0]?.prompt.length)
    expect(prompt?.endsWith('dolor end')).toBe(true)
    expect(answer).toBe('Read.')
  })

  it('keeps a prompt and a result of five megabytes whole, and their neighbours', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const [first, last] = exchanges(3)
    const large = 'lorem ipsum dolor sit amet, '.repeat(180_000)
    const middle: Exchange = {
      prompt: `Read this: ${large}end`,
      answer: 'Read.',
      at: NOON - 2 * DAY,
      tool: { name: 'read_file', params: { path: 'large.txt' }, result: `${large}port = 9000` },
    }
    const list = [first, middle, { ...last, at: NOON - DAY }] as Exchange[]
    source.write(folder, 'one', list)
    expect(await sync(store, source.adapter(folder))).toMatchObject({ imported: 1, quarantined: 0, skipped_lines: 0 })
    // Compared by length first: a difference of megabytes helps nobody.
    expect((await speech(store)).map((text) => text.length)).toEqual(said(list).map((text) => text.length))
    expect(await speech(store)).toEqual(said(list))
    if (source.noTools) return
    const results = (await ledger(store)).calls.map((call) => call.result_json?.length ?? 0)
    expect(Math.max(...results)).toBeGreaterThan(large.length)
  })

  it('a record nested too deep costs that record, and nothing that is asked of the ledger later fails', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const list = exchanges(5)
    const deep = { ...list[2], tool: { name: 'read_file', params: { path: nested(1500) }, result: 'port = \ud83d' } } as Exchange
    const path = source.write(folder, 'one', [...list.slice(0, 2), deep, ...list.slice(3)])
    source.write(folder, 'two', exchanges(2))
    if (source.kind === 'lines') appendFileSync(path, `${overflowing()}\n`)
    const report = await sync(store, source.adapter(folder))
    // An export is set aside when its only conversation cannot be read.
    expect(report.quarantined).toBe(source.name === 'claude-ai' ? 1 : 0)
    if (source.kind === 'lines') expect(report.warnings.join('\n')).toContain('nested more than 500 deep')
    const heard = await speech(store)
    expect(heard).toEqual(expect.arrayContaining(said(exchanges(2))))
    // A document of a whole conversation is the record there; everywhere else the neighbours of the deep one are kept.
    if (source.name !== 'chatgpt' && source.name !== 'claude-ai') expect(heard).toEqual(expect.arrayContaining(said(list.slice(3))))
    expect((await listSessions(store, {}, { agentId: 'all', timezone: 'UTC', clock: () => NOON })).total).toBeGreaterThan(0)
    for (const { id, params_json, result_json } of (await ledger(store)).calls) {
      expect([id, isTooDeep(params_json ?? ''), isTooDeep(result_json ?? '')]).toEqual([id, false, false])
    }
  })

  it('a file that nests deeper than the stack is set aside, and the others arrive', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', exchanges(2))
    const odd = join(dirname(path), source.kind === 'database' ? 'odd.jsonl' : `odd${extname(path)}`)
    writeFileSync(odd, `${overflowing()}\n`)
    expect(() => source.adapter(folder).recognises(readFileSync(odd), odd)).not.toThrow()
    const { config, paths } = { config: configSchema.parse({}), paths: resolvePaths({ home: '/nowhere', workspace: '/nowhere' }) }
    const { totals } = await syncSources({
      ...syncOptions(store),
      adapters: builtInAdapters(config as Config, paths),
      path: folder,
      byContent: true,
    })
    expect(totals).toMatchObject({ imported: 1 })
    expect(totals.found).toBe(totals.imported + totals.quarantined)
    expect(await speech(store)).toEqual(said(exchanges(2)))
  })

  it('a link back into the tree is not followed twice', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', exchanges(2))
    symlinkSync(dirname(path), join(dirname(path), 'again'))
    expect(await sync(store, source.adapter(folder))).toMatchObject({ found: 1, imported: 1 })
    expect(await speech(store)).toEqual(said(exchanges(2)))
  })

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'a unit without permission is a warning, tried again by the next sync',
    async () => {
      const [store, folder] = [await tempStore(), tempFolder()]
      const path = source.write(folder, 'one', exchanges(2))
      chmodSync(path, 0)
      const report = await sync(store, source.adapter(folder))
      expect(report.warnings.join('\n')).toContain(basename(path))
      chmodSync(path, 0o600)
      await sync(store, source.adapter(folder))
      expect(await speech(store)).toEqual(said(exchanges(2)))
    },
  )

  it('a folder in the place of a file is passed over, or a warning', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', exchanges(2))
    renameSync(path, `${path}.away`)
    mkdirSync(path)
    await sync(store, source.adapter(folder))
    expect(await speech(store)).toEqual([])
  })

  it('another format is set aside with its reason, and not opened again', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', exchanges(1))
    for (const beside of ['-wal', '-shm']) rmSync(path + beside, { force: true })
    writeFileSync(path, Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(4096, 0x9c)]))
    expect(await sync(store, source.adapter(folder))).toMatchObject({ found: 1, quarantined: 1 })
    const [row] = await store.read.selectFrom('quarantine').select(['code', 'path']).execute()
    expect(row?.code).toMatch(/^(NOT_THIS_FORMAT|VALIDATION_ERROR)$/)
    expect(await sync(store, source.adapter(folder))).toMatchObject({ unchanged: 1, bytes_read: 0 })
  })

  it('claims its own files and nobody else’s', async () => {
    for (const other of SAMPLE_SOURCES) {
      const folder = tempFolder()
      const path = other.write(folder, 'one', exchanges(3))
      const head = readFileSync(path).subarray(0, 64 << 10)
      const claims = source.adapter(folder).recognises(head, path)
      expect([other.name, claims]).toEqual([other.name, other.name === source.name])
    }
  })
})
