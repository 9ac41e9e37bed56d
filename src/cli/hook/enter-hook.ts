/**
 * Runs a hook. Always exits with code 0 and prints the whole answer or nothing, within its budget: a harness must never wait for memory or
 * fail because of it. Payloads that need no memory end here, before other imports.
 */
import { goesOn } from '../../core/goes-on.ts'
import { homeFolder } from '../../core/home-folder.ts'
import { noteHookFailure, noteHookSuccess } from '../../core/hook-failures.ts'
import { gateStops, type ToolEvent } from '../../core/hook-gate.ts'
import { dropTrace, leaveTrace } from '../../core/hook-traces.ts'
import { needsNoMemory } from '../../core/needs-no-memory.ts'
import { opensSession } from '../../core/opens-session.ts'
import { isOwnProcess } from '../../core/own-process.ts'
import { expectedBudget } from './expected-budget.ts'
import type { HookArguments } from './hook-arguments.ts'
import { loadAnswer } from './load-answer.ts'
import { readInput } from './read-input.ts'

/** Budget of other events: a session start is awaited once; ends of sessions and turns leave a task. */
const OTHERS_MS = 2000
/** Reserved for ending the process, which the harness awaits too. */
const ENDING_MS = 25
/** On a busy machine the payload may arrive late. It may need no memory, and then no failure is noted. */
const LATE_INPUT_MS = 250
/** Least time left for storing compiled code for the next prompt. */
const KEEPING_MS = 30
const PROMPT_EVENTS: ReadonlySet<string> = new Set([
  ...['prompt', 'UserPromptSubmit', 'beforeSubmitPrompt', 'BeforeAgent', 'chat.message', 'before_prompt_build'],
])

const TOOLS: ReadonlyMap<string, ToolEvent> = new Map([
  ...['before_tool', 'before-tool', 'PreToolUse'].map((name) => [name, 'before_tool'] as const),
  ...['tool_failed', 'tool-failed', 'PostToolUseFailure', 'PostToolUse', 'postToolUse', 'AfterTool', 'tool.execute.after'].map(
    (name) => [name, 'tool_failed'] as const,
  ),
])

/** If these fail, nothing of the session is lost. */
const STARTS: ReadonlySet<string> = new Set(['session-start', 'session_start', 'SessionStart', 'sessionStart', 'session.created'])

type End = () => never

export async function enterHook(given: HookArguments, proc: NodeJS.Process): Promise<void> {
  const { harness, event } = given
  const { env } = proc
  const end: End = () => proc.exit(0)
  if (isOwnProcess(env)) return end()
  const home = knownHome(given, env)
  const failed = (code: string) => {
    if (home !== undefined) noteHookFailure(home, { at: new Date().toISOString(), harness, event, code })
    return end()
  }
  const isPrompt = PROMPT_EVENTS.has(event)
  const tool = TOOLS.get(event)
  let isRead = false
  let trace: string | undefined
  let timer: NodeJS.Timeout | undefined
  let left = (): number => 0
  const late = () => {
    // The worker processes the trace later: nothing is missed.
    if (isRead) trace === undefined ? failed('LATE') : end()
    else timer = setTimeout(() => failed('LATE'), LATE_INPUT_MS)
  }
  // From the start of the process, not from now.
  const within = (ms: number) => {
    clearTimeout(timer)
    const until = ms - Math.min(ENDING_MS, ms / 10)
    left = () => until - sinceStart()
    if (left() <= 0) late()
    else timer = setTimeout(late, left())
  }
  const others = (ms: number) => (isPrompt || tool !== undefined ? ms : Math.max(ms, OTHERS_MS))
  within(others(expectedBudget(home)))
  proc.on('uncaughtException', (error) => failed(codeOf(error)))
  try {
    const input = await readInput(proc.stdin)
    if (tool !== undefined && (input === undefined || home === undefined)) return end() // input too large, or no home
    const payload = parsed(input)
    if (payload === undefined) return failed('PARSE_ERROR')
    if (isPrompt && isChore(payload)) return end()
    if (tool !== undefined && gateStops(home as string, tool, payload) !== undefined) return end()
    isRead = true
    if (!isPrompt && tool === undefined && !STARTS.has(event) && home !== undefined) {
      const { agent } = given
      trace = leaveTrace(home, { harness, event, payload, ...(agent === undefined ? {} : { agent }) })
    }
    if (left() <= 0) return trace === undefined ? failed('LATE') : end()
    // stdout is closed (EPIPE): exit quietly.
    proc.stdout.on('error', () => end())
    const { answerHook, started, keep } = await loadAnswer({
      home,
      kind: isPrompt ? 'prompt' : tool === undefined ? 'others' : 'tool',
      prompt: isPrompt ? String(payload.prompt ?? '') : undefined,
    })
    const { output, mode } = await answerHook({ ...given, payload, onBudget: (ms) => within(others(ms)), ...(started ? { started } : {}) })
    if (trace !== undefined) dropTrace(trace)
    clearTimeout(timer) // in time from here on: the answer is written whole
    if (home !== undefined) noteHookSuccess(home, new Date().toISOString())
    if (given.debug && mode !== undefined) proc.stderr.write(`search: ${mode}\n`)
    if (output !== '') await new Promise((resolve) => proc.stdout.write(output, resolve))
    if (left() > KEEPING_MS) keep()
    return end()
  } catch (error) {
    return failed(codeOf(error))
  }
}

/** "Continue" is a chore within a session. As a first prompt it asks where the work stands. */
function isChore({ prompt, transcript_path: log }: Record<string, unknown>): boolean {
  if (typeof prompt !== 'string' || needsNoMemory(prompt) === undefined) return false
  return !goesOn(prompt) || opensSession(log) !== true
}

/** In milliseconds. Any other clock needs an import. */
function sinceStart(): number {
  return process.uptime() * 1000
}

/** Undefined if HOME names no folder. */
function knownHome({ home }: HookArguments, env: NodeJS.ProcessEnv): string | undefined {
  try {
    return homeFolder(home, env)
  } catch {
    return undefined
  }
}

function parsed(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Never the message: it may quote the prompt. */
function codeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'INTERNAL'
}
