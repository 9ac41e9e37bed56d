/**
 * A hook from the start of its process to its end. Whatever happens, it ends with exit code 0 and prints the whole answer or nothing, in its
 * budget: a harness must never wait for memory, nor fail because of it. What surely needs no memory ends here, with nothing else loaded.
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

/** The start of a session is waited for once; its end and that of a turn leave a task. */
const OTHERS_MS = 2000
/** A process needs some time to end, which the harness waits for too. */
const ENDING_MS = 25
/** On a busy machine the payload may come when the time is over: what it says may need no memory, and then nothing was missed. */
const LATE_INPUT_MS = 250
/** What was compiled is kept for the next prompt only where so much of the time is left. */
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

/** A session begins: nothing of it is lost where that fails. */
const STARTS: ReadonlySet<string> = new Set(['session-start', 'session_start', 'SessionStart', 'sessionStart', 'session.created'])

/** Sets the exit code and ends the process; nothing runs after it. */
type End = () => never

/** Ends the process. */
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
    // What left a trace is done later, and nothing is missed.
    if (isRead) trace === undefined ? failed('LATE') : end()
    else timer = setTimeout(() => failed('LATE'), LATE_INPUT_MS)
  }
  // Counted from the start of the process, which was some time ago.
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
    if (tool !== undefined && (input === undefined || home === undefined)) return end() // an output without end, or no memory
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
    // Who does not read the answer has no use for an error either.
    proc.stdout.on('error', () => end())
    const { answerHook, started, keep } = await loadAnswer({
      home,
      kind: isPrompt ? 'prompt' : tool === undefined ? 'others' : 'tool',
      prompt: isPrompt ? String(payload.prompt ?? '') : undefined,
    })
    const { output, mode } = await answerHook({ ...given, payload, onBudget: (ms) => within(others(ms)), ...(started ? { started } : {}) })
    if (trace !== undefined) dropTrace(trace)
    clearTimeout(timer) // from here on the answer is in time, and is written whole
    if (home !== undefined) noteHookSuccess(home, new Date().toISOString())
    if (given.debug && mode !== undefined) proc.stderr.write(`search: ${mode}\n`)
    if (output !== '') await new Promise((resolve) => proc.stdout.write(output, resolve))
    if (left() > KEEPING_MS) keep()
    return end()
  } catch (error) {
    return failed(codeOf(error))
  }
}

/** "Continue" is one within a session; as its first prompt it asks where the work stands. */
function isChore({ prompt, transcript_path: log }: Record<string, unknown>): boolean {
  if (typeof prompt !== 'string' || needsNoMemory(prompt) === undefined) return false
  return !goesOn(prompt) || opensSession(log) !== true
}

/** In milliseconds. Another clock would have to be loaded. */
function sinceStart(): number {
  return process.uptime() * 1000
}

/** Undefined where it cannot be told: HOME is not set to a folder. */
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

/** A name only: a message may quote the prompt. */
function codeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'INTERNAL'
}
