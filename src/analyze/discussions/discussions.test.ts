import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import { relatedTo } from '../../browse/related.ts'
import { indexer } from '../../index/indexer.ts'
import { agentsWriter } from '../../ledgers/agents-writer.ts'
import type { Store } from '../../store/store.ts'
import { discussionsOf } from './note.ts'
import { termsOf } from './terms-of.ts'
import { newestChunks, updateDiscussions } from './update-discussions.ts'

const HOUR = 3_600_000
const guard = async () => {}

async function session(store: Store, native: string, prompts: readonly string[], at = 0): Promise<void> {
  const writer = agentsWriter({ source: 'codex', clock: () => NOON, quietMs: HOUR })
  const say = (id: string, role: 'user' | 'assistant', text: string, minute: number) => ({
    ...({ type: 'message', session: native, id, hash: `${native}${id}`, role, text, trust: role === 'user' ? 'owner' : 'agent' } as const),
    kind: role === 'user' ? ('prompt' as const) : ('reply' as const),
    timestamp: NOON - 1000 * HOUR + at * HOUR + minute * 60_000,
  })
  await store.write(async (tx) => {
    await writer.apply(tx, [
      { type: 'session', session: native, firstHash: native },
      ...prompts.flatMap((text, i) => [say(`p${i}`, 'user', text, 2 * i), say(`a${i}`, 'assistant', 'Done.', 2 * i + 1)]),
    ])
    await writer.finish(tx)
  })
}

const ABOUT_LEASES = [
  'The leaseHolder in lease-table.ts expires too early, see #4711.',
  'Fix renewLease in lease-table.ts, the leaseHolder must renew, as #4711 says.',
]
const FILLER = ['zebra', 'quartz', 'violin', 'harbor', 'cactus', 'meadow', 'pepper', 'saddle', 'tunnel', 'walnut']

async function filled(): Promise<Store> {
  const store = await tempStore()
  await session(store, 'aaaaaaaa-1', ABOUT_LEASES, 1)
  await session(
    store,
    'bbbbbbbb-2',
    ['Why does renewLease in lease-table.ts lose its leaseHolder? #4711 again.', 'So leaseHolder stays, and #4711 is closed.'],
    50,
  )
  for (const [i, word] of FILLER.entries())
    await session(
      store,
      `${i}${i}${i}${i}${i}${i}${i}${i}-x`,
      [`Please look at the ${word}Parser in ${word}-file.ts for #${100 + i}.`, `The ${word}Parser works.`],
      i,
    )
  const stage = indexer({
    store,
    clock: () => NOON,
    owner: { name: undefined, timezone: 'UTC' },
    maxChunkTokens: 500,
    maxChunksPerSession: 2000,
  })
  await stage.tail({})
  await updateDiscussions(store, { guard })
  return store
}

describe('discussions over several sessions', () => {
  it('joins those that share names that few others have, and no others', async () => {
    const store = await filled()
    const { name, of, related } = await relatedTo(store, 'aaaaaaaa', 'main')
    expect(of.session_id).toBe('codex:aaaaaaaa-1')
    expect(related.map(({ session_id }) => session_id)).toEqual(['codex:bbbbbbbb-2'])
    expect(related[0]?.shared).toContain('leaseHolder')
    expect(name).not.toBeNull()
    expect((await relatedTo(store, '00000000', 'main')).related).toEqual([])
    expect((await relatedTo(store, 'aaaaaaaa', 'all')).related).toHaveLength(1)
    await expect(relatedTo(store, 'nowhere-at-all', 'main')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('tells a hit when it went on', async () => {
    const notes = await discussionsOf(await filled(), ['codex:aaaaaaaa-1', 'codex:00000000-x'], 'main')
    expect([...notes.keys()]).toEqual(['codex:aaaaaaaa-1'])
    const note = notes.get('codex:aaaaaaaa-1')
    expect(note).toMatchObject({ count: 2 })
    expect(Date.parse(note?.to ?? '') - Date.parse(note?.from ?? '')).toBeGreaterThan(48 * HOUR)
  })

  it('follows the index: what is gone joins nothing, and waits for nothing', async () => {
    const store = await filled()
    expect(await updateDiscussions(store, { guard })).toBe(0)
    await store.write((tx) => tx.db.deleteFrom('files').where('session_id', '=', 'codex:bbbbbbbb-2').execute())
    expect(await store.read.selectFrom('discussion_terms').selectAll().where('unit', '=', 'codex:bbbbbbbb-2').execute()).toEqual([])
    expect((await relatedTo(store, 'aaaaaaaa', 'main')).related).toEqual([])
    await updateDiscussions(store, { guard })
    expect(await store.read.selectFrom('discussion_waiting').selectAll().execute()).toEqual([])
  })
})

describe('the terms of a session', () => {
  it('are names, references and words that were used again; not the parts of a path', () => {
    const chunks = [
      { own: 'see src/deep/folder/thing.ts and https://host/x/y/pull/88', answered: 'renamed oldName' },
      { own: 'a walrus swims', answered: '' },
      { own: 'the walrus again', answered: '' },
    ]
    const terms = termsOf('Fix Thing #7', chunks, (word) => ['again', 'swims'].includes(word))
    const found = new Map(terms.map(({ term, isName }) => [term, isName]))
    expect(found.get('thing.ts')).toBe(true)
    expect(found.get('#88')).toBe(true)
    expect(found.get('oldname')).toBe(true)
    expect(found.get('walrus')).toBe(false)
    expect(found.get('#7')).toBe(true)
    expect([...found.keys()]).not.toContain('swims')
    expect([...found.keys()].some((term) => term.includes('/'))).toBe(false)
  })
})

it.each(['aaaaaaaa-1', 'events/gmail/one.md'])('looks at the chunks of %s alone, however many there are', async (unit) => {
  const store = await tempStore()
  const plan = await newestChunks(store.read, unit).explain<{ detail: string }>(undefined, sql`query plan`)
  expect(plan.map(({ detail }) => detail).filter((detail) => detail.startsWith('SCAN'))).toEqual([])
})
