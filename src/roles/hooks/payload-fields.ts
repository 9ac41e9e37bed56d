/** Reads fields of an untrusted payload. Values of the wrong type count as absent. */
import { calledTool, toolFailed, toolResponse } from '../../core/called-tool.ts'
import { given } from '../../core/given.ts'
import { resultOf } from '../../ledgers/deeds/result.ts'
import type { HookPayload } from './harness.ts'
import { type HookEvent, type HookedTool, isToolEvent } from './hook-call.ts'

export function textOf(payload: HookPayload, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = payload[key]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

export function objectOf(payload: HookPayload, key: string): HookPayload {
  const value = payload[key]
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as HookPayload) : {}
}

export function firstOf(payload: HookPayload, key: string): string | undefined {
  const value = payload[key]
  return Array.isArray(value) ? value.find((item): item is string => typeof item === 'string' && item !== '') : undefined
}

export function commonFields(payload: HookPayload) {
  return given({
    session: textOf(payload, 'session_id'),
    folder: textOf(payload, 'cwd'),
    log: textOf(payload, 'transcript_path'),
    prompt: textOf(payload, 'prompt'),
    reason: textOf(payload, 'source', 'trigger', 'reason'),
  })
}

/** Undefined if memory has nothing for the call, such as a success. Empty for other events. */
export function toolOf(event: HookEvent, payload: HookPayload): { readonly tool?: HookedTool } | undefined {
  if (!isToolEvent(event)) return {}
  const tool = calledTool(payload)
  if (tool === undefined || (event === 'tool_failed' && !toolFailed(payload))) return undefined
  const output = event === 'tool_failed' ? resultOf({ result_json: null, status: 'error' }, toolResponse(payload)).text : undefined
  return { tool: { ...tool, ...given({ output }) } }
}
