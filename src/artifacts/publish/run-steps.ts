/**
 * Runs the steps of a publication from the step that the journal names, in two parts: up to the rendering of MEMORY.md, which many
 * publications share, and what comes after it. Each step may run twice: a process can die right after its work.
 */
import { pauseToStop } from '../../core/stopped.ts'
import type { WriteTx } from '../../store/store.ts'
import { advanceJournal, beginJournal, endJournal, type JournalKey, type Plan } from './journal.ts'
import type { PublishContext } from './publish-context.ts'

/** Gives what later steps need to know beside what is in the files. */
export type Step = (plan: Plan) => Promise<Plan | undefined>

export interface Steps {
  /** Where the manifest of the session is, or will be; asked when the publication begins. */
  readonly manifest: (tx: WriteTx) => Promise<string>
  readonly before: Readonly<Record<string, Step>>
  readonly after: Readonly<Record<string, Step>>
}

/** A publication of which all files are written. */
export interface Written {
  /** False where MEMORY.md was rendered before the process died that began it. */
  readonly unrendered: boolean
  /** Runs what comes after the rendering. Undefined where another process ended the publication first; else what was decided. */
  finish(): Promise<Plan | undefined>
}

/** The name that the journal has for the rendering. */
const RENDERING = 'projection'

/** Undefined where another process ended the publication first, or is at it and should be left alone. */
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
  // A journal of another version may name a step that is no more: everything from the start is safe too.
  const from = Math.max(0, names.indexOf(begun.step))

  async function announce(name: string): Promise<void> {
    await pauseToStop(signal, 'publishing')
    await onStep?.(name)
  }
  /** Runs a step and notes that the next one follows. False where the publication is no longer in the journal. */
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
