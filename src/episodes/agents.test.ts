import { describe, expect, it } from 'vitest'
import { random } from '../../test/helpers/generate-claude.ts'
import { runAdapter } from '../../test/helpers/run-adapters.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { shortHash } from '../core/hash.ts'
import { aixEvents } from '../ingest/events/aix-events.ts'
import type { AgentRecord, MessageRecord } from '../ledgers/agent-record.ts'
import { agentsWriter } from '../ledgers/agents-writer.ts'
import { removeMessages } from '../ledgers/removal/remove-messages.ts'
import type { Store } from '../store/store.ts'
import { ensureSessionEpisode, sessionEpisodeId } from './agent-session.ts'
import { updateEpisodes } from './update.ts'

const MINUTE = 60_000
const run = { guard: async () => {}, clock: () => NOON }
const NOTHING = { added: 0, changed: 0, removed: 0 }

async function ingest(store: Store, records: readonly AgentRecord[]): Promise<void> {
  const writer = agentsWriter({ source: 'codex', clock: () => NOON, quietMs: 120 * MINUTE })
  await store.write(async (tx) => {
    await writer.apply(tx, records)
    await writer.finish(tx)
  })
}

const session = (native: string): AgentRecord => ({ type: 'session', session: native, firstHash: native })

function say(native: string, id: string, role: MessageRecord['role'], more: Partial<MessageRecord> = {}): MessageRecord {
  const kind = { user: 'prompt', assistant: 'reply', tool: 'tool_result', system: 'meta' } as const
  const text = more.text ?? (role === 'tool' ? '' : `${role} says ${id}`)
  return {
    ...{ type: 'message', session: native, id, hash: shortHash(16, role, text, id), role, kind: kind[role], text },
    ...{ timestamp: NOON - 600 * MINUTE + Number(id.replace(/\D/g, '')) * MINUTE, trust: role === 'user' ? 'owner' : 'agent' },
    ...more,
  }
}

/** Naive reference implementation. */
async function expected(store: Store) {
  const turns = await store.read.selectFrom('agent_turns').selectAll().execute()
  const messages = await store.read.selectFrom('agent_messages').selectAll().orderBy('sequence').execute()
  const trust = (of: typeof messages) => {
    const labels = ['owner', 'agent', 'contact', 'untrusted']
    const speech = of.filter(({ role }) => role === 'user' || role === 'assistant')
    return labels[Math.max(...(speech.length > 0 ? speech : of).map((m) => labels.indexOf(m.trust)))]
  }
  const rows = turns.map((turn) => {
    const said = messages.filter(({ turn_id }) => turn_id === turn.id)
    const times = said.map(({ timestamp }) => timestamp ?? 0)
    return {
      id: shortHash(32, 'agent_turn\n', turn.session_id, '\n', turn.opener_id),
      ...{ definition_id: 'agent_turn', channel: 'codex', thread_id: turn.session_id, agent_id: 'main' },
      ...{ start_time: Math.min(...times), end_time: Math.max(...times), event_count: said.length },
      ...{ first_event_id: turn.opener_id, last_event_id: said.at(-1)?.id, trust: trust(said), events: said.map(({ id }) => id) },
    }
  })
  for (const one of await store.read.selectFrom('agent_sessions').selectAll().execute()) {
    const said = messages.filter(({ session_id }) => session_id === one.id)
    if (said.length === 0) continue
    rows.push({
      id: shortHash(32, 'agent_session\n', one.id),
      ...{ definition_id: 'agent_session', channel: 'codex', thread_id: one.id, agent_id: 'main' },
      ...{ start_time: one.started_at ?? 0, end_time: one.last_message_at ?? 0, event_count: said.length },
      ...{ first_event_id: said[0]?.id as string, last_event_id: said.at(-1)?.id, trust: trust(said), events: said.map(({ id }) => id) },
    })
  }
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
}

async function episodes(store: Store) {
  const found = []
  const rows = await store.read.selectFrom('episodes').selectAll().where('definition_id', 'like', 'agent%').orderBy('id').execute()
  for (const { summary: _, created_at: __, revision: ___, ...row } of rows) {
    const events = await store.read
      .selectFrom('episode_events')
      .select('event_id')
      .where('episode_id', '=', row.id)
      .orderBy('position')
      .execute()
    found.push({ ...row, events: events.map(({ event_id }) => event_id) })
  }
  return found
}

