import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NOON, tempFolder, tempStore } from '../../test/helpers/store.ts'
import { given } from '../core/given.ts'
import type { Store } from '../store/store.ts'
import type { Adapter } from './adapter.ts'
import { formatDrift, runDrift, unitDrift } from './drift.ts'
import { syncSources } from './sync.ts'

/** Every line names an unknown record. `stop` is called after each. */
function capture(folder: string, { rewritten = false, stop }: { rewritten?: boolean; stop?: (lines: number) => void } = {}): Adapter {
  return {
    name: 'harness',
    rewritten,
    defaultPaths: () => [folder],
    async *discover() {
      for (const name of readdirSync(folder).sort()) {
        const { size, mtimeMs } = statSync(join(folder, name))
        yield { path: join(folder, name), size, mtimeMs }
      }
    },
    recognises: () => false,
    async *read(unit, since) {
      const from = rewritten ? 0 : (since?.offset ?? 0)
      let offset = from
      let lines = 0
      for (const name of readFileSync(unit.path, 'utf8').slice(from).split('\n').filter(Boolean)) {
        stop?.(lines++)
        yield { type: 'unknown', name }
        offset += name.length + 1
        yield { type: 'checkpoint', offset, carry: null }
      }
    },
  }
}

async function sync(store: Store, adapter: Adapter, now = NOON, signal?: AbortSignal) {
  const { totals } = await syncSources({
    store,
    adapters: [adapter],
    clock: () => now,
    quietMs: 1,
    ignore: () => false,
    guard: async () => {},
    afterGroup: async () => {},
    ...given({ signal }),
  })
  return totals
}

const counts = async (store: Store) => (await formatDrift(store)).map(({ name, count, files }) => [name, count, files])

describe('format drift', () => {
  it('is counted by adapter and name over all files', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    writeFileSync(join(folder, 'a'), 'foo\nbar\nfoo\n')
    writeFileSync(join(folder, 'b'), 'foo\n')
    await sync(store, capture(folder))
    expect(await formatDrift(store)).toEqual([
      { adapter: 'harness', name: 'foo', count: 3, files: 2, first_seen: NOON, last_seen: NOON, example_path: join(folder, 'a') },
      { adapter: 'harness', name: 'bar', count: 1, files: 1, first_seen: NOON, last_seen: NOON, example_path: join(folder, 'a') },
    ])
  })

  it('grows with a file, and is not counted twice when the file is read again from its beginning', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    writeFileSync(join(folder, 'a'), 'foo\nfoo\n')
    await sync(store, capture(folder))
    writeFileSync(join(folder, 'a'), 'foo\nfoo\nfoo\n')
    await sync(store, capture(folder), NOON + 1)
    expect(await formatDrift(store)).toMatchObject([{ name: 'foo', count: 3, first_seen: NOON, last_seen: NOON + 1 }])
    writeFileSync(join(folder, 'a'), 'bar\nfoo\nfoo\nfoo\nfoo\n')
    await sync(store, capture(folder), NOON + 2)
    expect(await counts(store)).toEqual([
      ['foo', 4, 1],
      ['bar', 1, 1],
    ])
    writeFileSync(join(folder, 'a'), 'bar\n')
    await sync(store, capture(folder), NOON + 3)
    expect(await counts(store)).toEqual([['bar', 1, 1]])
  })

  it('what is rewritten in place never counts more than one read gave', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    for (const text of ['foo\nfoo\n', 'foo\nfoo\nfoo\n', 'foo\n']) {
      writeFileSync(join(folder, 'a'), text)
      await sync(store, capture(folder, { rewritten: true }))
    }
    expect(await counts(store)).toEqual([['foo', 3, 1]])
  })

  it('a read that was cut off goes on counting where it stopped', async () => {
    const [store, folder] = [await tempStore(), tempFolder()]
    const name = 'x'.repeat(99)
    writeFileSync(join(folder, 'a'), `${name}\n`.repeat(100_000))
    const interrupt = new AbortController()
    const stopping = capture(folder, { stop: (lines) => lines === 90_000 && interrupt.abort() })
    await expect(sync(store, stopping, NOON, interrupt.signal)).rejects.toMatchObject({ code: 'INTERRUPTED' })
    // Batches end every 4 MB: two were stored.
    const [half] = await counts(store)
    expect(half?.[1]).toBeGreaterThan(80_000)
    expect(half?.[1]).toBeLessThan(90_000)
    await sync(store, capture(folder))
    expect(await counts(store)).toEqual([[name, 100_000, 1]])
  })

  it('names are cut, cleaned of secrets, and not without number', async () => {
    const store = await tempStore()
    const drift = unitDrift()
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    drift.note(`type ${token}\n${'y'.repeat(500)}`)
    for (let n = 0; n < 1000; n++) drift.note(`name ${n}`)
    await store.write((tx) => drift.save(tx, { adapter: 'a', path: 'p', now: 1, reading: 'further', isFenced: false }))
    const all = await formatDrift(store)
    expect(all.length).toBe(201)
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(1001)
    expect(all[0]).toMatchObject({ name: '(others)', count: 801 })
    expect(JSON.stringify(all)).not.toContain(token)
    expect(Math.max(...all.map(({ name }) => name.length))).toBeLessThanOrEqual(100)
  })

  it('a run says it in one line a name', () => {
    const run = runDrift()
    run.add('/a', new Map([['foo', 5]]))
    run.add(
      '/b',
      new Map([
        ['foo', 7],
        ['bar', 1],
      ]),
    )
    expect(run.warnings('codex')).toEqual([
      'codex: 12 × unknown record type "foo" in 2 files (first: /a)',
      'codex: 1 × unknown record type "bar" in 1 file (/b)',
    ])
  })
})
