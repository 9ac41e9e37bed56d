/**
 * What every engine behind the store port must do, as one suite. `database` names a new, empty database; each call of what it returns opens
 * that database once more, as another process would.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { interruptible } from '../../src/store/interruptible.ts'
import { type LeaseOptions, withLease } from '../../src/store/lease.ts'
import { META, readMeta, readMetas, removeMeta, writeMeta } from '../../src/store/meta.ts'
import type { Store, WriteTx } from '../../src/store/store.ts'
import { requireFile } from '../../src/store/store-file.ts'
import { seedChunks } from '../helpers/seed-chunks.ts'
import { IN_BYTE_ORDER } from '../helpers/store.ts'
import { fileContract } from './store/file.ts'
import { lexicalContract } from './store/lexical.ts'
import { readerContract } from './store/reader.ts'
import { rowsContract } from './store/rows.ts'
import { vectorContract } from './store/vectors.ts'

export type OpenDatabase = () => Promise<Store>

export function storeContract(name: string, database: () => OpenDatabase): void {
  /** Closed when the test ends. */
  async function closing(open: OpenDatabase): Promise<Store> {
    const store = await open()
    onTestFinished(() => store.close())
    return store
  }
  const opened = () => closing(database())
  async function two(): Promise<[Store, Store]> {
    const open = database()
    return [await closing(open), await closing(open)]
  }
  const put = (store: Store, key: string) => store.write(({ db }) => db.insertInto('meta').values({ key, value: '' }).execute())
  const keys = async (store: Store) => (await store.read.selectFrom('meta').select('key').orderBy('key').execute()).map(({ key }) => key)

  describe(`${name}: the schema`, () => {
    it('has the tables and columns of Tables, those that are registered with forgetting', async () => {
      const { TABLES } = await import('../../src/forget/registry.ts')
      const store = await opened()
      const tables = await store.tables()
      expect(tables.map((table) => table.name)).toEqual(Object.keys(TABLES).sort())
      for (const [table, columns] of declaredTables()) {
        expect([...(tables.find((one) => one.name === table)?.columns ?? [])].sort(), table).toEqual(columns)
      }
    })

    it('is brought up to date once, by the first process that opens it', async () => {
      const open = database()
      const first = await closing(open)
      const applied = async () => {
        const rows: unknown[] = []
        for await (const row of first.walk('schema_migrations', ['name', 'applied_at'])) rows.push(row)
        return rows
      }
      const before = await applied()
      expect(before.length).toBeGreaterThan(0)
      await Promise.all([closing(open), closing(open)])
      expect(await applied()).toEqual(before)
    })
  })

  describe(`${name}: transactions`, () => {
    it('are kept when they return, and give what the work gives', async () => {
      const [store, other] = await two()
      expect(await store.write(async ({ db }) => (await db.insertInto('meta').values({ key: 'a', value: '' }).execute()).length)).toBe(1)
      expect(await keys(other)).toEqual(['a'])
    })

    it('are taken back whole when the work throws, and the next goes on', async () => {
      const store = await opened()
      await expect(
        store.write(async ({ db }) => {
          await db.insertInto('meta').values({ key: 'a', value: '' }).execute()
          throw new RangeError('stop')
        }),
      ).rejects.toBeInstanceOf(RangeError)
      await put(store, 'b')
      expect(await keys(store)).toEqual(['b'])
    })

    it('refuse what the schema forbids with STORAGE_ERROR', async () => {
      const store = await opened()
      await put(store, 'a')
      await expect(put(store, 'a')).rejects.toMatchObject({ code: 'STORAGE_ERROR' })
    })

    it('let a part of them fail alone', async () => {
      const store = await opened()
      const add = ({ db }: WriteTx, key: string) => db.insertInto('meta').values({ key, value: '' }).execute()
      await store.write(async (tx) => {
        await add(tx, 'before')
        await expect(
          tx.attempt(async () => {
            await add(tx, 'lost')
            throw new Error('only this')
          }),
        ).rejects.toThrow('only this')
        expect(await tx.attempt(async () => (await add(tx, 'kept')).length)).toBe(1)
        await add(tx, 'after')
      })
      expect(await keys(store)).toEqual(['after', 'before', 'kept'])
    })

    it('of one process run one after the other, in the order of the calls', async () => {
      const store = await opened()
      const order: number[] = []
      await Promise.all(
        [30, 0, 10].map((ms, i) =>
          store.write(async () => {
            await sleep(ms)
            order.push(i)
          }),
        ),
      )
      expect(order).toEqual([0, 1, 2])
    })

    it('are not seen by readers before they are kept, and keep no reader waiting', async () => {
      const [store, other] = await two()
      await put(store, 'old')
      await store.write(async ({ db }) => {
        await db.insertInto('meta').values({ key: 'new', value: '' }).execute()
        expect(await keys(store)).toEqual(['old'])
        expect(await keys(other)).toEqual(['old'])
      })
      expect(await keys(other)).toEqual(['new', 'old'])
    })
  })

  describe(`${name}: waiting for another process that writes`, () => {
    /** Another process holds the write lock until `free` is called. */
    async function locked(): Promise<{ store: Store; free: () => Promise<void> }> {
      const [store, other] = await two()
      let release: () => void = () => undefined
      let begun: () => void = () => undefined
      const isHeld = new Promise<void>((resolve) => (begun = resolve))
      const held = other.write(() => {
        begun()
        return new Promise<void>((resolve) => (release = resolve))
      })
      await isHeld
      return {
        store,
        free: () => {
          release()
          return held
        },
      }
    }

    it('ends when that one is done', async () => {
      const { store, free } = await locked()
      const waits = put(store, 'a')
      await sleep(30)
      expect(await keys(store)).toEqual([])
      await free()
      await waits
      expect(await keys(store)).toEqual(['a'])
    })

    it('ends with DATABASE_BUSY when patience does, and with INTERRUPTED when it is stopped', async () => {
      const { store, free } = await locked()
      const never = async () => expect.unreachable()
      await expect(store.write(never, { patienceMs: 30 })).rejects.toMatchObject({ code: 'DATABASE_BUSY' })
      const stop = new AbortController()
      const waits = interruptible(store, stop.signal).write(never)
      setTimeout(() => stop.abort(), 30)
      await expect(waits).rejects.toMatchObject({ code: 'INTERRUPTED' })
      await free()
    })

    it('a lock that is free is taken also after the signal', async () => {
      const store = await opened()
      const stopped = interruptible(store, AbortSignal.abort())
      await put(stopped, 'a')
      expect(await keys(store)).toEqual(['a'])
    })
  })

  describe(`${name}: leases`, () => {
    const lease = (more: Partial<LeaseOptions> = {}): LeaseOptions => ({
      ...{ name: 'sync', clock: systemClock, ttlMs: 60_000, waitMs: 0 },
      ...more,
    })

    it('have one holder over all processes', async () => {
      const [store, other] = await two()
      await withLease(store, lease(), async () => {
        await expect(withLease(other, lease(), async () => 'never')).rejects.toMatchObject({ code: 'JOB_RUNNING' })
        expect(await withLease(other, lease({ name: 'embed' }), async () => 'another name')).toBe('another name')
      })
      expect(await withLease(other, lease(), async () => 'free again')).toBe('free again')
    })

    it('that ran out are taken over, and the holder before writes nothing beside the new one', async () => {
      const [store, other] = await two()
      let now = systemClock()
      await withLease(store, lease({ clock: () => now }), async (first) => {
        now += 61_000
        await withLease(other, lease({ clock: () => now }), async () => {
          const late = store.write(async (tx) => {
            await first.check(tx)
            await tx.db.insertInto('meta').values({ key: 'late', value: '' }).execute()
          })
          await expect(late).rejects.toMatchObject({ code: 'LEASE_LOST' })
        })
      })
      expect(await keys(store)).toEqual([])
    })
  })

  describe(`${name}: order`, () => {
    it('text is sorted and compared by its bytes: keys, ids, names, and any column without an index', async () => {
      const store = await opened()
      const shuffled = IN_BYTE_ORDER.toSorted((a, b) => a.length - b.length || (a < b ? 1 : -1))
      await store.write(async ({ db }) => {
        for (const [i, text] of shuffled.entries()) {
          await db.insertInto('meta').values({ key: text, value: text }).execute()
          await db
            .insertInto('agent_sessions')
            .values({ id: `s${i}`, source: 'jsonl', native_id: `s${i}`, label: text, project: text })
            .execute()
        }
      })
      expect(await keys(store)).toEqual(IN_BYTE_ORDER)
      const values = await store.read.selectFrom('meta').select('value').orderBy('value', 'desc').execute()
      expect(values.map(({ value }) => value)).toEqual(IN_BYTE_ORDER.toReversed())
      const projects = await store.read.selectFrom('agent_sessions').select('project').orderBy('project').execute()
      expect(projects.map(({ project }) => project)).toEqual(IN_BYTE_ORDER)
      const bounds = await store.read
        .selectFrom('meta')
        .select(({ fn }) => [fn.min('key').as('least'), fn.max('key').as('most')])
        .executeTakeFirst()
      expect(bounds).toEqual({ least: IN_BYTE_ORDER[0], most: IN_BYTE_ORDER.at(-1) })
    })

    it('from one key to the next every row is found once', async () => {
      const store = await opened()
      await store.write(({ db }) =>
        db
          .insertInto('meta')
          .values(IN_BYTE_ORDER.filter((key) => key !== '').map((key) => ({ key, value: '' })))
          .execute(),
      )
      const seen: string[] = ['']
      for (;;) {
        const after = seen.at(-1) as string
        const next = await store.read.selectFrom('meta').select('key').where('key', '>', after).orderBy('key').limit(1).executeTakeFirst()
        if (next === undefined) break
        seen.push(next.key)
      }
      expect(seen).toEqual(IN_BYTE_ORDER)
    })

    it('two texts are equal only when every character is', async () => {
      const store = await opened()
      await put(store, 'Name')
      for (const other of ['name', 'Name ', 'Ｎame']) {
        expect(await store.read.selectFrom('meta').select('key').where('key', '=', other).execute(), other).toEqual([])
      }
    })
  })

  describe(`${name}: single values`, () => {
    it('are read, written over and removed by their keys', async () => {
      const store = await opened()
      expect(await readMeta(store.read, META.backups)).toBeUndefined()
      await store.write(async ({ db }) => {
        await writeMeta(db, META.backups, '1')
        await writeMeta(db, META.backups, '2')
        await writeMeta(db, META.exports, '3')
        expect(await readMeta(db, META.backups)).toBe('2')
      })
      const both = new Map<string, string>([
        [META.backups, '2'],
        [META.exports, '3'],
      ])
      expect(await readMetas(store.read, [META.backups, META.exports, META.replaced])).toEqual(both)
      expect(await store.rows.meta([META.backups, META.exports, META.replaced])).toEqual(both)
      await store.write(({ db }) => removeMeta(db, META.backups))
      expect(await readMeta(store.read, META.backups)).toBeUndefined()
    })
  })

  describe(`${name}: queries as text`, () => {
    it('are run, up to a number of rows', async () => {
      const store = await opened()
      expect(await store.select('select 1 as one union select 2 order by 1', 1)).toEqual({ columns: ['one'], rows: [[1]], truncated: true })
      expect(await store.select('select 1 as one', 1)).toEqual({ columns: ['one'], rows: [[1]], truncated: false })
    })

    it.each([
      'delete from meta',
      "insert into meta values ('a', 'b')",
      'select 1; select 2',
      'attach database "x" as y',
      'pragma journal_mode = delete',
      'nonsense',
      '',
    ])('are refused where they could write, or are no query: %j', async (bad) => {
      const store = await opened()
      await expect(store.select(bad, 10)).rejects.toMatchObject({ code: 'SQL_REFUSED' })
      await expect(store.selectRedacted(bad, { limit: 10, redact: (text) => text })).rejects.toMatchObject({ code: 'SQL_REFUSED' })
    })

    it('of others see texts only after they were redacted, and never the key of the tombstones', async () => {
      const store = await opened()
      await seedChunks(store, [{ user: 'the secret word', title: 'secret title' }])
      await store.write(({ db }) => writeMeta(db, META.tombstoneKey, 'hidden'))
      const redact = (text: string) => text.replaceAll('secret', '***')
      const run = async (sql: string) => (await store.selectRedacted(sql, { limit: 10, redact })).rows
      expect(await run('select title from agent_sessions')).toEqual([['*** title']])
      expect(await run('select upper(said_user), length(said_user) from chunks')).toEqual([['THE *** WORD', 12]])
      expect(await run("select 1 from chunks where said_user like '%secret%'")).toEqual([])
      expect(await run(`select value from meta where key = '${META.tombstoneKey}'`)).toEqual([])
    })
  })

  describe(`${name}: walking a table`, () => {
    it('gives the columns that were asked for, of every row, of tables and views', async () => {
      const store = await opened()
      await seedChunks(store, [{ user: 'one' }, { user: 'two' }])
      const rows: unknown[] = []
      for await (const row of store.walk('chunks', ['said_user', 'session_id'])) rows.push(row)
      expect(rows).toEqual([
        { said_user: 'one', session_id: 'jsonl:session-one' },
        { said_user: 'two', session_id: 'jsonl:session-one' },
      ])
      const odd = async () => {
        for await (const _ of store.walk('meta; drop table meta', ['key'])) expect.unreachable()
      }
      await expect(odd()).rejects.toMatchObject({ code: 'INTERNAL' })
    })
  })

  describe(`${name}: itself`, () => {
    it('says where it is and that it is whole', async () => {
      const store = await opened()
      expect(store.location).not.toBe('')
      const checks = await store.diagnose()
      expect(checks.length).toBeGreaterThan(0)
      expect(checks.filter((check) => !check.ok)).toEqual([])
    })

    it('work that needs a file says so where there is none', async () => {
      const { location, file } = await opened()
      expect(() => requireFile({ location }, 'a backup')).toThrow(expect.objectContaining({ code: 'NOT_SUPPORTED' }))
      if (file !== undefined) expect(requireFile({ location, file }, 'a backup')).toBe(file)
    })
  })

  describe(name, () => {
    rowsContract(opened)
    lexicalContract(opened)
    readerContract(opened)
    vectorContract(opened)
    fileContract(opened)
  })
}

/** Tables and views by name, with their columns in order, as src/store/tables.ts declares them. */
function declaredTables(): [string, string[]][] {
  const source = readFileSync(new URL('../../src/store/tables.ts', import.meta.url), 'utf8')
  const tables = [...source.matchAll(/export interface (\w+)Table \{\n(.*?)\n\}/gs)].map(([, type, body]): [string, string[]] => [
    String(type).replace(/[A-Z]/g, (letter, i) => (i === 0 ? '' : '_') + letter.toLowerCase()),
    [...String(body).matchAll(/^ {2}(\w+):/gm)].map((match) => String(match[1])).sort(),
  ])
  expect(tables.length).toBeGreaterThan(30)
  return tables
}
