/** Custom adapters may return anything: an error stops one unit, and nothing unsafe is stored. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Adapter } from '../ingest/adapter.ts'
import type { EventRecord } from '../ledgers/event-record.ts'
import { openMnemonic } from './open-mnemonic.ts'

const root = mkdtempSync(join(tmpdir(), 'mnemonic-own-'))
const workspace = join(root, 'ws')
mkdirSync(workspace)
writeFileSync(join(workspace, 'note.md'), 'an ordinary note')
afterAll(() => rmSync(root, { recursive: true, force: true }))

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const session = { type: 'session', session: 's', firstHash: hash('s') }
const message = { type: 'message', session: 's', id: 'm', hash: hash('m'), role: 'user', kind: 'prompt', text: 'hello', trust: 'owner' }
const record = (one: unknown) => ({ type: 'record', record: one })

let homes = 0
async function synced(own: object, signal?: AbortSignal) {
  const adapter = {
    ...{ name: 'own', rewritten: true, defaultPaths: () => [], recognises: () => false },
    async *discover() {
      yield { path: '/own/unit', size: 1, mtimeMs: 1 }
    },
    async *read() {},
    ...own,
  } as unknown as Adapter
  homes += 1
  const memory = await openMnemonic({
    ...{ home: join(root, `home-${homes}`), workspace, adapters: [adapter] },
    config: { embedding: { sync_seconds: 0 }, sources: {} },
  })
  const report = await memory.sync({ adapters: ['own', 'memory'], embed: false, ...(signal && { signal }) })
  const of = (name: string) => report.adapters.find((one) => one.name === name)
  return { memory, own: of('own'), documents: of('memory') }
}

const reading = (...items: unknown[]) => ({
  async *read() {
    yield* items
  },
})

it.each([
  ['no object', reading(null)],
  ['an unknown kind', reading({ type: 'banana' })],
  ['an unknown record', reading(record({ type: 'what', session: 's' }))],
  ['a role that is none', reading(record(session), record({ ...message, role: 'king' }))],
  ['a label of trust that is none', reading(record(session), record({ ...message, trust: 'god' }))],
  ['no time', reading(record(session), record({ ...message, timestamp: Number.NaN }))],
  ['a time that no date has', reading(record(session), record({ ...message, timestamp: 1e300 }))],
  ['a title without its rank', reading(record(session), record(message), record({ type: 'title', session: 's', title: 't' }))],
  ['a session without a name', reading(record({ ...session, session: '' }))],
  ['an event without its fields', reading({ type: 'event', record: { type: 'event', id: 'e' } })],
  ['a warning without text', reading({ type: 'warning' })],
  ['units that are none', { async *discover() { yield {} } }], // biome-ignore format: one line a case
  [
    'nothing but errors',
    {
      discover() {
        throw new Error('found nothing')
      },
      defaultPaths() {
        throw new Error('nowhere')
      },
    },
  ],
])('%s: set aside, and the other sources are read', async (_, bad) => {
  const { memory, own, documents } = await synced(bad)
  expect(own).toMatchObject({ found: 1, imported: 0, quarantined: 1, records: 0 })
  expect(documents).toMatchObject({ found: 1, imported: 1 })
  expect((await memory.sources.list()).map(({ name }) => name)).toContain('own')
  expect(await memory.sessions()).toEqual([])
  await memory.close()
})

it('an adapter may be of a class, with methods that use it', async () => {
  class Own {
    readonly name = 'own'
    readonly rewritten = true
    #said = 'the pelican said hello'
    defaultPaths() {
      return [this.name]
    }
    async *discover() {
      yield { path: `/${this.name}`, size: this.#said.length, mtimeMs: 1 }
    }
    recognises() {
      return false
    }
    async *read() {
      yield record(session)
      yield record({ ...message, text: this.#said })
    }
  }
  const own = new Own()
  const memory = await openMnemonic({ home: join(root, 'class'), workspace, adapters: [own as unknown as Adapter] })
  expect((await memory.sync({ embed: false, adapters: ['own'] })).totals).toMatchObject({ imported: 1, records: 1 })
  await memory.close()
})

it('a document of an own source is stored like one of the workspace: redacted, without private passages', async () => {
  const text = 'own pelican AKIAIOSFODNN7EXAMPLE <private>diary</private>'
  const { memory, own } = await synced({
    mirrors: 'document',
    async *discover() {
      yield { path: '/own/d', name: '@own/d.md', size: 1, mtimeMs: 1 }
    },
    ...reading({ type: 'document', record: { path: '@own/d.md', agentId: 'main', text, timestamp: 1 } }),
  })
  expect(own).toMatchObject({ imported: 1 })
  const { text: stored } = await memory.memoryGet({ path: '@own/d.md' })
  expect(stored).toContain('own pelican [REDACTED')
  expect(stored).not.toMatch(/AKIA|diary/)
  await memory.close()
})

it.each([
  ['a name in the workspace', 'note.md', 'note.md'],
  ['another name than its unit', '@own/d.md', 'note.md'],
])('a document of an own source takes no document’s place: %s', async (_, unit, path) => {
  const { memory, own } = await synced({
    mirrors: 'document',
    async *discover() {
      yield { path: '/own/d', name: unit, size: 1, mtimeMs: 1 }
    },
    ...reading({ type: 'document', record: { path, agentId: 'main', text: 'taken over', timestamp: 1 } }),
  })
  expect(own).toMatchObject({ imported: 0, quarantined: 1 })
  expect((await memory.memoryGet({ path: 'note.md' })).text).toBe('an ordinary note')
  await memory.close()
})

it.each([
  [
    'its records never end, and there is no checkpoint',
    {
      async *read() {
        for (;;) yield { type: 'unknown', name: 'more' }
      },
    },
  ],
  [
    'its units never end',
    {
      async *discover() {
        for (let i = 0; ; i += 1) {
          await new Promise((resolve) => setTimeout(resolve, 1))
          yield { path: `/own/${i}`, size: 1, mtimeMs: 1 }
        }
      },
    },
  ],
])('a sync can be stopped: %s', { timeout: 60_000 }, async (_, endless) => {
  await expect(synced(endless, AbortSignal.timeout(200))).rejects.toMatchObject({ code: 'INTERRUPTED' })
})

it('closing a memory while it syncs ends the sync with a coded error', async () => {
  let begun: (value?: unknown) => void = () => undefined
  const reads = new Promise((resolve) => {
    begun = resolve
  })
  const own = {
    ...{ name: 'own', rewritten: true, defaultPaths: () => [], recognises: () => false },
    async *discover() {
      yield { path: '/own/unit', size: 1, mtimeMs: 1 }
    },
    async *read() {
      begun()
      await new Promise((resolve) => setTimeout(resolve, 300))
      yield record(session)
    },
  } as unknown as Adapter
  const memory = await openMnemonic({ home: join(root, 'closing'), workspace, adapters: [own] })
  const running = memory.sync({ adapters: ['own'], embed: false }).catch((error: unknown) => error)
  await reads
  await memory.close()
  expect(await running).toMatchObject({ code: 'USAGE', message: 'this memory is closed' })
})

it('events of an own adapter are stored as they are given', async () => {
  const thread: EventRecord = {
    type: 'thread',
    id: 'own:t',
    sourceId: 't',
    channel: 'letters',
    agentId: 'main',
    createdAt: 1,
    updatedAt: 2,
  }
  const event: EventRecord = {
    ...{
      type: 'event',
      id: 'own:e',
      sourceId: 'e',
      timestamp: 1,
      channel: 'letters',
      contentTypes: ['text'],
      content: 'the harbour is closed',
    },
    ...{ direction: 'received', thread: 'own:t', trust: 'contact', agentId: 'main', metadata: { stamp: 7 } },
  }
  const { memory, own } = await synced({
    async *read() {
      yield { type: 'event', record: thread }
      yield { type: 'event', record: event }
    },
  })
  expect(own).toMatchObject({ imported: 1, quarantined: 0, records: 1 })
  const query = 'select e.id, e.content, e.trust, e.metadata_json, t.channel from events e join threads t on t.id = e.thread_id'
  expect((await memory.sql(query)).rows).toEqual([['own:e', 'the harbour is closed', 'contact', '{"stamp":7}', 'letters']])
  await memory.close()
})

it('one whose read never answers can be stopped', async () => {
  const stop = new AbortController()
  const read = async function* () {
    yield record(session)
    stop.abort()
    await new Promise(() => undefined)
  }
  await expect(synced({ read }, stop.signal)).rejects.toMatchObject({ code: 'INTERRUPTED' })
})