describe('episodes of agents', () => {
  it.each([1, 2, 3, 4, 5, 6])('any growth of sessions, in any batches, gives what the ledger says (seed %d)', async (seed) => {
    const rand = random(seed)
    const some = (n: number) => Math.floor(rand() * n)
    const store = await tempStore()
    let number = 0
    const last: Record<string, string[]> = { s: [], t: [] }
    const roles = ['user', 'assistant', 'tool', 'assistant'] as const
    await ingest(store, [session('s'), session('t')])
    for (let batch = 0; batch < 15; batch++) {
      const records: AgentRecord[] = []
      for (let change = some(6); change >= 0; change--) {
        const native = rand() < 0.5 ? 's' : 't'
        const ids = last[native] as string[]
        const id = `m${++number}`
        // Sometimes branch off an earlier message.
        const back = ids.length > 3 && rand() < 0.15 ? { parent: ids[some(ids.length)] as string } : {}
        const trust = rand() < 0.1 ? { trust: 'untrusted' as const } : {}
        records.push(say(native, id, roles[some(4)] ?? 'user', { ...back, ...trust }))
        ids.push(id)
      }
      await ingest(store, records)
      if (rand() < 0.4) {
        // Forget a random message.
        const messages = await store.read.selectFrom('agent_messages').select('id').orderBy('id').execute()
        const gone = messages[some(messages.length)]
        if (gone) await store.write((tx) => removeMessages(tx, [gone.id], { clock: () => NOON, quietMs: 120 * MINUTE }))
      }
      await updateEpisodes(store, run)
      expect(await episodes(store)).toEqual(await expected(store))
      expect(await updateEpisodes(store, run)).toEqual(NOTHING)
    }
  })

  const talk = [session('s'), say('s', 'm1', 'user'), say('s', 'm2', 'assistant'), say('s', 'm3', 'user'), say('s', 'm4', 'assistant')]

  it('a turn that goes on takes its episode along; the others stay as they are', async () => {
    const store = await tempStore()
    await ingest(store, talk)
    await updateEpisodes(store, run)
    const before = await store.read.selectFrom('episodes').selectAll().execute()
    await ingest(store, [say('s', 'm5', 'tool'), say('s', 'm6', 'assistant')])
    await updateEpisodes(store, run)
    const after = new Map((await store.read.selectFrom('episodes').selectAll().execute()).map((row) => [row.id, row]))
    const changed = before
      .filter((row) => after.get(row.id)?.revision !== row.revision)
      .map(({ first_event_id, definition_id }) => [definition_id, first_event_id])
    expect(changed.sort()).toEqual([
      ['agent_session', 'codex:s/m1'],
      ['agent_turn', 'codex:s/m3'],
    ])
    expect(after.size).toBe(3)
  })

  it('reading the same again changes nothing', async () => {
    const store = await tempStore()
    await ingest(store, talk)
    await updateEpisodes(store, run)
    const before = await store.read.selectFrom('episodes').selectAll().execute()
    await ingest(store, talk)
    expect(await updateEpisodes(store, run)).toEqual(NOTHING)
    expect(await store.read.selectFrom('episodes').selectAll().execute()).toEqual(before)
  })

  it('a session that is removed takes all of them along, and waits for nothing', async () => {
    const store = await tempStore()
    await ingest(store, talk)
    await runAdapter(store, aixEvents(store))
    await updateEpisodes(store, run)
    expect(new Set((await store.read.selectFrom('episodes').select('definition_id').execute()).map((row) => row.definition_id))).toEqual(
      new Set(['aix_turn', 'agent_turn', 'agent_session']),
    )
    await store.write((tx) => tx.db.deleteFrom('agent_sessions').execute())
    expect(await store.read.selectFrom('episodes').select('id').execute()).toEqual([])
    expect(await store.read.selectFrom('episode_sessions_waiting').selectAll().execute()).toEqual([])
    expect(await updateEpisodes(store, run)).toEqual(NOTHING)
    expect(await store.read.selectFrom('episode_waiting').selectAll().execute()).toEqual([])
  })

  it('an episode that somebody drops is made again', async () => {
    const store = await tempStore()
    await ingest(store, talk)
    await updateEpisodes(store, run)
    const before = await episodes(store)
    await store.write((tx) => tx.db.deleteFrom('episodes').execute())
    expect(await updateEpisodes(store, run)).toEqual({ added: 3, changed: 0, removed: 0 })
    expect(await episodes(store)).toEqual(before)
  })

  it('a session of many turns takes several transactions, and can be stopped between them', async () => {
    const store = await tempStore()
    const many = Array.from({ length: 250 }, (_, n) => [say('s', `m${2 * n + 1}`, 'user'), say('s', `m${2 * n + 2}`, 'assistant')]).flat()
    await ingest(store, [session('s'), ...many])
    let transactions = 0
    const guard = async () => void transactions++
    await updateEpisodes(store, { ...run, guard })
    expect(transactions).toBeGreaterThanOrEqual(3)
    expect(await episodes(store)).toEqual(await expected(store))
    // One more prompt must touch only the last turns.
    transactions = 0
    await ingest(store, [say('s', 'm9001', 'user')])
    await updateEpisodes(store, { ...run, guard })
    expect(transactions).toBe(1)
    expect(await episodes(store)).toEqual(await expected(store))
  })

  it('the episode that analyses made of a session keeps its id and its runs', async () => {
    const store = await tempStore()
    await ingest(store, talk)
    const id = await store.write((tx) => ensureSessionEpisode(tx, 'codex:s', () => NOON))
    expect(id).toBe(sessionEpisodeId('codex:s'))
    expect(id).toBe(shortHash(32, 'agent_session', '\n', 'codex:s'))
    const [made] = await store.read.selectFrom('episodes').selectAll().execute()
    await updateEpisodes(store, run)
    expect(
      await store.read
        .selectFrom('episodes')
        .selectAll()
        .where('id', '=', id as string)
        .executeTakeFirst(),
    ).toMatchObject({
      ...{ id, created_at: made?.created_at, event_count: 4, first_event_id: 'codex:s/m1', last_event_id: 'codex:s/m4' },
    })
    expect(await store.write((tx) => ensureSessionEpisode(tx, 'codex:nobody', () => NOON))).toBeUndefined()
  })
})
