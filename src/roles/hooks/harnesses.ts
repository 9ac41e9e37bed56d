import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { cursor } from './cursor.ts'
import { geminiCli } from './gemini-cli.ts'
import type { HookHarness } from './harness.ts'
import { HOOK_EVENTS, type HookEvent } from './hook-call.ts'
import { openclaw } from './openclaw.ts'
import { opencode } from './opencode.ts'

export const HOOK_HARNESSES: readonly HookHarness[] = [claudeCode, codex, cursor, geminiCli, openclaw, opencode]

export function hookHarness(name: string): HookHarness | undefined {
  return HOOK_HARNESSES.find((harness) => harness.name === name)
}

export function hookEvent(harness: HookHarness, name: string): HookEvent | undefined {
  const event = HOOK_EVENTS.find((known) => known === name.replace(/-/g, '_') || harness.events[known] === name)
  return event !== undefined && harness.events[event] !== undefined ? event : undefined
}
