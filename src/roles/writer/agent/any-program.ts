/** Any program as the memory-writer: run as it was written; what it prints is its last paragraph. What makes it harmless is the owner's to write. */
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
  /** As the owner wrote them. */
  readonly args: readonly string[]
}

/** `command` may lead to another place of the same harness, with flags of the owner's. */
export function agentProgram(name: AgentName, command: readonly string[] | undefined): AgentProgram {
  const harness = HARNESSES[name] ?? anyProgram
  const [file = name, ...args] = command ?? []
  return { harness, file, args }
}

/** Named in reports. */
export function agentLabel({ harness, file }: AgentProgram): string {
  return harness === anyProgram ? basename(file) : harness.name
}
