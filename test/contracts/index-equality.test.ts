import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Indexer, indexer } from '../../src/index/indexer.ts'
import type { Store } from '../../src/store/store.ts'
import {
  appendTurns,
  exchange,
  replaceTurn,
  SEED_START,
  type SeedTurn,
  seedSession,
  setTurnStatus,
  tempStore,
} from '../helpers/seed-ledger.ts'

const OWNER = { name: 'Jason Wu', timezone: 'Australia/Melbourne' }
const LIMITS = { maxChunkTokens: 60, maxChunksPerSession: 12 }

let store: Store
let close: () => Promise<void>
let index: Indexer

beforeEach(async () => {
  ;({ store, close } = await tempStore())
  index = indexer({ store, clock: () => SEED_START, owner: OWNER, ...LIMITS })
})
afterEach(() => close())

/** All index tables without clock columns and integer keys, in an order of their own. */
async function dump(): Promise<unknown> {
  const { read } = store
  return {
    files: await read
      .selectFrom('files')
      .select(['path', 'source', 'hash', 'agent_id', 'session_id', 'turn_id', 'kind', 'chunk_count', 'identity'])
      .orderBy('path')
      .execute(),
    chunks: (await read.selectFrom('chunks').selectAll().orderBy('session_id').orderBy('chunk_index').execute()).map(
      ({ id: _id, created_at: _created, ...row }) => row,
    ),
    state: await read
      .selectFrom('index_state')
      .select(['session_id', 'file_path', 'file_hash', 'chunk_count', 'status'])
      .orderBy('session_id')
      .execute(),
    work: (await read.selectFrom('work').selectAll().orderBy('call_id').execute()).map(({ id: _id, ...row }) => row),
    work_words: workWords(),
    touched: await store.work.files({ branches: true }, 1000).then(({ files }) => files.map(({ last_id: _id, ...file }) => file)),
    cursor: await read.selectFrom('meta').selectAll().where('key', 'like', 'memory%').execute(),
  }
}

/** Every word of tool work with the call that it is of. */
function workWords(): unknown[] {
  const db = new Database(store.location)
  try {
    db.exec('create virtual table temp.words using fts5vocab (main, work_fts, instance)')
    return db.prepare('select c.call, w.term, w.col, w.offset from words w join work_calls c on c.id = w.doc order by 1, 3, 4, 2').all()
  } finally {
    db.close()
  }
}

function checkFullText(): void {
  const db = new Database(store.location)
  try {
    db.exec("insert into chunks_fts (chunks_fts, rank) values ('integrity-check', 1)")
    db.exec("insert into work_fts (work_fts) values ('integrity-check')")
  } finally {
    db.close()
  }
}

/** The same index out of the same ledger, built in one go. */
async function rebuilt(): Promise<unknown> {
  await store.write(async (tx) => {
    await tx.db.deleteFrom('files').execute()
    await tx.db.deleteFrom('index_state').execute()
    await tx.db.deleteFrom('work_calls').execute()
    await tx.db.deleteFrom('meta').where('key', 'in', ['work_identity']).execute()
    await tx.db.deleteFrom('meta').where('key', 'like', 'memory%').execute()
  })
  await index.backfill()
  return dump()
}

/** A small generator of numbers: the same seed, the same session. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const WORDS = 'posting frequency database decision we decided let timeout Melbourne garden getUserName 数据库 café release'.split(' ')

function turn(pick: (below: number) => number): SeedTurn {
  const text = (most: number) => Array.from({ length: 1 + pick(most) }, () => WORDS[pick(WORDS.length)]).join(pick(4) === 0 ? '. ' : ' ')
  if (pick(9) === 0) return { messages: [{ role: 'assistant', kind: 'summary', text: text(40) }] }
  if (pick(9) === 0) return { messages: [{ role: 'tool', text: text(5) }] }
  return exchange(text(30), text(pick(5) === 0 ? 300 : 50), { model: 'claude' })
}

/** A tool call in some message of a session, a result for one that has none, or another result. */
async function work(session: string, pick: (below: number) => number): Promise<void> {
  const text = () => Array.from({ length: 1 + pick(20) }, () => WORDS[pick(WORDS.length)]).join(' ')
  const result_json = JSON.stringify({ content: text() })
  const known = await store.read.selectFrom('agent_tool_calls').select('id').where('session_id', '=', session).orderBy('id').execute()
  const some = known[pick(known.length + 1)]
  const messages = await store.read.selectFrom('agent_messages').select('id').where('session_id', '=', session).orderBy('id').execute()
  await store.write(async (tx) => {
    if (some !== undefined) {
      await tx.db.updateTable('agent_tool_calls').set({ result_json, status: 'completed' }).where('id', '=', some.id).execute()
      return
    }
    const native_id = `call-${pick(1_000_000)}`
    const row = { id: `${session}/${native_id}`, native_id, session_id: session, message_id: messages[pick(messages.length)]?.id ?? null }
    const tool_name = pick(2) === 0 ? 'Read' : 'Bash'
    const params_json = JSON.stringify(tool_name === 'Read' ? { file_path: `/src/${WORDS[pick(5)]}.ts` } : { command: text() })
    await tx.db
      .insertInto('agent_tool_calls')
      .values({ ...row, tool_name, params_json, started_at: SEED_START + pick(1000) })
      .execute()
  })
}

