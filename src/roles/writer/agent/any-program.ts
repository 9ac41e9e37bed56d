/** Runs any program as the memory-writer, with the owner's arguments alone. The owner must make it safe. */
import { basename } from 'node:path'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import type { HeadlessHarness } from './harness.ts'

export const anyProgram: HeadlessHarness = {
  name: 'command',
  args: (written) => [...written],
  read: (stdout) => ({ text: stdout }),
}

const HARNESSES: Readonly<Record<string, HeadlessHarness>> = { claude, codex, command: anyProgram }

export type AgentName = 'claude' | 'codex' | 'command'

export interface AgentProgram {
  readonly harness: HeadlessHarness
  readonly file: string
  readonly args: readonly string[]
}

/** `command` may name another binary of the harness, with extra flags. */
export function agentProgram(name: AgentName, command: readonly string[] | undefined): AgentProgram {
  const harness = HARNESSES[name] ?? anyProgram
  const [file = name, ...args] = command ?? []
  return { harness, file, args }
}

export function agentLabel({ harness, file }: AgentProgram): string {
  return harness === anyProgram ? basename(file) : harness.name
}
