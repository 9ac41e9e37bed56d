/** The next sync or rebuild creates the episodes of an added definition. */
import { MnemonicError } from '../core/error.ts'
import { META, readMeta, writeMeta } from '../store/meta.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { DEFINITIONS, type Definition, readRules, type Strategy } from './definitions.ts'
import { rebuildEpisodes } from './rebuild.ts'
import { type EpisodesRun, identityOf } from './update.ts'

export interface NewDefinition {
  readonly name: string
  readonly strategy: string
  readonly channel?: string
  readonly gapMinutes?: number
  readonly description?: string
}

const NAME = /^[a-z][a-z0-9_]{1,47}$/

/** Upserts. Built-in definitions cannot be changed. */
export async function addDefinition(store: Store, given: NewDefinition, now: number): Promise<Definition> {
  const { name, strategy, channel = null, gapMinutes, description = '' } = given
  if (!NAME.test(name)) throw new MnemonicError('USAGE', `the name ${JSON.stringify(name)} is not lower-case letters, digits and _`)
  if (DEFINITIONS.some((one) => one.name === name)) throw new MnemonicError('USAGE', `the definition ${name} is built in, and stays`)
  const strategies = [...new Set(DEFINITIONS.map((one) => one.strategy))]
  if (!strategies.includes(strategy as Strategy))
    throw new MnemonicError('USAGE', `no strategy is called ${JSON.stringify(strategy)}`, { hint: `There are: ${strategies.join(', ')}.` })
  if (gapMinutes !== undefined && strategy !== 'time_gap')
    throw new MnemonicError('USAGE', 'only a definition by time_gap has a pause', {
      hint: 'Leave the pause out, or take the strategy time_gap.',
    })
  const config = gapMinutes === undefined ? {} : { gap_seconds: gapMinutes * 60, scope: 'thread' }
  const values = { strategy, channel, config_json: JSON.stringify(config), description, updated_at: now }
  await store.write(async (tx) => {
    await keepingIdentity(tx, () =>
      tx.db
        .insertInto('episode_definitions')
        .values({ id: name, name, ...values, created_at: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
        .execute(),
    )
    await writeMeta(tx.db, META.definitionsAdded, JSON.stringify([...new Set([...(await addedOnes(tx)), name])]))
  })
  return { name, strategy: strategy as Strategy, channel, config, description }
}

/** Also removes its episodes and their analyses. */
export async function removeDefinition(store: Store, name: string): Promise<void> {
  if (DEFINITIONS.some((one) => one.name === name)) throw new MnemonicError('USAGE', `the definition ${name} is built in, and stays`)
  await store.write(async (tx) => {
    const known = await tx.db.selectFrom('episode_definitions').select('id').where('id', '=', name).executeTakeFirst()
    if (known === undefined) throw new MnemonicError('NOT_FOUND', `no definition is called ${JSON.stringify(name)}`)
    await tx.db.deleteFrom('episodes').where('definition_id', '=', name).execute()
    await keepingIdentity(tx, () => tx.db.deleteFrom('episode_definitions').where('id', '=', name).execute())
  })
}

export async function buildAdded(store: Store, run: EpisodesRun): Promise<void> {
  for (const definition of await addedOnes({ db: store.read })) {
    await rebuildEpisodes(store, { ...run, definition })
    await store.write(async (tx) => {
      await run.guard(tx)
      const left = (await addedOnes(tx)).filter((name) => name !== definition)
      await writeMeta(tx.db, META.definitionsAdded, JSON.stringify(left))
    })
  }
}

async function addedOnes({ db }: Pick<WriteTx, 'db'>): Promise<string[]> {
  return JSON.parse((await readMeta(db, META.definitionsAdded)) ?? '[]') as string[]
}

/** Otherwise the next sync would rebuild every episode and make every analysis stale. */
async function keepingIdentity(tx: WriteTx, change: () => Promise<unknown>): Promise<void> {
  const before = identityOf(await readRules(tx.db))
  const isCurrent = (await readMeta(tx.db, META.episodesIdentity)) === before
  await change()
  if (isCurrent) await writeMeta(tx.db, META.episodesIdentity, identityOf(await readRules(tx.db)))
}
