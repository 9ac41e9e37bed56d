/** What Mnemonic can be installed into. Each is a plain object; to add one, write its file and name it in harnesses.ts. */
import type { HookEvent } from '../hooks/hook-call.ts'
import type { Machine } from './machine.ts'
import type { ConfigPart } from './part.ts'
import type { Program } from './program.ts'

export interface Harness {
  /** What a person types: `claude-code`. */
  readonly name: string
  /** What a person reads: `Claude Code`. */
  readonly title: string
  /** Whether there is anything of it on this machine. */
  detect(machine: Machine): boolean
  /** The places in which something of ours stands, or would. Reads at most which files there are. */
  parts(machine: Machine, program: Program): readonly ConfigPart[]
  /** What the person has to do, or should know, after it is installed. */
  notes?(machine: Machine): readonly string[]
  /** The places in which something of ours may stand from another time; absent: the parts. */
  leftovers?(machine: Machine, program: Program): readonly ConfigPart[]
  /** What other programs are told after the parts were written, or before and after they go. Runs nothing itself. */
  commands?(machine: Machine, when: When): readonly Told[]
}

export type When = 'installed' | 'before-removal' | 'removed'

export interface Told {
  readonly words: readonly [string, ...string[]]
  /** Where it is no matter if it fails: what it undoes may not be there. */
  readonly mayFail?: boolean
}

/** How long a hook may take, in seconds; the prompt has a budget of its own in the configuration, which is far below. */
export const HOOK_SECONDS: Readonly<Record<HookEvent, number>> = {
  session_start: 10,
  prompt: 5,
  stop: 10,
  session_end: 10,
  pre_compact: 10,
  before_tool: 5,
  tool_failed: 5,
}