async function disturb(sessions: readonly string[], pick: (below: number) => number): Promise<void> {
  const session = sessions[pick(sessions.length)] as string
  const turns = await store.read
    .selectFrom('agent_turns')
    .select(['id', 'status'])
    .where('session_id', '=', session)
    .orderBy('sequence')
    .execute()
  const some = turns[pick(turns.length)] as { id: string; status: string }
  const last = turns.at(-1) as { id: string }
  switch (pick(6)) {
    case 0:
      return replaceTurn(store, last.id, turn(pick))
    case 1:
      return replaceTurn(store, some.id, turn(pick))
    case 2:
      return setTurnStatus(store, session, { [some.id]: some.status === 'superseded' ? 'final' : 'superseded' })
    case 3:
      await store.write((tx) =>
        tx.db
          .updateTable('agent_sessions')
          .set({ title: `title ${pick(99)}` })
          .where('id', '=', session)
          .execute(),
      )
      return setTurnStatus(store, session, {})
    default:
      return appendTurns(
        store,
        session,
        Array.from({ length: 1 + pick(3) }, () => turn(pick)),
      )
  }
}

describe('tail and backfill', () => {
  it.each([1, 2, 3, 4])('give the same index over many small syncs (seed %i)', async (seed) => {
    const pick = random(seed)
    const sessions: string[] = []
    for (const id of ['one', 'two', 'three']) {
      sessions.push(await seedSession(store, { id, agentId: id === 'three' ? 'max' : 'main', title: `about ${id}`, turns: [turn(pick)] }))
      await index.tail()
    }
    for (let step = 0; step < 30; step++) {
      await disturb(sessions, pick)
      if (pick(2) === 0) await work(sessions[pick(sessions.length)] as string, pick)
      if (pick(3) > 0) await index.tail()
    }
    await index.tail()
    checkFullText()
    const followed = await dump()
    expect(await rebuilt()).toEqual(followed)
    checkFullText()
    await index.backfill({ force: true })
    expect(await dump()).toEqual(followed)
  })

  it('a run that was broken off after any of its transactions is completed by the next one', async () => {
    const pick = random(7)
    const limits = { ...LIMITS, maxChunksPerSession: 400 }
    const long = exchange('one long paste', Array.from({ length: 9000 }, () => WORDS[pick(WORDS.length)]).join(' '))
    await seedSession(store, { id: 'one', turns: Array.from({ length: 12 }, () => turn(pick)) })
    await seedSession(store, { id: 'two', turns: [turn(pick), long, turn(pick)] })
    await indexer({ store, clock: () => SEED_START, owner: OWNER, ...limits }).backfill()
    const undisturbed = await dump()
    let stops = 0
    for (let finished = false; !finished; stops++) {
      await store.write(async (tx) => {
        await tx.db.deleteFrom('files').execute()
        await tx.db.deleteFrom('meta').execute()
      })
      const dying = indexer({ store: breaking(store, stops), clock: () => SEED_START, owner: OWNER, ...limits })
      finished = await dying.backfill().then(
        () => true,
        () => false,
      )
      await indexer({ store, clock: () => SEED_START, owner: OWNER, ...limits }).tail()
      expect(await dump()).toEqual(undisturbed)
    }
    expect(stops).toBeGreaterThan(4)
  })
})

/** A store whose writes fail, as when the process dies, after some of them were committed. */
function breaking(inner: Store, after: number): Store {
  let left = after
  return {
    ...inner,
    write: (work) => (left-- > 0 ? inner.write(work) : Promise.reject(new Error('killed'))),
  }
}
