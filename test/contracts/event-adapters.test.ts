/** What every adapter of messages, mail and meetings holds to, whatever its format: through the real runner into a real ledger. */
import {
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
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isSqlite } from '../../src/ingest/database-unit.ts'
import type { Store } from '../../src/store/store.ts'
import type { EventSource, Happening } from '../helpers/event-source.ts'
import { runAdapter } from '../helpers/run-adapters.ts'
import { SAMPLE_SOURCES } from '../helpers/sources/all.ts'
import { EVENT_SOURCES } from '../helpers/sources/events.ts'
import { NOON, tempFolder, tempStore } from '../helpers/store.ts'

const DAY = 86_400_000
const SARAH = 'sarah@example.org'

function happenings(count: number): Happening[] {
  return Array.from({ length: count }, (_, n) => ({
    text: `Part ${n}: the launch is at ${9 + n} o'clock`,
    at: NOON - 3 * DAY + n * 60_000,
    ...(n % 2 === 0 ? { from: SARAH } : {}),
  }))
}

const texts = (list: readonly Happening[]) => list.map(({ text }) => text)

async function told(store: Store): Promise<string[]> {
  const rows = await store.read.selectFrom('events').select('content').orderBy('timestamp').orderBy('id').execute()
  return rows.map(({ content }) => content ?? '')
}

/** Everything that the ledger says. */
async function ledger(store: Store) {
  const events = await store.read.selectFrom('events').selectAll().orderBy('id').execute()
  const threads = await store.read.selectFrom('threads').selectAll().orderBy('id').execute()
  const people = await store.read.selectFrom('event_people').selectAll().orderBy('event_id').orderBy('role').orderBy('handle').execute()
  return { events, threads, people }
}

