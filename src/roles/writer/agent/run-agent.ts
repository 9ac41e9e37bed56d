import { randomBytes } from 'node:crypto'
import { type Ended, runInFolder } from '../../../analyze/llm/drivers/run-program.ts'
import type { Clock } from '../../../core/clock.ts'
import { plural } from '../../../core/text.ts'
import type { Tokens } from '../../../store/spend.ts'
import type { Store } from '../../../store/store.ts'
import { forgetRun, noteRun } from './agent-runs.ts'
import type { AgentProgram } from './any-program.ts'
import type { CallAnswer, ScriptCall } from './call-folder.ts'
import { serveCalls } from './call-folder.ts'
import { endProcessesOf, RUN_VARIABLE } from './processes-of-run.ts'
import { makeRunFolder, type RunFolder, removeRunFolder, strangeFiles } from './run-folder.ts'

export interface AgentRunOptions {
  readonly store: Store
  readonly clock: Clock
  readonly program: AgentProgram
  readonly env: Readonly<Record<string, string>>
  readonly prompt: string
  readonly timeoutMs: number
  readonly mostTokens: number
  readonly mostCalls: number
  readonly signal: AbortSignal | undefined
  readonly answer: (call: ScriptCall) => Promise<CallAnswer>
}

export interface RanAgent {
  readonly ended: Ended
  readonly usage: Tokens
  /** Violations of its limits. */
  readonly noted: readonly string[]
}

const MOST_BYTES = 4 * 1024 * 1024
const GRACE_MS = 2_000
/** Turns beyond one per call, to think. */
const MORE_TURNS = 10

export async function runAgent(options: AgentRunOptions): Promise<RanAgent> {
  const { store } = options
  const folder = await makeRunFolder()
  const run = randomBytes(16).toString('hex')
  try {
    // Before the program starts, so that a killed worker can be cleaned up.
    await noteRun(store, { ...folder, run })
    return await inFolder(folder, run, options)
  } finally {
    endProcessesOf(run)
    await removeRunFolder(folder)
    await forgetRun(store)
  }
}

async function inFolder(folder: RunFolder, run: string, options: AgentRunOptions): Promise<RanAgent> {
  const { program, env, prompt, timeoutMs, mostTokens, mostCalls, signal, answer } = options
  const { harness, file, args } = program
  const taken = new Map<string, Tokens>()
  const used = () => [...taken.values()].reduce((sum, one) => ({ input: sum.input + one.input, output: sum.output + one.output }), NOTHING)
  const calls = serveCalls(folder, answer)
  const line = lines((text) => {
    const said = harness.usageIn?.(text)
    if (said !== undefined) taken.set(said.answer, said.usage)
  })
  const ended = await runInFolder(
    {
      ...{ file, args: harness.args(args, { folder: folder.folder, mostTurns: mostCalls + MORE_TURNS }), stdin: prompt },
      env: { ...env, [RUN_VARIABLE]: run },
    },
    folder.folder,
    {
      ...{ timeoutMs, mostBytes: MOST_BYTES, signal, graceMs: GRACE_MS },
      onOutput(part) {
        line(part)
        const { input, output } = used()
        return input + output > mostTokens ? `it took more than ${plural(mostTokens, 'token')}` : undefined
      },
    },
  )
  await calls.stop()
  const left = endProcessesOf(run)
  const strange = await strangeFiles(folder).catch(() => 0) // it deleted its folder
  return { ended, usage: used(), noted: notedOf(ended, { left, strange }) }
}

const NOTHING: Tokens = { input: 0, output: 0 }

function notedOf(ended: Ended, { left, strange }: { readonly left: number; readonly strange: number }): string[] {
  const stayed = left > 0 ? left : ended.how === 'exited' && ended.left ? 1 : 0
  return [
    ...(stayed > 0 ? [`left ${plural(stayed, 'process', 'processes')} running, ended`] : []),
    ...(strange > 0 ? [`wrote ${plural(strange, 'file')} of its own, removed`] : []),
    ...(ended.how === 'exited' && /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u009b]/.test(ended.stdout)
      ? ['printed control characters, left out']
      : []),
  ]
}

function lines(each: (line: string) => void): (part: string) => void {
  let open = ''
  return (part) => {
    const all = `${open}${part}`.split('\n')
    open = (all.pop() ?? '').slice(-MOST_BYTES)
    for (const one of all) each(one)
  }
}
