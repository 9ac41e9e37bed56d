/** Backoff of a failing model: after three failures in a row it rests, longer each time, across processes. */
import { plural } from '../../core/text.ts'
import { toIso } from '../../core/time.ts'
import { META, readMeta, removeMeta, writeMeta } from '../../store/meta.ts'
import type { Store } from '../../store/store.ts'

const LEAST_FAILURES = 3
const FIRST_MS = 60_000
const LONGEST_MS = 6 * 3_600_000

export interface ModelRest {
  readonly failures: number
  /** Milliseconds UTC; 0 if not resting. */
  readonly until: number
  readonly provider: string
  readonly model: string
  readonly message: string
}

type Of = Pick<ModelRest, 'provider' | 'model'>

/** Kept apart: failures of the memory-writer's agent say nothing about `analyze.provider`. */
export const AGENT_PROVIDER = 'agent'

function slotOf({ provider }: Of) {
  return provider === AGENT_PROVIDER ? META.agentRest : META.modelRest
}

export async function readRest(db: Store['read'], { provider, model }: Of): Promise<ModelRest | undefined> {
  const value = await readMeta(db, slotOf({ provider, model }))
  if (value === undefined) return undefined
  const found = JSON.parse(value) as ModelRest
  return found.provider === provider && found.model === model ? found : undefined
}

export async function noteFailure(
  store: Store,
  { provider, model }: Of,
  { message, now }: { message: string; now: number },
): Promise<ModelRest> {
  return store.write(async ({ db }) => {
    const failures = ((await readRest(db, { provider, model }))?.failures ?? 0) + 1
    const pause = Math.min(FIRST_MS * 2 ** (failures - LEAST_FAILURES), LONGEST_MS)
    const rest: ModelRest = { failures, until: failures < LEAST_FAILURES ? 0 : now + pause, provider, model, message }
    await writeMeta(db, slotOf({ provider, model }), JSON.stringify(rest))
    return rest
  })
}

export async function clearRest(store: Store, of: Of): Promise<void> {
  if ((await readRest(store.read, of)) !== undefined) await store.write(({ db }) => removeMeta(db, slotOf(of)))
}

export function describeRest({ provider, model, failures, until, message }: ModelRest): string {
  return `${provider} (${model}) failed ${plural(failures, 'time')} in a row and is left alone until ${toIso(until)}: ${message}`
}
