import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DERIVED_SOURCES, HARNESS_SOURCES, PERSONAL_SOURCES } from '../config/source-names.ts'
import { MnemonicError } from '../core/error.ts'
import type { Adapter, SourceUnit } from '../ingest/adapter.ts'
import { openSqlite } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { everySource, listSources } from './sources.ts'

let folder: string
let store: Store

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mnemonic-sources-'))
  store = await openSqlite({ path: join(folder, 'm.db'), clock: () => 1 })
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Its units do not exist: opening one fails. */
function adapter(name: string, units: readonly SourceUnit[], more: Partial<Adapter> = {}): Adapter {
  return {
    name,
    defaultPaths: () => [folder, join(folder, 'missing')],
    async *discover() {
      yield* units
    },
    recognises: () => false,
    read: () => {
      throw new Error('a source was opened')
    },
    ...more,
  }
}

const units: SourceUnit[] = ['same', 'grown', 'touched', 'new', 'cut-off', 'refused'].map((path) => ({ path, size: 10, mtimeMs: 1.5 }))

describe('listSources', () => {
  it('counts units, bytes and paths, and what a sync would read', async () => {
    await store.write((tx) => {
      const row = { adapter: 'a', size: 10, mtime_ms: 1.5, updated_at: 1 }
      return tx.db
        .insertInto('sync_state')
        .values([
          { ...row, path: 'same', status: 'done' },
          { ...row, path: 'grown', status: 'done', size: 9 },
          { ...row, path: 'touched', status: 'done', mtime_ms: 100 },
          { ...row, path: 'cut-off', status: 'reading' },
          { ...row, path: 'refused', status: 'quarantined' },
          { ...row, adapter: 'b', path: 'new', status: 'done' },
        ])
        .execute()
    })
    expect(await listSources([adapter('a', units)], { store, enabled: () => true })).toEqual([
      {
        name: 'a',
        kind: 'harness',
        available: true,
        enabled: true,
        places: [
          { path: folder, exists: true },
          { path: join(folder, 'missing'), exists: false },
        ],
        units: 6,
        bytes: 60,
        waiting: 4,
        oldest_waiting: '1970-01-01T00:00:00.002Z',
        retention: null,
        unknown: [],
        warnings: [],
      },
    ])
  })

  it('says that everything waits before there is a database', async () => {
    const [source] = await listSources([adapter('a', units)], { enabled: () => false })
    expect(source).toMatchObject({ units: 6, waiting: 6, enabled: false })
  })

  it('a source that cannot be listed is a warning, and the others are still listed', async () => {
    const failing = adapter('bad', [], {
      async *discover({ warn }) {
        warn('one folder was skipped')
        yield { path: 'x', size: 1, mtimeMs: 1 }
        throw new MnemonicError('SOURCE_UNREADABLE', 'no permission')
      },
    })
    const [bad, good] = await listSources([failing, adapter('good', units)], { store, enabled: (name) => name === 'good' })
    expect(bad).toMatchObject({ name: 'bad', units: 1, warnings: ['one folder was skipped', 'no permission'], enabled: false })
    expect(good).toMatchObject({ name: 'good', units: 6, warnings: [], enabled: true })
  })

  it('knows every name of the configuration, those that can be read first among their kind', async () => {
    const sources = await everySource([adapter('jsonl', units), adapter('chatgpt', units)], { store, enabled: (name) => name === 'jsonl' })
    const names = sources.map(({ name }) => name)
    expect([...names].sort()).toEqual([...HARNESS_SOURCES, ...PERSONAL_SOURCES, ...DERIVED_SOURCES].sort())
    expect(names[0]).toBe('jsonl')
    const of = (name: string) => sources.find((source) => source.name === name)
    expect(of('jsonl')).toMatchObject({ kind: 'harness', available: true, enabled: true, units: 6 })
    expect(of('codex')).toMatchObject({ kind: 'harness', available: false, units: 0, places: [] })
    expect(of('gmail')).toMatchObject({ kind: 'personal', available: false, enabled: false })
    expect(of('aix-events')).toMatchObject({ kind: 'derived', available: true })
  })

  it('does not look into what is personal before it is on, and says how to switch it on', async () => {
    const looked: string[] = []
    const personal = adapter('chatgpt', units, {
      async *discover() {
        looked.push('chatgpt')
        yield* units
      },
    })
    const [off] = await listSources([personal], { store, enabled: () => false })
    expect(off).toMatchObject({ enabled: false, units: 0, waiting: 0, hint: 'mnemonic sources enable chatgpt' })
    expect(off?.places).toHaveLength(2)
    expect(looked).toEqual([])
    const [on] = await listSources([personal], { store, enabled: () => true })
    expect(on).toMatchObject({ enabled: true, units: 6 })
    expect(on).not.toHaveProperty('hint')
  })

  it('names the kinds of records that nobody knew', async () => {
    const row = { adapter: 'a', name: 'foo', first_seen: 0, last_seen: 1000 }
    await store.write((tx) =>
      tx.db
        .insertInto('format_drift')
        .values([
          { ...row, path: 'q', count: 2 },
          { ...row, path: 'p', count: 3 },
          { ...row, adapter: 'b', path: 'p', count: 9 },
        ])
        .execute(),
    )
    const [source] = await listSources([adapter('a', units)], { store, enabled: () => true })
    const times = { first_seen: '1970-01-01T00:00:00.000Z', last_seen: '1970-01-01T00:00:01.000Z' }
    expect(source?.unknown).toEqual([{ name: 'foo', count: 5, files: 2, ...times, example_path: 'p' }])
  })
})
