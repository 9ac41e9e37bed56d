import { expect, it } from 'vitest'
import { analyzedStore, DECIDED, grouped, talk } from '../../../test/helpers/analyzed-store.ts'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import { META, writeMeta } from '../../store/meta.ts'
import type { Store } from '../../store/store.ts'
import { labelWaiting } from './label-waiting.ts'

const label = (store: Store, isOn: (agent: string) => boolean = () => true) => labelWaiting(store, { isOn })
const turns = (store: Store) =>
  store.read.selectFrom('agent_turns').select(['id', 'label', 'summary', 'topics', 'status']).orderBy('timestamp').execute()

it('every turn that is over gets label, summary and topics, once', async () => {
  const store = await analyzedStore()
  expect(await label(store)).toBe(3)
  const [, slow, decided] = await turns(store)
  expect(slow).toMatchObject({ label: 'Why is the parser slow?', status: 'final' })
  expect(slow?.summary).toContain('The parser reads every file twice')
  expect(JSON.parse(slow?.topics ?? '[]')).toContain('parser')
  expect(decided?.label).toBe(DECIDED)
  expect(await label(store)).toBe(0)
  // Labels create no runs.
  expect(await store.read.selectFrom('analysis_runs').select('id').execute()).toEqual([])
})

it('a turn that goes on loses its label, and gets another when it is over', async () => {
  const store = await tempStore()
  await talk(store, 's', [['Why is the parser slow?', 'It reads every file twice.']])
  await grouped(store)
  await label(store)
  await talk(store, 's', [
    ['Why is the parser slow?', 'It reads every file twice.'],
    ['And now?', 'Now it reads each once.'],
  ])
  await grouped(store)
  expect(await label(store)).toBe(1)
  // A question without a name tells less than its answer.
  expect((await turns(store)).map((turn) => turn.label)).toEqual(['Why is the parser slow?', 'Now it reads each once.'])
})

it('where labelling is off for an agent, its turns have none until it is on', async () => {
  const store = await analyzedStore()
  await talk(store, 'other', [['What is for lunch?', 'Soup.']], { agent: 'max' })
  await grouped(store)
  expect(await label(store, (agent) => agent !== 'max')).toBe(3)
  expect(await label(store, (agent) => agent !== 'max')).toBe(0)
  expect(await label(store)).toBe(1)
})

it('other rules label again what rules said, and nothing that a model said', async () => {
  const store = await analyzedStore()
  await label(store)
  const [old] = await turns(store)
  const episode = await store.read
    .selectFrom('episodes')
    .selectAll()
    .where('definition_id', '=', 'agent_turn')
    .orderBy('start_time')
    .executeTakeFirstOrThrow()
  await store.write(async (tx) => {
    await writeMeta(tx.db, META.labelsIdentity, 'older rules')
    await tx.db
      .updateTable('agent_turns')
      .set({ label: 'by a model' })
      .where('id', '=', old?.id ?? '')
      .execute()
    const type = { id: 'turn_labels', name: 'turn_labels', version: '1', output_type: 'structured', created_at: 0, updated_at: 0 }
    await tx.db.insertInto('analysis_types').values(type).execute()
    const run = { id: 'r', analysis_type_id: 'turn_labels', episode_id: episode.id, status: 'completed' as const, created_at: NOON }
    await tx.db
      .insertInto('analysis_runs')
      .values({ ...run, implementation: 'a/model' })
      .execute()
  })
  expect(await label(store)).toBe(2)
  expect((await turns(store))[0]?.label).toBe('by a model')
})

it('a word in capitals that is a secret is no topic', async () => {
  const store = await tempStore()
  const key = ['ASIA', 'WTHFYJFP', 'IHDRBUJM'].join('')
  await talk(store, 's', [[`Why does the parser use ${key}?`, `It reads ${key} from the parser.`]])
  await grouped(store)
  await talk(store, 't', [['Something else', 'Yes.']])
  await grouped(store)
  await label(store)
  const rows = JSON.stringify(await turns(store)).toLowerCase()
  expect(rows).toContain('parser')
  expect(rows).not.toContain(key.toLowerCase())
})
