import { unknownDefinition } from '../browse/list-episodes.ts'
import { given } from '../core/given.ts'
import { DEFINITIONS, readRules } from '../episodes/definitions.ts'
import { rebuildEpisodes } from '../episodes/rebuild.ts'
import { runJob } from '../store/job.ts'
import type { JobHooks } from './options.ts'
import type { Stages } from './stages.ts'

export interface RebuildEpisodesOptions extends JobHooks {
  readonly definition?: string
}

export interface EpisodesReport {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly warnings: readonly string[]
}

export async function runRebuildEpisodes(
  stages: Stages,
  { definition, signal, onProgress }: RebuildEpisodesOptions,
): Promise<EpisodesReport> {
  const { store, indexer, clock } = stages
  const known = [...(await readRules(store.read)), ...DEFINITIONS.map(({ name }) => ({ id: name }))]
  if (definition !== undefined && !known.some(({ id }) => id === definition)) throw unknownDefinition(definition, known)
  return runJob(store, { job: 'episodes rebuild', clock, signal, onProgress }, async (lease) => {
    const hooks = given({ signal, onProgress })
    const written = await rebuildEpisodes(store, { guard: lease.check, clock, definition, ...hooks })
    const isSame = written.added + written.changed + written.removed === 0
    return { ...written, warnings: isSame ? [] : (await indexer.tail({ lease, ...hooks })).warnings }
  })
}
