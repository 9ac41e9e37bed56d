/** Runs the steps of a publication from wherever the journal says it stands. Each step may run twice: a process can die right after its work. */

import { throwIfStopped } from '../../core/stopped.ts'
import type { WriteTx } from '../../store/store.ts'
import { advanceJournal, beginJournal, endJournal, type JournalKey, type Plan } from './journal.ts'
import type { PublishContext } from './publish-context.ts'

/** Gives what later steps need to know beside what is in the files. */
export type Step = (plan: Plan) => Promise<Plan | undefined>

export interface Steps {
  /** Where the manifest of the session is, or will be; asked when the publication begins. */
  readonly manifest: (tx: WriteTx) => Promise<string>
  readonly steps: Readonly<Record<string, Step>>
}

/** Undefined where another process ended the publication first, or is at it and should be left alone; else what was decided. */
export async function runSteps(
  { store, clock, onStep, signal, leaveBusy }: PublishContext,
  row: JournalKey,
  { manifest, steps }: Steps,
): Promise<Plan | undefined> {
  const names = Object.keys(steps)
  const begun = await beginJournal(store, row, { first: names[0] as string, now: clock(), manifest })
  if (begun.busy && leaveBusy) return undefined
  let { plan } = begun
  // A journal of another version may name a step that is no more: everything from the start is safe too.
  for (let at = Math.max(0, names.indexOf(begun.step)); at < names.length; at++) {
    const name = names[at] as string
    throwIfStopped(signal, 'publishing')
    await onStep?.(name)
    plan = (await (steps[name] as Step)(plan)) ?? plan
    const next = names[at + 1]
    if (next === undefined) break
    const moved = await store.write((tx) => advanceJournal(tx, row, { next, steps: names, plan, now: clock() }))
    if (moved === undefined) return undefined
    plan = moved
  }
  await onStep?.('end')
  await store.write((tx) => endJournal(tx, row))
  return plan
}
