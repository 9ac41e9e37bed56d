/** What every source of messages between people holds to, whatever its format: asked of all of them, through the real runner into a real ledger. */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Adapter } from '../../src/ingest/adapter.ts'
import { syncSources } from '../../src/ingest/sync.ts'
import type { Store } from '../../src/store/store.ts'
import type { EventSource, SampleMessage } from '../helpers/event-source.ts'
import { EVENT_SOURCES } from '../helpers/event-sources/all.ts'
import { SAMPLE_SOURCES } from '../helpers/sources/all.ts'
import { NOON, tempFolder, tempStore } from '../helpers/store.ts'

const HOUR = 3_600_000

function messages(count: number): SampleMessage[] {
  return Array.from({ length: count }, (_, n) => ({
    key: `m${n}`,
    text: `Message ${n}: see you at ${n} o’clock.`,
    at: NOON - 48 * HOUR + n * HOUR,
  }))
}

async function sync(store: Store, adapter: Adapter) {
  const { totals } = await syncSources({
    ...{ store, adapters: [adapter], clock: () => NOON, quietMs: 7_200_000, ignore: () => false },
    ...{ guard: async () => {}, afterGroup: async () => {} },
  })
  expect(totals.found).toBe(totals.imported + totals.unchanged + totals.quarantined)
  return totals
}

const texts = async (store: Store) =>
  (await store.read.selectFrom('events').select('content').orderBy('timestamp').orderBy('id').execute()).map(({ content }) => content)
const said = (list: readonly SampleMessage[]) => list.map(({ text }) => text)

async function ledger(store: Store) {
  return {
    threads: await store.read.selectFrom('threads').selectAll().orderBy('id').execute(),
    events: await store.read.selectFrom('events').selectAll().orderBy('id').execute(),
    people: await store.read.selectFrom('event_people').selectAll().orderBy('event_id').orderBy('role').orderBy('handle').execute(),
  }
}

