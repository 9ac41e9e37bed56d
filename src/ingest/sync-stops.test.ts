/** What stops a unit, what stops the run, and what is retried. */
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'
import { NOON, tempFolder, tempStore } from '../../test/helpers/store.ts'
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import type { OnProgress, ProgressEvent } from '../core/progress.ts'
import type { Store } from '../store/store.ts'
import type { Adapter } from './adapter.ts'
import { jsonl } from './capture/jsonl.ts'
import { syncSources } from './sync.ts'

/** A one-message unit that fails while `error` returns one. */
function adapter(error: () => MnemonicError | undefined): Adapter {
  const path = join(tempFolder(), 'one.jsonl')
  writeFileSync(path, 'ten bytes\n')
  return {
    name: 'jsonl',
    defaultPaths: () => [],
    async *discover() {
      yield { path, size: 10, mtimeMs: 1 }
    },
    recognises: () => true,
    async *read() {
      const failed = error()
      if (failed !== undefined) throw failed
      yield { type: 'record', record: { type: 'session', session: 's', firstHash: 'first' } }
      yield {
        type: 'record',
        record: { type: 'message', session: 's', id: 'm', hash: 'h', role: 'user', kind: 'prompt', text: 'hello', trust: 'owner' },
      }
    },
  }
}

const sync = async (store: Store, one: Adapter, onProgress?: OnProgress) => {
  const options = { clock: () => NOON, quietMs: 7_200_000, ignore: () => false, guard: async () => {}, afterGroup: async () => {} }
  return (await syncSources({ store, adapters: [one], ...options, ...given({ onProgress }) })).totals
}

it('what cannot be opened is tried again, though neither its size nor its time changed', async () => {
  const store = await tempStore()
  let error: MnemonicError | undefined = new MnemonicError('SOURCE_UNREADABLE', 'cannot read it: EACCES')
  const one = adapter(() => error)
  expect(await sync(store, one)).toMatchObject({ imported: 0, quarantined: 1 })
  expect(await sync(store, one)).toMatchObject({ imported: 0, unchanged: 1, quarantined: 0 })
  error = undefined
  expect(await sync(store, one)).toMatchObject({ imported: 1, unchanged: 0, records: 1 })
  expect(await store.read.selectFrom('quarantine').select('path').execute()).toEqual([])
})

it('what was set aside and is no longer there needs nobody any more', async () => {
  const store = await tempStore()
  const folder = tempFolder()
  const [bad, worse] = ['bad.jsonl', 'worse.jsonl'].map((name) => join(folder, name)) as [string, string]
  for (const path of [bad, worse]) writeFileSync(path, 'not json\nnot json either\n')
  expect(await sync(store, jsonl({ paths: [folder] }))).toMatchObject({ found: 2, quarantined: 2 })
  rmSync(bad)
  expect(await sync(store, jsonl({ paths: [folder] }))).toMatchObject({ found: 1, unchanged: 1 })
  expect(await store.read.selectFrom('quarantine').select('path').execute()).toEqual([{ path: worse }])
  // A new failure of the same file is news.
  writeFileSync(worse, 'still not json, and longer than before\n')
  expect(await sync(store, jsonl({ paths: [folder] }))).toMatchObject({ found: 1, quarantined: 1 })
})

it('a format that is not ours is not opened again until it changes', async () => {
  const store = await tempStore()
  let opened = 0
  const one = adapter(() => {
    opened += 1
    return new MnemonicError('NOT_THIS_FORMAT', 'not a session file: one.jsonl')
  })
  expect(await sync(store, one)).toMatchObject({ quarantined: 1 })
  expect(await sync(store, one)).toMatchObject({ unchanged: 1, quarantined: 0, warnings: [] })
  expect(opened).toBe(1)
})

it('a database in trouble is no fault of the file: the run stops, and nothing is set aside', async () => {
  const store = await tempStore()
  for (const code of ['STORAGE_ERROR', 'DATABASE_BUSY', 'LEASE_LOST', 'INTERRUPTED'] as const) {
    const one = adapter(() => new MnemonicError(code, 'not the file'))
    await expect(sync(store, one), code).rejects.toMatchObject({ code })
  }
  expect(await store.read.selectFrom('quarantine').select('path').execute()).toEqual([])
  expect(await store.read.selectFrom('sync_state').select('path').execute()).toEqual([])
})

