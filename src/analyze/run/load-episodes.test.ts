import { expect, it } from 'vitest'
import { analyzedStore, DECIDED } from '../../../test/helpers/analyzed-store.ts'
import { readRules } from '../../episodes/definitions.ts'
import type { Store } from '../../store/store.ts'
import type { EpisodeText } from '../analyzer.ts'
import { loadEpisodes } from './load-episodes.ts'

async function load(store: Store, definition: string, reads: 'speech' | 'calls' = 'speech'): Promise<EpisodeText[]> {
  const rules = new Map((await readRules(store.read)).map((rule) => [rule.id, rule.strategy]))
  const rows = await store.read.selectFrom('episodes').selectAll().where('definition_id', '=', definition).orderBy('start_time').execute()
  const found: EpisodeText[] = []
  for await (const text of loadEpisodes(
    store.read,
    rows.map((row) => ({ ...row, strategy: rules.get(row.definition_id) ?? 'thread' })),
    reads,
  ))
    found.push(text)
  return found.sort((a, b) => a.startTime - b.startTime)
}

it.each(['agent_turn', 'aix_turn'])('%s: what was asked and what was answered, by the ids of the messages', async (definition) => {
  const [, , last] = await load(await analyzedStore(), definition)
  expect(last?.messages.map(({ message, text, by, isOwner, trust, turn }) => ({ message, text, by, isOwner, trust, turn }))).toEqual([
    { message: 'codex:s/s-m2', text: DECIDED, by: 'person', isOwner: true, trust: 'owner', turn: 'codex:s/s-m3' },
    {
      ...{ message: 'codex:s/s-m3', text: 'Done: the cache is in SQLite.' },
      by: 'agent',
      isOwner: false,
      trust: 'agent',
      turn: 'codex:s/s-m3',
    },
  ])
  expect(last).toMatchObject({ definition, channel: 'codex', agentId: 'main', cut: false })
})

it('agent_session: all turns in order', async () => {
  const [, session] = await load(await analyzedStore(), 'agent_session')
  expect(session?.messages.map(({ text }) => text)).toEqual([
    ...['Why is the parser slow?', 'The parser reads every file twice.', DECIDED, 'Done: the cache is in SQLite.'],
  ])
})

it('people: who wrote it, and who else took part', async () => {
  const [chat] = await load(await analyzedStore(), 'time_gap_90min')
  expect(chat?.messages.map(({ message, handle, speaker, isOwner, to }) => [message, handle, speaker, isOwner, to])).toEqual([
    ['imessage:m0', 'sarah@example.com', 'Sarah', false, 'people'],
    ['imessage:m1', 'sarah@example.com', 'Sarah', false, 'people'],
  ])
  expect(chat?.people).toEqual([
    { handle: 'sarah@example.com', name: 'Sarah', role: 'from', message: 'imessage:m0' },
    { handle: 'owner@example.com', name: null, role: 'to', message: 'imessage:m1' },
  ])
})
