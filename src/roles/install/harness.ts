import type { HookEvent } from '../hooks/hook-call.ts'
import type { Machine } from './machine.ts'
import type { ConfigPart } from './part.ts'
import type { Program } from './program.ts'

export interface Harness {
  readonly name: string
  readonly title: string
  detect(machine: Machine): boolean
  /** Must read no file, only check which exist. */
  parts(machine: Machine, program: Program): readonly ConfigPart[]
  notes?(machine: Machine): readonly string[]
  /** Parts that an earlier version or setup may have written; absent: the parts. */
  leftovers?(machine: Machine, program: Program): readonly ConfigPart[]
  commands?(machine: Machine, when: When): readonly Told[]
}

export type When = 'installed' | 'before-removal' | 'removed'

export interface Told {
  readonly words: readonly [string, ...string[]]
  /** Failure is expected: there may be nothing to undo. */
  readonly mayFail?: boolean
}

/** Timeouts in seconds. The configured budget of the prompt is far below. */
export const HOOK_SECONDS: Readonly<Record<HookEvent, number>> = {
  session_start: 10,
  prompt: 5,
  stop: 10,
  session_end: 10,
  pre_compact: 10,
  before_tool: 5,
  tool_failed: 5,
}
