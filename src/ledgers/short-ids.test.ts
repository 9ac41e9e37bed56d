import { beforeEach, describe, expect, it } from 'vitest'
import { exchange, seedSession } from '../../test/helpers/seed-ledger.ts'
import { tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import { resolveAny, resolveTurn } from './resolve.ts'
import { shortSessionId, shortSessionIds, shortTurnIds } from './short-ids.ts'

let store: Store
beforeEach(async () => {
  store = await tempStore()
})

const turns = (count: number) => Array.from({ length: count }, (_, i) => exchange(`question ${i}`, `answer ${i}`))
const row = (id: string) =>
  store.read.selectFrom('agent_sessions').select(['id', 'native_id']).where('id', '=', id).executeTakeFirstOrThrow()
const short = async (id: string) => shortSessionId(store, await row(id))

/** Printed short ids must resolve to the same turn or session. */
async function leadsBack(session: string, agentId?: string): Promise<string[]> {
  const rows = await store.read.selectFrom('agent_turns').select('id').where('session_id', '=', session).orderBy('sequence').execute()
  const ids = await shortTurnIds(
    store,
    rows.map(({ id }) => id),
  )
  for (const { id } of rows) {
    expect((await resolveTurn(store, ids.get(id) ?? '', agentId)).id).toBe(id)
    expect((await resolveAny(store, ids.get(id) ?? '', agentId))?.turn?.id).toBe(id)
  }
  const named = await resolveAny(store, await short(session), agentId)
  expect([named?.session.id, named?.turn]).toEqual([session, undefined])
  return rows.map(({ id }) => ids.get(id) ?? '')
}

describe('a short id', () => {
  it('has eight characters of the session and the place of the turn', async () => {
    await seedSession(store, { id: 'c010174c-9f2e-4b11', turns: turns(3) })
    expect(await leadsBack('claude-code:c010174c-9f2e-4b11')).toEqual(['c010174c:1', 'c010174c:2', 'c010174c:3'])
  })

  it('has as many as tell sessions apart, by any name that they have', async () => {
    await seedSession(store, { id: 'rollout-2026-01-01-a', turns: turns(1) })
    await seedSession(store, { id: 'rollout-2026-01-01-b', turns: turns(1) })
    await seedSession(store, { id: 'other', label: 'rollout-2026-01-01-abc' })
    expect(await leadsBack('claude-code:rollout-2026-01-01-a')).toEqual(['rollout-2026-01-01-a:1'])
    expect(await leadsBack('claude-code:rollout-2026-01-01-b')).toEqual(['rollout-2026-01-01-b:1'])
  })

  it('is the whole name where another begins with it', async () => {
    await seedSession(store, { id: 'planning', turns: turns(1) })
    await seedSession(store, { id: 'planning-2', turns: turns(1) })
    expect(await leadsBack('claude-code:planning')).toEqual(['planning:1'])
    expect(await leadsBack('claude-code:planning-2')).toEqual(['planning-:1'])
  })

  it('has the source where two sources have a session of that name', async () => {
    await seedSession(store, { id: 'standup', source: 'jsonl', turns: turns(2) })
    await seedSession(store, { id: 'standup', source: 'codex', turns: turns(1) })
    expect(await leadsBack('jsonl:standup')).toEqual(['jsonl:standup:1', 'jsonl:standup:2'])
    expect(await leadsBack('codex:standup')).toEqual(['codex:standup:1'])
  })

  it('of a session that is called by a number has the source: a number alone is a line of the last answer', async () => {
    await seedSession(store, { id: '1', source: 'jsonl', turns: turns(1) })
    await seedSession(store, { id: '20260105', source: 'jsonl', turns: turns(1) })
    expect(await short('jsonl:1')).toBe('jsonl:1')
    expect(await leadsBack('jsonl:1')).toEqual(['jsonl:1:1'])
    expect(await leadsBack('jsonl:20260105')).toEqual(['20260105:1'])
  })

  it('of a session that is called like an option has the source', async () => {
    await seedSession(store, { id: '--help', source: 'jsonl', turns: turns(1) })
    expect(await short('jsonl:--help')).toBe('jsonl:--help')
    expect(await leadsBack('jsonl:--help')).toEqual(['jsonl:--help:1'])
  })

  it('of names with colons is never taken for the turn of another session', async () => {
    await seedSession(store, { id: 'agent:main', source: 'openclaw', turns: turns(3) })
    await seedSession(store, { id: 'agent:main:2', source: 'openclaw', turns: turns(2) })
    await seedSession(store, { id: 'agent:main:2345', source: 'openclaw', turns: turns(2) })
    expect(await leadsBack('openclaw:agent:main')).toEqual(['agent:main:1', 'openclaw:agent:main/m3', 'agent:main:3'])
    expect(await leadsBack('openclaw:agent:main:2')).toEqual(['agent:main:2:1', 'agent:main:2:2'])
    expect(await leadsBack('openclaw:agent:main:2345')).toEqual(['agent:main:2345:1', 'agent:main:2345:2'])
  })

  it('is found among the sessions of one persona, where another has a similar one', async () => {
    await seedSession(store, { id: 'harbour-a', turns: turns(1) })
    await seedSession(store, { id: 'harbour-b', agentId: 'other', turns: turns(1) })
    expect((await resolveTurn(store, 'harbour:1', 'other')).session_id).toBe('claude-code:harbour-b')
    await expect(resolveTurn(store, 'harbour:1')).rejects.toMatchObject({ code: 'AMBIGUOUS_ID' })
    await expect(resolveTurn(store, 'harbour-b:1', 'main')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await leadsBack('claude-code:harbour-b', 'other')
  })

  it('stays when turns and branches are added', async () => {
    const before = [exchange('first', 'one', { id: 'a' }), exchange('second', 'two', { id: 'b' })]
    await seedSession(store, { id: 'c010174c-9f2e', turns: before })
    const old = await leadsBack('claude-code:c010174c-9f2e')
    const grown = await tempStore()
    const branch = [exchange('second again', 'three', { id: 'c', parent: 'a' }), exchange('last', 'four', { id: 'd' })]
    await seedSession(grown, {
      id: 'c010174c-9f2e',
      turns: [before[0], { ...before[1], status: 'superseded' }, ...branch] as typeof before,
    })
    store = grown
    const now = await leadsBack('claude-code:c010174c-9f2e')
    expect(now.slice(0, 2)).toEqual(old)
    expect(now).toEqual(['c010174c:1', 'c010174c:2', 'c010174c:3', 'c010174c:4'])
  })

  it('of a turn that is not there is NOT_FOUND', async () => {
    await seedSession(store, { id: 'c010174c-9f2e', turns: turns(2) })
    for (const id of ['c010174c:3', 'c010174c:0', 'c010174c:-1', 'c010174c:99999999999', 'c010:1'])
      await expect(resolveTurn(store, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is the same for many sessions at once as for one', async () => {
    const ids = Array.from({ length: 60 }, (_, i) => `same-beginning-${(i * 7919) % 64}`)
    for (const id of ids) await seedSession(store, { id, label: `label-${id}` })
    await seedSession(store, { id: 'same-beginning-1', source: 'codex' })
    const rows = await store.read.selectFrom('agent_sessions').select(['id', 'native_id']).execute()
    const together = await shortSessionIds(store, rows)
    for (const one of rows) expect(together.get(one.id)).toBe(await shortSessionId(store, one))
    expect(together.get('codex:same-beginning-1')).toBe('codex:same-beginning-1')
  })
})
