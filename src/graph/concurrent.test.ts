import { join } from 'node:path'
import { expect, it } from 'vitest'
import { found, from, graphTables, named, observed, peopleOf, runOf, type Told, tell } from '../../test/helpers/graph-story.ts'
import { NOON, tempFolder, tempStore } from '../../test/helpers/store.ts'
import { openSqlite } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { mergeEntities } from './decide.ts'
import { writeExtracted } from './write-extracted.ts'

const TOLD: readonly Told[] = Array.from({ length: 12 }, (_, n) => ({
  ...{ id: `m${n}`, at: n, channel: 'gmail', says: `Acme number ${n}` },
  ...{
    from: [`person${n % 4}@example.com`, n % 2 === 0 ? 'Sarah Chen' : 'Sarah J. Chen'] as const,
    to: [[`person${n % 3}@example.com`, null]] as const,
  },
}))

async function write(store: Store, told: Told, dies = false): Promise<void> {
  const people = [...new Map(peopleOf(told).map((one) => [one.ref, one])).values()]
  const acme = named(told, 'Acme', 'company')
  await store.write(async (tx) => {
    const runId = await runOf(tx, await tell(tx, told))
    const [speaker] = people
    await writeExtracted(
      tx,
      from(told, { runId }),
      found([...people, acme], speaker === undefined ? [] : [observed(told, speaker, 'KNOWS', acme)]),
    )
    if (dies) throw new Error('killed')
  })
}

async function sequential() {
  const store = await tempStore()
  for (const told of TOLD) await write(store, told)
  return graphTables(store)
}

it('two processes that write at once leave the graph of one', async () => {
  const path = join(tempFolder(), 'mnemonic.db')
  const [one, other] = [await openSqlite({ path, clock: () => NOON }), await openSqlite({ path, clock: () => NOON })]
  await Promise.all([
    (async () => {
      for (const told of TOLD.filter((_, at) => at % 2 === 0)) await write(one, told)
    })(),
    (async () => {
      for (const told of TOLD.filter((_, at) => at % 2 === 1)) await write(other, told)
    })(),
  ])
  expect(await graphTables(one)).toEqual(await sequential())
  await Promise.all([one.close(), other.close()])
})

it('what dies in the middle of a run or of a decision leaves nothing of it', async () => {
  const store = await tempStore()
  for (const told of TOLD) {
    const before = await graphTables(store)
    await expect(write(store, told, true)).rejects.toThrow('killed')
    expect(await graphTables(store)).toEqual(before)
    await write(store, told)
  }
  const all = await graphTables(store)
  expect(all).toEqual(await sequential())
  await expect(
    store.write(async (tx) => {
      await mergeEntities(tx, { from: 'person0@example.com', into: 'person1@example.com' }, { agentId: 'main', now: NOON })
      throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  expect(await graphTables(store)).toEqual(all)
  expect(await store.read.selectFrom('graph_decisions').selectAll().execute()).toEqual([])
})
