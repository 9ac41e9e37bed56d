/** In a shared transaction, a failing file must not affect the others. */
import { expect, it } from 'vitest'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import type { AgentRecord } from '../ledgers/agent-record.ts'
import type { Adapter } from './adapter.ts'
import { syncSources } from './sync.ts'

const message = (session: string, id: string): AgentRecord => ({
  ...{ type: 'message', session, id, hash: `hash of ${id}`, role: 'user', kind: 'prompt' },
  ...{ text: `what ${id} says`, timestamp: NOON - 1000, trust: 'owner' },
})

/**
 * One unit holds a record that no database takes: either it is refused before anything is stored, or when the session and its messages already are.
 */
function adapter(units: readonly string[], refused: 'at once' | 'late' = 'at once'): Adapter {
  const metadata = { noJson: 1n }
  const broken = refused === 'late' ? { kind: 'summary', compaction: { metadata } } : { metadata }
  return {
    name: 'jsonl',
    defaultPaths: () => [],
    async *discover() {
      for (const path of units) yield { path, size: 10, mtimeMs: 1 }
    },
    recognises: () => true,
    async *read({ path }) {
      yield { type: 'record', record: { type: 'session', session: path, firstHash: path } }
      yield { type: 'record', record: message(path, `${path}-1`) }
      yield { type: 'record', record: { ...message(path, `${path}-2`), ...(path === 'broken' && broken) } as AgentRecord }
    },
  }
}

it.each([
  ['among others', 'at once', ['before', 'broken', 'later']],
  ['among others', 'late', ['before', 'broken', 'later']],
  ['alone', 'at once', ['broken']],
  ['alone', 'late', ['broken']],
] as const)('a unit that cannot be stored, %s, refused %s', async (_, refused, units) => {
  const store = await tempStore()
  const options = { clock: () => NOON, quietMs: 7_200_000, ignore: () => false, guard: async () => {}, afterGroup: async () => {} }
  const { totals } = await syncSources({ store, adapters: [adapter(units, refused)], ...options })
  expect(totals).toMatchObject({ found: units.length, imported: units.length - 1, quarantined: 1, records: (units.length - 1) * 2 })
  const sessions = await store.read.selectFrom('agent_sessions').select('native_id').orderBy('id').execute()
  expect(sessions.map(({ native_id }) => native_id)).toEqual(units.filter((unit) => unit !== 'broken'))
  const messages = await store.read.selectFrom('agent_messages').select('id').execute()
  expect(messages).toHaveLength((units.length - 1) * 2)
  const states = await store.read.selectFrom('sync_state').select(['path', 'status']).orderBy('path').execute()
  expect(states).toEqual([...units].sort().map((path) => ({ path, status: path === 'broken' ? 'quarantined' : 'done' })))
})

it('grown units are read first, then new ones by their beginning, and those that begin alike by their end', async () => {
  const store = await tempStore()
  const options = { clock: () => NOON, quietMs: 7_200_000, ignore: () => false, guard: async () => {}, afterGroup: async () => {} }
  const ages: Record<string, { begin: number; end: number }> = {
    fork: { begin: 10, end: 90 },
    later: { begin: 50, end: 60 },
    original: { begin: 10, end: 20 },
    known: { begin: 99, end: 99 },
  }
  const read: string[] = []
  let size = 10
  const aged = (units: readonly string[]): Adapter => ({
    ...adapter([]),
    async *discover() {
      for (const path of units) yield { path, size, mtimeMs: 1 }
    },
    age: async ({ path }, _, at) => ages[path]?.[at] ?? 0,
    async *read({ path }) {
      read.push(path)
      yield { type: 'record', record: { type: 'session', session: path, firstHash: path } }
      yield { type: 'record', record: message(path, `${path}-1`) }
    },
  })
  await syncSources({ store, adapters: [aged(['known'])], ...options })
  size = 20
  await syncSources({ store, adapters: [aged(['fork', 'known', 'later', 'original'])], ...options })
  expect(read).toEqual(['known', 'known', 'original', 'fork', 'later'])
})