describe.each(EVENT_SOURCES.map((source) => [source.name, source] as const))('%s', (_, source: EventSource) => {
  it('gives every happening with its thread, its people and who sent it', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    source.write(folder, 'one', happenings(4))
    expect(await runAdapter(store, source.adapter(folder))).toMatchObject({
      found: 1,
      imported: 1,
      records: 4,
      skipped_lines: 0,
      warnings: [],
    })
    expect(await told(store)).toEqual(texts(happenings(4)))
    const { events, threads, people } = await ledger(store)
    const known = new Set(threads.map(({ id }) => id))
    for (const event of events) {
      expect([event.id, event.channel, event.agent_id]).toEqual([`${source.name}:${event.source_id}`, source.name, 'main'])
      expect(known).toContain(event.thread_id)
      expect(event.trust).toBe(event.direction === 'sent' ? 'owner' : event.trust)
    }
    expect(people.map(({ handle }) => handle)).toContain(SARAH)
  })

  it('importing twice changes nothing, and an unchanged unit is not opened', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', happenings(3))
    await runAdapter(store, source.adapter(folder))
    const before = await ledger(store)
    expect(await runAdapter(store, source.adapter(folder))).toMatchObject({ unchanged: 1, imported: 0, bytes_read: 0 })
    utimesSync(path, new Date(NOON), new Date(NOON))
    expect(await runAdapter(store, source.adapter(folder))).toMatchObject({ imported: 1, records: 0 })
    expect(await ledger(store)).toEqual(before)
    expect(await runAdapter(store, source.adapter(folder), { reread: true })).toMatchObject({ records: 0 })
    expect(await ledger(store)).toEqual(before)
  })

  it('has the same ids on another machine', async () => {
    const stores = [await tempStore(), await tempStore()]
    for (const store of stores) {
      const folder = join(tempFolder(), 'elsewhere')
      source.write(folder, 'one', happenings(3))
      await runAdapter(store, source.adapter(folder))
    }
    expect(await ledger(stores[1] as Store)).toEqual(await ledger(stores[0] as Store))
  })

  it('grows step by step to what one reading gives', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    for (const count of [1, 2, 5]) {
      source.write(folder, 'one', happenings(count))
      await runAdapter(store, source.adapter(folder))
      expect(await told(store)).toEqual(texts(happenings(count)))
    }
    const [whole, other] = [await tempStore(), tempFolder()]
    source.write(other, 'one', happenings(5))
    await runAdapter(whole, source.adapter(other))
    expect(await ledger(store)).toEqual(await ledger(whole))
  })

  it('loses nothing when a source shrinks, breaks or vanishes', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', happenings(5))
    await runAdapter(store, source.adapter(folder))
    source.write(folder, 'one', happenings(2))
    await runAdapter(store, source.adapter(folder))
    expect(await told(store)).toEqual(texts(happenings(5)))
    truncateSync(path, Math.floor(statSync(path).size / 2))
    await runAdapter(store, source.adapter(folder))
    expect(await told(store)).toEqual(texts(happenings(5)))
    rmSync(path)
    await runAdapter(store, source.adapter(folder))
    expect(await told(store)).toEqual(texts(happenings(5)))
  })

  it('keeps every character, and cuts what is private', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const odd = 'Look: 👩‍👩‍👧 e\u0301 שלום "quoted" \\n {"json": [1]} \u00a0 𝔘 end'
    const list = [
      { text: odd, at: NOON - DAY, from: SARAH },
      { text: 'before <private>the secret</private> after', at: NOON - DAY + 1000, from: SARAH },
    ]
    source.write(folder, 'one', list)
    await runAdapter(store, source.adapter(folder))
    expect(await told(store)).toEqual([odd, 'before  after'])
  })

  it('an empty unit is no error', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', happenings(1))
    truncateSync(path, 0)
    for (const beside of ['-wal', '-shm']) rmSync(path + beside, { force: true })
    await runAdapter(store, source.adapter(folder))
    expect(await told(store)).toEqual([])
  })

  it('takes a text of two megabytes whole', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const long = `Read this: ${'lorem ipsum dolor '.repeat(110_000)}end`
    source.write(folder, 'one', [{ text: long, at: NOON - DAY, from: SARAH }])
    await runAdapter(store, source.adapter(folder))
    expect((await told(store)).map((text) => text.length)).toEqual([long.length])
  })

  it('a link back into the tree is not followed twice', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', happenings(2))
    symlinkSync(dirname(path), join(dirname(path), 'again'))
    expect(await runAdapter(store, source.adapter(folder), { path: folder })).toMatchObject({ found: 1, imported: 1 })
    expect(await told(store)).toEqual(texts(happenings(2)))
  })

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')('a unit without permission is a warning, tried again', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', happenings(2))
    chmodSync(path, 0)
    expect((await runAdapter(store, source.adapter(folder))).warnings.join('\n')).toContain(basename(path))
    chmodSync(path, 0o600)
    await runAdapter(store, source.adapter(folder))
    expect(await told(store)).toEqual(texts(happenings(2)))
  })

  it('a folder in the place of a file is passed over, or a warning', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', happenings(2))
    renameSync(path, `${path}.away`)
    mkdirSync(path)
    await runAdapter(store, source.adapter(folder))
    expect(await told(store)).toEqual([])
  })

  it('another format is set aside with its reason, and not opened again', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', happenings(1))
    for (const beside of ['-wal', '-shm']) rmSync(path + beside, { force: true })
    writeFileSync(path, Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(4096, 0x9c)]))
    expect(await runAdapter(store, source.adapter(folder))).toMatchObject({ found: 1, quarantined: 1 })
    const [row] = await store.read.selectFrom('quarantine').select(['code', 'path']).execute()
    expect(row?.code).toMatch(/^(NOT_THIS_FORMAT|VALIDATION_ERROR)$/)
    expect(await runAdapter(store, source.adapter(folder))).toMatchObject({ unchanged: 1, bytes_read: 0 })
  })

  it('claims its own files and nobody else’s', async () => {
    const own = source.write(tempFolder(), 'one', happenings(3))
    const head = (path: string) => readFileSync(path).subarray(0, 64 << 10)
    expect(isSqlite(head(own))).toBe(source.kind === 'database')
    const exchange = { prompt: 'Which port?', answer: 'Port 9000.', at: NOON - DAY }
    for (const other of SAMPLE_SOURCES) {
      const path = other.write(tempFolder(), 'one', [exchange])
      expect([other.name, await source.adapter('/nowhere').recognises(head(path), path)]).toEqual([other.name, false])
      expect([other.name, await other.adapter('/nowhere').recognises(head(own), own)]).toEqual([other.name, false])
    }
    for (const other of EVENT_SOURCES) {
      const path = other.write(tempFolder(), 'one', happenings(3))
      expect([other.name, await source.adapter('/nowhere').recognises(head(path), path)]).toEqual([other.name, other.name === source.name])
    }
  })
})
