/** Runs the steps of a publication from wherever the journal says it stands. Each step may run twice: a process can die right after its work. */
import { MnemonicError } from '../core/error.ts'
import { advanceJournal, beginJournal, endJournal, type JournalRow, type Plan } from './journal.ts'
import type { PublishContext } from './publish-context.ts'

/** Gives what later steps need to know beside what is in the files. */
export type Step = (plan: Plan) => Promise<Plan | undefined>

export async function runSteps(
  { store, clock, onStep, signal }: PublishContext,
  row: Omit<JournalRow, 'plan_json' | 'step' | 'started_at' | 'updated_at'>,
  steps: Readonly<Record<string, Step>>,
): Promise<void> {
  const names = Object.keys(steps)
  const begun = await beginJournal(store, row, { first: names[0] as string, now: clock() })
  let { plan } = begun
  // A journal of another version may name a step that is no more: everything from the start is safe too.
  for (let at = Math.max(0, names.indexOf(begun.step)); at < names.length; at++) {
    const name = names[at] as string
    stopIfAborted(signal)
    await onStep?.(name)
    plan = (await (steps[name] as Step)(plan)) ?? plan
    const next = names[at + 1]
    await store.write((tx) => (next === undefined ? endJournal(tx, row.key) : advanceJournal(tx, row.key, { next, plan, now: clock() })))
  }
}

function stopIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return
  throw new MnemonicError('INTERRUPTED', 'publishing was interrupted', { hint: 'Run it again: it goes on where it stopped.' })
}
