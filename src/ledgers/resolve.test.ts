import { beforeEach, describe, expect, it } from 'vitest'
import { exchange, seedSession } from '../../test/helpers/seed-ledger.ts'
import { tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import { resolveSession, resolveTurn } from './resolve.ts'

let store: Store
beforeEach(async () => {
  store = await tempStore()
  await seedSession(store, { id: 'abcdef-1111', label: 'blue-whale', turns: [exchange('a', 'b', { id: 'turn-one-x' })] })
  await seedSession(store, { id: 'abcdef-2222', label: 'blue-heron', agentId: 'other' })
  await seedSession(store, { id: '100%_done', source: 'jsonl', label: '100%_done' })
  await seedSession(store, { id: '100x-done', source: 'jsonl', label: '100x-done' })
})

describe('a session', () => {
  it.each([
    ['full id', 'claude-code:abcdef-1111'],
    ['native id', 'abcdef-1111'],
    ['label', 'blue-whale'],
    ['prefix of the id', 'claude-code:abcdef-1'],
    ['prefix of the native id', 'abcdef-1'],
    ['prefix of the label', 'blue-w'],
  ])('is found by its %s', async (_kind, text) => {
    expect((await resolveSession(store, text)).id).toBe('claude-code:abcdef-1111')
  })

  it('is not found by a prefix of five characters, and the hint says why', async () => {
    await expect(resolveSession(store, 'abcde')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('at least 6 characters'),
    })
  })

  it('that shares a prefix with another is ambiguous, unless the persona decides', async () => {
    await expect(resolveSession(store, 'abcdef')).rejects.toMatchObject({
      code: 'AMBIGUOUS_ID',
      details: { candidates: ['claude-code:abcdef-1111', 'claude-code:abcdef-2222'] },
    })
    expect((await resolveSession(store, 'abcdef', 'other')).id).toBe('claude-code:abcdef-2222')
    await expect(resolveSession(store, 'abcdef-1111', 'other')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('of a similar name is offered when there is none', async () => {
    await expect(resolveSession(store, 'abcdef-9')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('abcdef-1111'),
    })
    await expect(resolveSession(store, 'nothing-like-it')).rejects.toMatchObject({ hint: expect.stringContaining('mnemonic sessions') })
  })

  it('is found with % and _ as text only', async () => {
    expect((await resolveSession(store, '100%_d')).native_id).toBe('100%_done')
    await expect(resolveSession(store, '%%%%%%')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(resolveSession(store, 'abcd__-1111')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('never shows more than five candidates', async () => {
    for (let i = 0; i < 8; i++) await seedSession(store, { id: `same-name-${i}` })
    await expect(resolveSession(store, 'same-name')).rejects.toSatisfy(
      (error: { details: { candidates: string[] } }) => error.details.candidates.length === 5,
    )
  })
})

describe('a turn', () => {
  it('is found by any id of any message it holds now', async () => {
    const turn = await store.read.selectFrom('agent_turns').selectAll().executeTakeFirstOrThrow()
    const messages = await store.read.selectFrom('agent_messages').selectAll().where('turn_id', '=', turn.id).execute()
    expect(messages.length).toBeGreaterThan(1)
    for (const { id, native_id } of messages) {
      expect((await resolveTurn(store, id)).id).toBe(turn.id)
      expect((await resolveTurn(store, native_id)).id).toBe(turn.id)
    }
    expect((await resolveTurn(store, turn.id)).id).toBe(turn.id)
    expect((await resolveTurn(store, 'claude-code:abcdef-1111/')).id).toBe(turn.id)
  })

  it('is found by the name of a record that became part of a message', async () => {
    const message = await store.read.selectFrom('agent_messages').selectAll().limit(1).executeTakeFirstOrThrow()
    await store.write(({ db }) =>
      db
        .insertInto('agent_records')
        .values({ source: 'claude-code', native_id: 'line-uuid-0001', hash: 'h', message_id: message.id })
        .execute(),
    )
    expect((await resolveTurn(store, 'line-uuid-0001')).id).toBe(message.turn_id)
    expect((await resolveTurn(store, 'line-uuid')).id).toBe(message.turn_id)
  })

  it('is ambiguous where two sessions use the same native id', async () => {
    await seedSession(store, { id: 'twin-a', turns: [exchange('a', 'b')] })
    await seedSession(store, { id: 'twin-b', turns: [exchange('a', 'b')] })
    const { native_id } = await store.read
      .selectFrom('agent_messages')
      .select('native_id')
      .where('session_id', '=', 'claude-code:twin-a')
      .executeTakeFirstOrThrow()
    await expect(resolveTurn(store, native_id)).rejects.toMatchObject({ code: 'AMBIGUOUS_ID' })
  })

  it('that does not exist is NOT_FOUND, and signs of patterns are text', async () => {
    for (const text of ['', 'no-such-turn', '%', '______________', '\0', "'"]) {
      await expect(resolveTurn(store, text)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })
})