it('stopping a sync does not wait until a long file is read to its end', async () => {
  const home = testHome()
  const line = (n: number) =>
    `${JSON.stringify({ role: 'user', content: `note ${n} ${'x'.repeat(60)}`, timestamp: '2026-02-05T10:30:00Z' })}\n`
  writeFileSync(join(home.logs, 'long.jsonl'), Array.from({ length: 5000 }, (_, n) => line(n)).join(''))
  const mnemonic = await home.open()
  const stop = new AbortController()
  const onProgress = ({ stage }: { stage: string }) => {
    if (stage === 'ingest') stop.abort()
  }
  const run = mnemonic.sync({ path: home.logs, adapters: ['jsonl'], embed: false, onProgress, signal: stop.signal })
  await expect(run).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect((await mnemonic.sql('select count(*) from agent_messages')).rows).toEqual([[0]])
})

it('a session that was read before a sync was stopped is finished by the next, though nothing more comes of it', async () => {
  const store = await tempStore()
  const stop = new AbortController()
  const say = (session: string, n: number) =>
    ({
      type: 'record',
      record: {
        type: 'message',
        session,
        id: `${session}-${n}`,
        hash: 'h',
        role: 'user',
        kind: 'prompt',
        text: `note ${n}`,
        trust: 'owner',
      },
    }) as const
  const open = (session: string) => ({ type: 'record', record: { type: 'session', session, firstHash: session } }) as const
  const two: Adapter = {
    ...adapter(() => undefined),
    async *read(_, since) {
      if (since === undefined) {
        yield open('first')
        for (let n = 0; n < 2000; n += 1) yield say('first', n)
        yield { type: 'checkpoint', offset: 5, carry: undefined } // triggers a batch write
        stop.abort()
      }
      yield open('second')
      yield say('second', 0)
    },
  }
  const options = { clock: () => NOON, quietMs: 7_200_000, ignore: () => false, guard: async () => {}, afterGroup: async () => {} }
  const run = syncSources({ store, adapters: [two], ...options, signal: stop.signal })
  await expect(run).rejects.toMatchObject({ code: 'INTERRUPTED' })
  const heads = () => store.read.selectFrom('agent_sessions').select(['native_id', 'head_turn_id']).orderBy('id').execute()
  expect(await heads()).toEqual([{ native_id: 'first', head_turn_id: null }])
  expect(await sync(store, two)).toMatchObject({ imported: 1, records: 1 })
  expect(await heads()).toEqual([
    { native_id: 'first', head_turn_id: expect.stringContaining('jsonl:first/') },
    { native_id: 'second', head_turn_id: 'jsonl:second/second-0' },
  ])
})

it('a long file says how far it is while it is read', async () => {
  const store = await tempStore()
  const path = join(tempFolder(), 'long.jsonl')
  const line = (n: number) =>
    `${JSON.stringify({ role: 'user', content: `note ${n} ${'x'.repeat(900)}`, timestamp: '2026-02-05T10:30:00Z' })}\n`
  writeFileSync(path, Array.from({ length: 4000 }, (_, n) => line(n)).join(''))
  const plain = jsonl({ paths: [path] })
  const slow: Adapter = {
    ...plain,
    async *read(...asked) {
      let seen = 0
      for await (const item of plain.read(...asked)) {
        yield item
        if (++seen % 2000 === 0) await new Promise((resolve) => setTimeout(resolve, 220))
      }
    },
  }
  const told: ProgressEvent[] = []
  await sync(store, slow, (event) => told.push(event))
  const [first, ...later] = told.filter(({ stage }) => stage === 'ingest')
  expect(first).toEqual({ stage: 'ingest', adapter: 'jsonl', done: 0, total: 1, path })
  expect(later[0]).toMatchObject({
    ...first,
    within: { records: expect.any(Number), bytes: expect.any(Number), size: statSync(path).size },
  })
})
