/** Throws errors: the caller must hide them from the harness. */
import type { AgentMemory } from '../../config/agent-memory.ts'
import { isAnalysisFolder, isAnalysisPrompt } from '../../core/analysis-session.ts'
import { given } from '../../core/given.ts'
import type { ToolEvent } from '../../core/hook-gate.ts'
import { needsNoMemory } from '../../core/needs-no-memory.ts'
import { opensSession } from '../../core/opens-session.ts'
import { stateQuestion } from '../../core/state-question.ts'
import { writes } from '../writer/due.ts'
import { failureNotice } from './failure-notice.ts'
import type { HookWords } from './harness.ts'
import { type HookCall, isToolEvent } from './hook-call.ts'
import type { HookServices } from './hook-services.ts'
import { sealed } from './sealed.ts'

export const NOTHING: HookWords = { context: '' }

/** A continued session already has its brief: only changes are worth their tokens. */
const GOES_ON: ReadonlySet<string> = new Set(['resume', 'compact', 'fork'])

export interface Waiting {
  readonly signal?: AbortSignal
  /** Milliseconds left. */
  readonly left?: () => number
}

export async function answerCall(call: HookCall, services: HookServices, waiting: Waiting = {}): Promise<HookWords> {
  if (isOwn(call)) return NOTHING
  const agent = call.agent ?? services.agent
  const settings = services.settings(agent)
  if (call.event === 'prompt') return prompted(call, agent, { services, settings, waiting })
  if (isToolEvent(call.event)) return called(call, call.event, agent, { services, settings, waiting })
  if (call.event === 'session_start') return started(call, agent, { services, settings, waiting })
  return ended(call, agent, { services, settings, waiting })
}

/** Our own model call through a harness: memory must not be made from memory. */
function isOwn({ folder, prompt }: HookCall): boolean {
  return (folder !== undefined && isAnalysisFolder(folder)) || (prompt !== undefined && isAnalysisPrompt(prompt))
}

interface With {
  readonly services: HookServices
  readonly settings: AgentMemory
  readonly waiting: Waiting
}

async function prompted(call: HookCall, agent: string, { services, settings: { read }, waiting }: With): Promise<HookWords> {
  const { prompt = '', folder, harness, session, log } = call
  const opens = stateQuestion(prompt) === undefined ? undefined : opensSession(log)
  const isChore = needsNoMemory(prompt) !== undefined && opens !== true
  if (!read.enabled || read.max_tokens === 0 || isChore) return NOTHING
  const { text, mode } = await services.read({
    agent,
    prompt,
    harness,
    maxTokens: read.max_tokens,
    ...waiting,
    ...given({ folder, session, opens }),
  })
  return { context: sealed(text), ...given({ mode }) }
}

async function called(call: HookCall, event: ToolEvent, agent: string, { services }: With): Promise<HookWords> {
  const { tool, harness, folder, session } = call
  if (tool === undefined) return NOTHING
  return { context: sealed(await services.moment({ agent, harness, event, tool, ...given({ folder, session }) })) }
}

async function started(call: HookCall, agent: string, { services, settings, waiting: { signal } }: With): Promise<HookWords> {
  const { read, write } = settings
  const notice = failureNotice(services.lastFailures())
  const { folder, harness, session, log, reason = '' } = call
  let context = ''
  if (read.enabled && read.brief_tokens > 0) {
    const brief = await services.brief({ agent, harness, maxTokens: read.brief_tokens, ...given({ folder, session, signal }) })
    context = sealed(GOES_ON.has(reason) ? brief.changed : brief.text)
  }
  // Before the compaction, the log did not contain its summary.
  if (reason === 'compact' && session !== undefined && writes(write)) {
    await services.enqueue({ kind: 'compaction', agent, harness, session, ...given({ log }) })
    await services.startWorker()
  }
  if (notice !== undefined) services.clearFailures()
  return { context, ...given({ notice }) }
}

async function ended(call: HookCall, agent: string, { services, settings: { write } }: With): Promise<HookWords> {
  const { event, harness, session, log } = call
  if (!writes(write) || session === undefined) return NOTHING
  const task = { agent, harness, session, ...given({ log }) }
  if (event === 'stop') {
    if (await services.countTurn(task)) await services.startWorker()
    return NOTHING
  }
  if (event === 'session_end') {
    await services.enqueue({ kind: 'capture', ...task })
    await services.enqueue({ kind: 'publish', ...task })
  } else await services.enqueue({ kind: 'compaction', ...task })
  await services.startWorker()
  return NOTHING
}
