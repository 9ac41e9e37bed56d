/** Reads fields of a payload that somebody else wrote: what is not of the expected kind is as if it were not there. */
import { calledTool, toolFailed, toolResponse } from '../../core/called-tool.ts'
import { given } from '../../core/given.ts'
import { resultOf } from '../../ledgers/deeds/result.ts'
import type { HookPayload } from './harness.ts'
import { type HookEvent, type HookedTool, isToolEvent } from './hook-call.ts'

/** The first of these keys that holds a text which is not empty. */
export function textOf(payload: HookPayload, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = payload[key]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** The object below a key; an empty one where there is none. */
export function objectOf(payload: HookPayload, key: string): HookPayload {
  const value = payload[key]
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as HookPayload) : {}
}

/** The first text of a list below a key. */
export function firstOf(payload: HookPayload, key: string): string | undefined {
  const value = payload[key]
  return Array.isArray(value) ? value.find((item): item is string => typeof item === 'string' && item !== '') : undefined
}

/** What Claude Code, and those that took over its payload, call the parts of a call. */
export function commonFields(payload: HookPayload) {
  return given({
    session: textOf(payload, 'session_id'),
    folder: textOf(payload, 'cwd'),
    log: textOf(payload, 'transcript_path'),
    prompt: textOf(payload, 'prompt'),
    reason: textOf(payload, 'source', 'trigger', 'reason'),
  })
}

/** The tool call of a payload; `undefined` where the call is none that memory has anything for, such as one that passed. Absent for other events. */
export function toolOf(event: HookEvent, payload: HookPayload): { readonly tool?: HookedTool } | undefined {
  if (!isToolEvent(event)) return {}
  const tool = calledTool(payload)
  if (tool === undefined || (event === 'tool_failed' && !toolFailed(payload))) return undefined
  const output = event === 'tool_failed' ? resultOf({ result_json: null, status: 'error' }, toolResponse(payload)).text : undefined
  return { tool: { ...tool, ...given({ output }) } }
}
