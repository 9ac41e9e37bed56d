import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { appendTurns, exchange, replaceTurn, SEED_START, seedSession, setTurnStatus, tempStore } from '../../test/helpers/seed-ledger.ts'
import type { Store } from '../store/store.ts'
import { IDENTITY_KEY } from './identity.ts'
import { type Indexer, type IndexerOptions, indexer } from './indexer.ts'

let store: Store
let close: () => Promise<void>
let now: number

beforeEach(async () => {
  now = SEED_START
  ;({ store, close } = await tempStore())
})
afterEach(() => close())

const make = (more: Partial<IndexerOptions> = {}): Indexer =>
  indexer({ store, clock: () => now, owner: { name: 'Jason Wu', timezone: 'Australia/Melbourne' }, ...more })

const chunksOf = (session: string) =>
  store.read.selectFrom('chunks').selectAll().where('session_id', '=', session).orderBy('chunk_index').execute()
const cursor = async (key = 'memory_sessions_ledger_cursor_v1') =>
  (await store.read.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value
const long = (n: number, word: string) => Array.from({ length: n }, (_, i) => `${word} ${i}.`).join(' ')

describe('documents', () => {
  it('a turn becomes a redacted document with its header, and a chunk with all that spec 003 asks for', async () => {
    const id = await seedSession(store, {
      id: 'abc',
      label: 'x growth',
      title: 'X growth',
      turns: [
        exchange(
          'How many posts per day? My key is AKIAIOSFODNN7EXAMPLE',
          "Posting frequency matters. We decided on a posting frequency of three a day. I'll send the plan by Friday.",
          {
            model: 'claude-opus-4',
          },
        ),
      ],
    })
    const report = await make().tail()
    expect(report).toMatchObject({ sessions: 1, documents: 1, chunks: 1, partial: [], warnings: [] })
    const document = await make().buildDocument(`${id}/m1`)
    expect(document?.path).toMatch(/^sessions\/x-growth-[0-9a-f]{8}\/turns\/claude-code:abc\/m1\.md$/)
    expect(document?.text).toBe(
      [
        'Session: x growth',
        `Turn: ${id}/m1`,
        'Time: 2026-02-05T10:30:00.000Z',
        'Model: claude-opus-4',
        '',
        expect.stringMatching(/^User: How many posts per day\? My key is \[REDACTED:[^\]]+\]$/),
        '',
        "Assistant: Posting frequency matters. We decided on a posting frequency of three a day. I'll send the plan by Friday.",
        '',
      ]
        .map((line, i) => (typeof line === 'string' ? line : document?.text.split('\n')[i]))
        .join('\n'),
    )
    expect(document?.text).not.toContain('AKIAIOSFODNN7EXAMPLE')
    const [file] = await store.read.selectFrom('files').selectAll().execute()
    expect(file).toMatchObject({ path: document?.path, source: 'sessions', kind: 'turn', hash: document?.hash, chunk_count: 1 })
    const [chunk] = await chunksOf(id)
    expect(chunk).toMatchObject({
      chunk_index: 0,
      ledger: 'agents',
      turn_id: `${id}/m1`,
      speakers: '["user","assistant"]',
      message_ids: '["m0","m1"]',
      has_decision: 1,
      // Only people make commitments.
      has_action: 0,
      superseded: 0,
      trust: 'agent',
      timestamp: SEED_START,
      embed_status: 'waiting',
    })
    expect(JSON.parse(chunk?.topic_tags ?? '')).toContain('posting-frequency')
    expect(chunk?.context.split('\n')).toEqual([
      '[Session from February 5, 2026 at 9:30 PM Melbourne time]',
      '[Participants: Jason Wu and Assistant (claude-opus-4)]',
      expect.stringMatching(/^\[Topics: posting frequency/),
      '[Context: X growth]',
    ])
    expect(JSON.stringify(chunk)).not.toContain('AKIAIOSFODNN7EXAMPLE')
  })

  it('tool output and injected text are not indexed, and a turn without speech is looked at once', async () => {
    const id = await seedSession(store, {
      id: 'tools',
      turns: [
        {
          messages: [
            { role: 'tool', text: 'secret listing' },
            { role: 'system', text: 'boot file' },
          ],
        },
        {
          messages: [
            { role: 'user', text: 'go' },
            { role: 'tool', text: 'listing' },
          ],
        },
      ],
    })
    const index = make()
    expect(await index.tail()).toMatchObject({ documents: 2, chunks: 1 })
    expect((await chunksOf(id)).map((chunk) => chunk.said_user + chunk.said_assistant)).toEqual(['go'])
    await setTurnStatus(store, id, {})
    expect(await index.tail()).toMatchObject({ sessions: 0, documents: 0, unchanged: 2 })
  })

  it('a compaction has its own path and reads as a summary', async () => {
    const id = await seedSession(store, {
      id: 'c',
      turns: [{ messages: [{ role: 'system', kind: 'summary', text: 'They built a boat.' }] }],
    })
    await make().tail()
    const [file] = await store.read.selectFrom('files').selectAll().execute()
    expect(file).toMatchObject({ kind: 'compaction', path: expect.stringMatching(/\/compactions\/claude-code:c\/m0\.md$/) })
    expect((await make().buildDocument(`${id}/m0`))?.text).toMatch(/\n\nSummary: They built a boat\.\n$/)
  })

  it('a secret in a title does not reach the context', async () => {
    const id = await seedSession(store, { id: 't', title: 'use AKIAIOSFODNN7EXAMPLE', turns: [exchange('a', 'b')] })
    await make().tail()
    expect((await chunksOf(id))[0]?.context).toMatch(/\[Context: use \[REDACTED/)
  })

  it('the view of spec 003 gives the same content as the hash and the token count are made of', async () => {
    await seedSession(store, { id: 'v', turns: [exchange('question', 'answer')] })
    await make().tail()
    const { rows } = await store.select('select content, context_content, token_count from session_chunks', 5)
    expect(rows[0]?.[0]).toBe('User: question\nAssistant: answer')
    expect(rows[0]?.[1]).toMatch(/^\[Session from .*\n\nUser: question\nAssistant: answer$/s)
  })
})

describe('tail', () => {
  it('follows the history of each agent with a cursor of its own', async () => {
    await seedSession(store, { id: 'a', turns: [exchange('q', 'r')] })
    await seedSession(store, { id: 'b', agentId: 'max', turns: [exchange('q', 'r')] })
    const index = make()
    expect(await index.pending()).toBe(2)
    await index.tail({ agentId: 'main' })
    expect(await cursor()).toBe('2')
    await index.tail()
    expect(await cursor('memory_sessions_ledger_cursor_v1:max')).toBe('2')
    expect(await index.pending()).toBe(0)
    await appendTurns(store, 'claude-code:b', [exchange('more', 'text')])
    expect(await index.pending('max')).toBe(1)
    expect(await index.tail({ agentId: 'main' })).toMatchObject({ documents: 0 })
    expect(await index.tail({ agentId: 'max' })).toMatchObject({ sessions: 1, documents: 1, unchanged: 1 })
  })

  it('without anything new it writes nothing, not even a job', async () => {
    await seedSession(store, { id: 'a', turns: [exchange('q', 'r')] })
    const index = make()
    await index.tail()
    const before = await store.read.selectFrom('jobs').selectAll().execute()
    expect(before).toMatchObject([{ kind: 'index', status: 'done', items: 1 }])
    expect(await index.tail()).toMatchObject({ sessions: 0, documents: 0, chunks: 0 })
    expect(await store.read.selectFrom('jobs').selectAll().execute()).toEqual(before)
  })

  it('a replaced open turn is indexed again in its place, and only it', async () => {
    const id = await seedSession(store, { id: 'a', turns: [exchange('one', 'uno'), exchange('two', 'dos')] })
    const index = make()
    await index.tail()
    const first = (await chunksOf(id))[0]
    await replaceTurn(store, `${id}/m3`, {
      messages: [
        { role: 'user', text: 'two' },
        { role: 'assistant', text: 'dos, and tres' },
      ],
    })
    expect(await index.tail()).toMatchObject({ documents: 1, unchanged: 1 })
    const chunks = await chunksOf(id)
    expect(chunks.map((chunk) => [chunk.chunk_index, chunk.said_assistant])).toEqual([
      [0, 'uno'],
      [1, 'dos, and tres'],
    ])
    expect(chunks[0]?.id).toBe(first?.id)
  })

  it('a turn that changes in the middle moves the numbers of the later ones', async () => {
    const id = await seedSession(store, { id: 'a', turns: ['a', 'b', 'c'].map((word) => exchange(word, word)) })
    const index = make({ maxChunkTokens: 40 })
    await index.tail()
    await replaceTurn(store, `${id}/m3`, exchange('b', long(40, 'b')))
    await index.tail()
    const chunks = await chunksOf(id)
    expect(chunks.length).toBeGreaterThan(4)
    expect(chunks.map((chunk) => chunk.chunk_index)).toEqual(chunks.map((_, i) => i))
    expect(chunks.at(-1)?.said_user).toBe('c')
    expect(chunks[0]?.said_user).toBe('a')
  })

  it('follows a switch of branches both ways', async () => {
    const id = await seedSession(store, { id: 'a', turns: [exchange('q', 'old'), exchange('q', 'new', { parent: null })] })
    const index = make()
    await index.tail()
    const flags = async () => (await chunksOf(id)).map((chunk) => chunk.superseded)
    await setTurnStatus(store, id, { [`${id}/m1`]: 'superseded' })
    await index.tail()
    expect(await flags()).toEqual([1, 0])
    await setTurnStatus(store, id, { [`${id}/m1`]: 'final', [`${id}/m3`]: 'superseded' })
    await index.tail()
    expect(await flags()).toEqual([0, 1])
  })

  it('a new title reaches the context of old chunks', async () => {
    const id = await seedSession(store, { id: 'a', title: 'first words', turns: [exchange('q', 'r')] })
    const index = make()
    await index.tail()
    await store.write((tx) => tx.db.updateTable('agent_sessions').set({ title: 'A better title' }).where('id', '=', id).execute())
    await appendTurns(store, id, [exchange('q2', 'r2')])
    await index.tail()
    const contexts = (await chunksOf(id)).map((chunk) => chunk.context.split('\n').at(-1))
    expect(contexts).toEqual(['[Context: A better title]', '[Context: A better title]'])
  })

  it('documents of another version are made again, and the identity is noted when all are', async () => {
    const id = await seedSession(store, { id: 'a', turns: [exchange('q', long(40, 'r'))] })
    await make().tail()
    const count = (await chunksOf(id)).length
    const other = make({ maxChunkTokens: 60 })
    expect(await other.tail()).toMatchObject({ documents: 1 })
    expect((await chunksOf(id)).length).toBeGreaterThan(count)
    const identities = await store.read.selectFrom('files').select('identity').execute()
    expect(identities).toEqual([{ identity: other.identity }])
    const meta = await store.read.selectFrom('meta').select('value').where('key', '=', IDENTITY_KEY).executeTakeFirst()
    expect(meta?.value).toBe(other.identity)
  })

  it('a session marked as deleted leaves the index, and its ledger stays', async () => {
    const id = await seedSession(store, { id: 'a', turns: [exchange('q', 'r')] })
    const index = make()
    await index.tail()
    await store.write((tx) => tx.db.updateTable('agent_sessions').set({ status: 'deleted' }).where('id', '=', id).execute())
    expect(await index.clean()).toEqual({ documents: 1, chunks: 0 })
    expect(await chunksOf(id)).toEqual([])
    expect(await index.status()).toEqual([])
    expect(await store.read.selectFrom('agent_messages').selectAll().execute()).toHaveLength(2)
    expect(await index.backfill()).toMatchObject({ documents: 0 })
  })
})

describe('backfill', () => {
  it('looks at all documents and writes only what differs', async () => {
    const id = await seedSession(store, { id: 'a', turns: [exchange('q', 'r'), exchange('q2', 'r2')] })
    const index = make()
    await index.tail()
    await store.write((tx) =>
      tx.db.updateTable('agent_messages').set({ content: 'changed behind our back' }).where('id', '=', `${id}/m1`).execute(),
    )
    expect(await index.backfill()).toMatchObject({ sessions: 1, documents: 1, unchanged: 1 })
    expect((await chunksOf(id)).map((chunk) => chunk.said_assistant)).toEqual(['changed behind our back', 'r2'])
  })

  it('brings back chunks that were lost', async () => {
    const id = await seedSession(store, { id: 'a', turns: [exchange('q', 'r'), exchange('q2', 'r2')] })
    const index = make()
    await index.tail()
    await store.write((tx) => tx.db.deleteFrom('chunks').where('turn_id', '=', `${id}/m1`).execute())
    await index.backfill()
    expect((await chunksOf(id)).map((chunk) => chunk.said_assistant)).toEqual(['r', 'r2'])
  })

  it('by force it writes all documents again, and what is right keeps its row', async () => {
    const id = await seedSession(store, { id: 'a', turns: [exchange('q', 'r')] })
    const index = make()
    await index.tail()
    const before = await chunksOf(id)
    await store.write((tx) => tx.db.updateTable('chunks').set({ context: 'nonsense', topic_tags: '["x"]' }).execute())
    now += 1000
    expect(await index.backfill({ force: true })).toMatchObject({ documents: 1 })
    expect(await chunksOf(id)).toEqual(before)
    expect((await store.read.selectFrom('files').select('updated_at').execute())[0]?.updated_at).toBe(now)
  })

  it('extracted tags are kept by the hash of their text and used again', async () => {
    const id = await seedSession(store, { id: 'a', turns: [exchange('content strategy', 'content strategy')] })
    const index = make()
    await index.tail()
    const cached = await store.read.selectFrom('extraction_cache').select(['content_hash', 'extractor']).orderBy('extractor').execute()
    const [chunk] = await chunksOf(id)
    expect(cached).toEqual([
      { content_hash: chunk?.content_hash, extractor: 'decisions-2' },
      { content_hash: chunk?.content_hash, extractor: 'topics-2' },
    ])
    await store.write((tx) =>
      tx.db.updateTable('extraction_cache').set({ value_json: '["better-tag"]' }).where('extractor', '=', 'topics-2').execute(),
    )
    await index.backfill({ force: true })
    expect((await chunksOf(id))[0]?.topic_tags).toBe('["better-tag"]')
  })
})

describe('large sessions', () => {
  it('past the cap the newest chunks are kept under their own numbers, and the report says so', async () => {
    const turns = Array.from({ length: 30 }, (_, i) => exchange(`question ${i}`, `answer ${i}`))
    const id = await seedSession(store, { id: 'big', turns })
    const index = make({ maxChunksPerSession: 20 })
    const report = await index.tail()
    expect(report.partial).toEqual([id])
    expect([report.chunks, (await index.backfill({ force: true })).chunks]).toEqual([20, 20])
    expect(report.warnings).toEqual([`session ${id}: 10 older chunks are left out of the index, the newest 20 are kept`])
    const numbers = (await chunksOf(id)).map((chunk) => chunk.chunk_index)
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([20, 10, 29])
    expect(await index.status()).toMatchObject([{ session_id: id, status: 'partial', chunk_count: 20 }])
    await appendTurns(store, id, [exchange('last', 'one')])
    await index.tail()
    const later = await chunksOf(id)
    expect([later.length, later[0]?.chunk_index, later.at(-1)?.said_user]).toEqual([20, 11, 'last'])
  })

  it('a shrunken turn at the end brings clipped chunks back', async () => {
    const id = await seedSession(store, {
      id: 'big',
      turns: [...Array.from({ length: 9 }, (_, i) => exchange(`q${i}`, `a${i}`)), exchange('q', long(80, 'x'))],
    })
    const index = make({ maxChunksPerSession: 8, maxChunkTokens: 60 })
    await index.tail()
    expect((await chunksOf(id)).length).toBe(8)
    await replaceTurn(store, `${id}/m19`, exchange('q', 'short'))
    await index.tail()
    expect((await chunksOf(id)).map((chunk) => chunk.said_user)).toEqual(['q2', 'q3', 'q4', 'q5', 'q6', 'q7', 'q8', 'q'])
  })

  it('no transaction writes more than 100 chunks, whatever the documents are', async () => {
    await seedSession(store, {
      id: 'a',
      turns: [exchange('q', long(3000, 'word')), ...Array.from({ length: 150 }, (_, i) => exchange(`q${i}`, 'r'))],
    })
    await seedSession(store, { id: 'b', turns: [exchange('q', 'r')] })
    const written: number[] = []
    const counting: Store = {
      ...store,
      write: (work) =>
        store.write(async (tx) => {
          const before = await count()
          const result = await work(tx)
          written.push((await count()) - before)
          return result
          async function count(): Promise<number> {
            const row = await tx.db
              .selectFrom('chunks')
              .select((eb) => eb.fn.countAll<number>().as('n'))
              .executeTakeFirstOrThrow()
            return row.n
          }
        }),
    }
    const report = await make({ store: counting, maxChunkTokens: 60 }).tail()
    expect(Math.max(...written)).toBe(100)
    expect(written.reduce((sum, n) => sum + n, 0)).toBe(report.chunks)
    expect(report.chunks).toBeGreaterThan(300)
  })

  it('can be stopped between transactions and goes on later', async () => {
    await seedSession(store, { id: 'a', turns: Array.from({ length: 250 }, (_, i) => exchange(`q${i}`, 'r')) })
    const stop = new AbortController()
    const index = make()
    const stopping: Store = {
      ...store,
      write: async (work) => {
        const result = await store.write(work)
        stop.abort()
        return result
      },
    }
    await expect(make({ store: stopping }).tail({ signal: stop.signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
    expect(await chunksOf('claude-code:a')).toHaveLength(100)
    expect(await cursor()).toBeUndefined()
    expect(await index.tail()).toMatchObject({ documents: 150, unchanged: 100 })
    expect(await store.read.selectFrom('jobs').select('status').execute()).toEqual([{ status: 'interrupted' }, { status: 'done' }])
  })
})

describe('one session', () => {
  it('is indexed by its id, and its state names where it came from', async () => {
    const id = await seedSession(store, { id: 'a', turns: [exchange('q', 'r')] })
    await store.write((tx) =>
      tx.db
        .insertInto('sync_state')
        .values({ adapter: 'claude-code', path: '/logs/a.jsonl', size: 1, mtime_ms: 1, status: 'done', session_id: id, updated_at: 1 })
        .execute(),
    )
    const index = make()
    expect(await index.indexSession(id)).toMatchObject({ sessions: 1, documents: 1 })
    expect(await index.status()).toEqual([
      {
        session_id: id,
        file_path: '/logs/a.jsonl',
        file_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        last_indexed: '2026-02-05T10:30:00.000Z',
        chunk_count: 1,
        status: 'complete',
      },
    ])
    expect(await cursor()).toBeUndefined()
    await expect(index.indexSession('claude-code:none')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('has no document for a turn that is not there', async () => {
    expect(await make().buildDocument('claude-code:none/m1')).toBeUndefined()
  })
})

describe('without analysis', () => {
  const flags = async () => (await chunksOf('claude-code:abc')).map(({ topic_tags, has_decision }) => [topic_tags === '[]', has_decision])

  it('topics and flags of what is new wait for the next run, and what had them keeps them', async () => {
    const decided = () =>
      exchange('How often should posts go out?', 'Posting frequency matters. We decided on a posting frequency of three a day.')
    await seedSession(store, { id: 'abc', turns: [decided()] })
    await make().tail()
    expect(await flags()).toEqual([[false, 1]])
    await appendTurns(store, 'claude-code:abc', [decided()])
    await make().tail({ analyze: false })
    expect(await flags()).toEqual([
      [false, 1],
      [true, 0],
    ])
    await make().tail({ analyze: false })
    expect(await flags()).toHaveLength(2)
    const before = (await chunksOf('claude-code:abc')).map(({ id }) => id)
    await make().tail()
    expect(await flags()).toEqual([
      [false, 1],
      [false, 1],
    ])
    expect((await chunksOf('claude-code:abc')).map(({ id }) => id)).toEqual(before)
    expect((await make().tail()).sessions).toBe(0)
  })
})