describe.each(EVENT_SOURCES.map((source) => [`${source.name} (${source.kind})`, source] as const))('%s', (_, source: EventSource) => {
  it('gives every message once, with its thread, its time and the people in it', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    source.write(folder, 'one', messages(4))
    expect(await sync(store, source.adapter(folder))).toMatchObject({ found: 1, imported: 1, records: 4, skipped_lines: 0, warnings: [] })
    expect(await texts(store)).toEqual(said(messages(4)))
    const { threads, events, people } = await ledger(store)
    expect(events.map(({ timestamp }) => timestamp)).toEqual(messages(4).map(({ at }) => at))
    expect(new Set(events.map(({ thread_id }) => thread_id))).toEqual(new Set(threads.map(({ id }) => id)))
    for (const { id } of events) expect(people.some(({ event_id }) => event_id === id)).toBe(true)
  })

  it('importing twice changes nothing, and an unchanged unit is not opened', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', messages(3))
    await sync(store, source.adapter(folder))
    const before = await ledger(store)
    expect(await sync(store, source.adapter(folder))).toMatchObject({ unchanged: 1, imported: 0, bytes_read: 0 })
    utimesSync(path, new Date(NOON), new Date(NOON))
    expect(await sync(store, source.adapter(folder))).toMatchObject({ records: 0 })
    expect(await ledger(store)).toEqual(before)
  })

  it('has the same ids on another machine, and grows step by step to what one reading gives', async () => {
    const [store, other, folder] = [await tempStore(), await tempStore(), tempFolder()]
    for (const count of [1, 2, 5]) {
      source.write(folder, 'one', messages(count))
      await sync(store, source.adapter(folder))
      expect(await texts(store)).toEqual(said(messages(count)))
    }
    const elsewhere = join(tempFolder(), 'elsewhere')
    source.write(elsewhere, 'another', messages(5))
    await sync(other, source.adapter(elsewhere))
    expect((await ledger(store)).events).toEqual((await ledger(other)).events)
  })

  it('loses nothing when a source shrinks, breaks or vanishes', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', messages(5))
    await sync(store, source.adapter(folder))
    source.write(folder, 'one', messages(2))
    await sync(store, source.adapter(folder))
    truncateSync(path, Math.floor(statSync(path).size / 2))
    await sync(store, source.adapter(folder))
    rmSync(path)
    await sync(store, source.adapter(folder))
    expect(await texts(store)).toEqual(said(messages(5)))
  })

  it.skipIf(source.kind === 'database')('what was cut off is whole after the next sync', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', messages(3))
    const whole = readFileSync(path)
    for (const missing of [20, 120, 300]) {
      writeFileSync(path, whole.subarray(0, whole.length - missing))
      await sync(store, source.adapter(folder))
    }
    writeFileSync(path, whole)
    await sync(store, source.adapter(folder))
    expect(await texts(store)).toEqual(said(messages(3)))
  })

  it('keeps every character', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const odd = '👩‍👩‍👧 e\u0301 שלום "quoted" \\n {"json": [1]} \t tab \u00a0 𝔘 \nFrom here on\n>From there\n.\n--x\nend'
    const list = [{ key: 'odd', text: `Look: ${odd}`, at: NOON - HOUR }]
    source.write(folder, 'one', list)
    await sync(store, source.adapter(folder))
    expect(await texts(store)).toEqual(said(list))
  })

  it('keeps a message of five megabytes whole, and its neighbours', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const [first, middle, last] = messages(3) as [SampleMessage, SampleMessage, SampleMessage]
    const list = [first, { ...middle, text: `Read: ${'lorem ipsum dolor sit amet, '.repeat(180_000)}end` }, last]
    source.write(folder, 'one', list)
    await sync(store, source.adapter(folder))
    expect((await texts(store)).map((text) => text?.length)).toEqual(said(list).map((text) => text.length))
  })

  it('text in <private> never enters the ledger', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    source.write(folder, 'one', [{ key: 'p', text: 'Before. <private>the code is 4711</private> After.', at: NOON - HOUR }])
    await sync(store, source.adapter(folder))
    const all = JSON.stringify(await ledger(store))
    expect(all).toContain('After.')
    expect(all).not.toContain('4711')
  })

  it('an empty unit is no error; a folder in the place of a file neither', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', messages(1))
    truncateSync(path, 0)
    expect((await sync(store, source.adapter(folder))).found).toBe(1)
    renameSync(path, `${path}.away`)
    mkdirSync(path)
    await sync(store, source.adapter(folder))
    expect(await texts(store)).toEqual([])
  })

  it('another format is set aside with its reason, and not opened again', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', messages(1))
    writeFileSync(path, Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(4096, 0x9c)]))
    expect(await sync(store, source.adapter(folder))).toMatchObject({ found: 1, quarantined: 1 })
    const [row] = await store.read.selectFrom('quarantine').select('code').execute()
    expect(row?.code).toMatch(/^(NOT_THIS_FORMAT|VALIDATION_ERROR)$/)
    expect(await sync(store, source.adapter(folder))).toMatchObject({ unchanged: 1, bytes_read: 0 })
  })

  it('a link back into the tree is not followed twice', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const path = source.write(folder, 'one', messages(2))
    symlinkSync(dirname(path), join(dirname(path), 'again'))
    expect(await sync(store, source.adapter(folder))).toMatchObject({ found: 1, imported: 1 })
  })

  it('claims its own files and nobody else’s', async () => {
    for (const other of EVENT_SOURCES) {
      const path = other.write(tempFolder(), 'one', messages(3))
      expect([other.name, await source.adapter('/nowhere').recognises(readFileSync(path).subarray(0, 64 << 10), path)]).toEqual([
        other.name,
        other.name === source.name,
      ])
    }
    for (const other of SAMPLE_SOURCES) {
      const path = other.write(tempFolder(), 'one', [{ prompt: 'Which port?', answer: '9000.', at: NOON }])
      expect([other.name, await source.adapter('/nowhere').recognises(readFileSync(path).subarray(0, 64 << 10), path)]).toEqual([
        other.name,
        false,
      ])
      const own = source.write(tempFolder(), 'one', messages(2))
      expect([other.name, await other.adapter('/nowhere').recognises(readFileSync(own).subarray(0, 64 << 10), own)]).toEqual([
        other.name,
        false,
      ])
    }
  })
})
