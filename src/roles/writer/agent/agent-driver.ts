/** Adapts an agent to the port of a model. Does not retry and knows no prices. */
import type { Call, Driver, Said } from '../../../analyze/llm/driver.ts'
import { minimal } from '../../../analyze/llm/drivers/command.ts'
import { modelFailed } from '../../../analyze/llm/language-model.ts'
import { AGENT_PROVIDER } from '../../../analyze/llm/rest.ts'
import { plainLine } from '../../../analyze/plain-line.ts'
import { ANALYSIS_MARK } from '../../../core/analysis-session.ts'
import type { Clock } from '../../../core/clock.ts'
import { estimateTokens } from '../../../core/estimate-tokens.ts'
import { plural } from '../../../core/text.ts'
import { toIso } from '../../../core/time.ts'
import type { Failure } from '../../../embed/remote/failure.ts'
import type { Tokens } from '../../../store/spend.ts'
import type { Store } from '../../../store/store.ts'
import { type AgentSearch, agentCalls } from './agent-calls.ts'
import type { AgentLimits } from './agent-limits.ts'
import { type AgentRun, keepLastRun } from './agent-runs.ts'
import { type AgentProgram, agentLabel } from './any-program.ts'
import { runAgent } from './run-agent.ts'
import { runFailure } from './run-failure.ts'
import { type StagedWrites, stagedWrites } from './staged-writes.ts'

export interface AgentDriverOptions {
  readonly store: Store
  readonly clock: Clock
  readonly program: AgentProgram
  readonly limits: AgentLimits
  readonly entityTypes: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly search: AgentSearch
  readonly onRun?: ((run: AgentRun) => void) | undefined
}

const LONGEST_SO_FAR = 1_500
const MANY = 100
const NOTHING: Tokens = { input: 0, output: 0 }

export function agentDriver(options: AgentDriverOptions): Driver {
  const { program, limits } = options
  const label = agentLabel(program)
  const target = { provider: AGENT_PROVIDER, model: label, address: program.file }
  return {
    ...target,
    async call(call, { signal }) {
      const began = performance.now()
      const tried = await attempt(call, options, signal)
      const { counts, usage, noted, failed } = tried
      const run: AgentRun = {
        ...{ agent: label, status: failed === undefined ? 'done' : 'failed', at: toIso(options.clock()) },
        ...{ seconds: Math.round((performance.now() - began) / 100) / 10, tokens: usage.input + usage.output },
        ...{
          searches: counts.searches,
          writes: failed === undefined ? tried.staged.count() : 0,
          refused: counts.refused,
          late: counts.late,
        },
        ...{ reason: failed?.message ?? null, hint: failed?.hint ?? null, noted },
      }
      if (!signal?.aborted) {
        await keepLastRun(options.store, run)
        options.onRun?.(run)
      }
      if (failed === undefined) return { text: JSON.stringify(tried.staged.reading(tried.soFar)), usage } satisfies Said
      const { message, hint } = failed
      // The run is not repeated for this window, whatever failed: `rest` counts failures.
      const error = modelFailed(message, { fault: 'input', ...target }, hint === undefined ? {} : { hint })
      return { failure: { error, retryable: false } satisfies Failure, usage }
    },
  }

  async function attempt(
    { instructions, text, window }: Call,
    { store, clock, env, search, entityTypes }: AgentDriverOptions,
    signal: AbortSignal | undefined,
  ) {
    if (window === undefined) throw new Error('an agent reads conversations only')
    const prompt = `${ANALYSIS_MARK}\n\n${instructions}\n\n${text}\n`
    const staged: StagedWrites = stagedWrites({ window, entityTypes, mostWrites: limits.writes })
    const ending = new AbortController()
    const handedOut = estimateTokens(prompt)
    const calls = agentCalls({ limits, staged, search, handedOut, signal: ending.signal })
    const {
      ended,
      usage: said,
      noted,
    } = await runAgent({
      ...{ store, clock, program, prompt, env: minimal(env, undefined), signal },
      ...{ timeoutMs: limits.seconds * 1000, mostTokens: limits.tokens, mostCalls: limits.calls },
      answer: calls.answer,
    }).finally(() => ending.abort())
    const { counts } = calls
    const answer = ended.how === 'exited' ? program.harness.read(ended.stdout) : undefined
    const soFar = plainLine(answer?.text ?? '', LONGEST_SO_FAR)
    const counted = said.input + said.output > 0 ? said : { input: counts.handedOut, output: estimateTokens(soFar) }
    // If the harness reports no usage: the tokens handed out and those of its answer.
    const usage: Tokens = ended.how === 'missing' ? NOTHING : (answer?.usage ?? counted)
    const { denied = 0 } = answer ?? {}
    return {
      ...{ staged, counts, soFar, usage, failed: runFailure(ended, { program, limits, said: answer?.failed, prompt }) },
      noted: [
        ...noted,
        ...(usage.input + usage.output > limits.tokens ? [`took ${plural(usage.input + usage.output, 'token')}, more than it may`] : []),
        ...(denied > 0 ? [`asked for ${plural(denied, 'other tool call')}, refused`] : []),
        ...(counts.late > 0 ? [`went on after its last call${counts.late > MANY ? ', again and again' : ''}`] : []),
      ],
    }
  }
}
