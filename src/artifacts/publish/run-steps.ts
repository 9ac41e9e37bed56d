/** A crash may repeat a step, so each is idempotent. Steps split at the rendering, which many publications share. */
import { pauseToStop } from '../../core/stopped.ts'
import type { WriteTx } from '../../store/store.ts'
import { advanceJournal, beginJournal, endJournal, type JournalKey, type Plan } from './journal.ts'
import type { PublishContext } from './publish-context.ts'

/** Returns data that no file contains. */
export type Step = (plan: Plan) => Promise<Plan | undefined>

export interface Steps {
  readonly manifest: (tx: WriteTx) => Promise<string>
  readonly before: Readonly<Record<string, Step>>
  readonly after: Readonly<Record<string, Step>>
}

export interface Written {
  /** False if rendered before a crash. */
  readonly unrendered: boolean
  /** Undefined if another process ended the publication. */
  finish(): Promise<Plan | undefined>
}

const RENDERING = 'projection'

/** Undefined if another process finished it, or works on it and `leaveBusy` is set. */
export async function runSteps(
  { store, clock, onStep, signal, leaveBusy }: PublishContext,
  row: JournalKey,
  { manifest, before, after }: Steps,
): Promise<Written | undefined> {
  const steps: Readonly<Record<string, Step>> = { ...before, [RENDERING]: async () => undefined, ...after }
  const names = Object.keys(steps)
  const rendering = names.indexOf(RENDERING)
  const begun = await beginJournal(store, row, { first: names[0] as string, now: clock(), manifest })
  if (begun.busy && leaveBusy) return undefined
  let { plan } = begun
  // Another version's journal may name an unknown step: restart.
  const from = Math.max(0, names.indexOf(begun.step))

  async function announce(name: string): Promise<void> {
    await pauseToStop(signal, 'publishing')
    await onStep?.(name)
  }
  async function run(at: number): Promise<boolean> {
    plan = (await (steps[names[at] as string] as Step)(plan)) ?? plan
    const next = names[at + 1]
    if (next === undefined) return true
    const moved = await store.write((tx) => advanceJournal(tx, row, { next, steps: names, plan, now: clock() }))
    plan = moved ?? plan
    return moved !== undefined
  }

  for (let at = from; at < rendering; at++) {
    await announce(names[at] as string)
    if (!(await run(at))) return undefined
  }
  if (from <= rendering) await announce(RENDERING)
  return {
    unrendered: from <= rendering,
    async finish() {
      for (let at = Math.max(from, rendering); at < names.length; at++) {
        if (at > rendering) await announce(names[at] as string)
        if (!(await run(at))) return undefined
      }
      await onStep?.('end')
      await store.write((tx) => endJournal(tx, row))
      return plan
    },
  }
}
