/**
 * Lookup before a tool hook loads anything: may memory know this file or command? A file of hashes, rebuilt by each sync and forget.
 * Without it tool hooks stay silent. A hit only leads to a query.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type CalledTool, calledTool, toolFailed } from './called-tool.ts'
import { readOwnFile, writeOwnFile } from './own-file.ts'

export interface HookGate {
  readonly version: 1
  /** Hashes of file names in decisions and rules. */
  readonly files: readonly number[]
  /** Hashed words of each command that failed and passed in another form. */
  readonly commands: readonly (readonly number[])[]
  readonly solved: number
}

export type ToolEvent = 'before_tool' | 'tool_failed'

const NAME = join('code', 'gate.json')
const MOST_WORDS = 400
const WORD = /[^\s'"`;|&()<>]+/g

export function gatePath(home: string): string {
  return join(home, NAME)
}

export function writeGate(home: string, gate: HookGate): boolean {
  return writeOwnFile(gatePath(home), JSON.stringify(gate))
}

export function dropGate(home: string): void {
  rmSync(gatePath(home), { force: true })
}

export function readGate(home: string): HookGate | undefined {
  try {
    const gate = JSON.parse(readOwnFile(gatePath(home))?.toString('utf8') ?? 'null') as Partial<HookGate> | null
    if (gate?.version !== 1 || !Array.isArray(gate.files) || !Array.isArray(gate.commands)) return undefined
    return gate as HookGate
  } catch {
    return undefined
  }
}

/** Reason to skip memory; undefined if it may help. */
export function gateStops(home: string, event: ToolEvent, payload: Readonly<Record<string, unknown>>): string | undefined {
  if (event === 'tool_failed' && !toolFailed(payload)) return 'it did not fail'
  const tool = calledTool(payload)
  if (tool === undefined) return 'no tool is named'
  const gate = readGate(home)
  if (gate === undefined) return 'nothing was synced yet'
  if (event === 'tool_failed') return gate.solved > 0 ? undefined : 'no failure was solved yet'
  return namesFile(gate, tool) || isFailing(gate, tool) ? undefined : 'nothing is known of this file or command'
}

function namesFile({ files }: HookGate, tool: CalledTool): boolean {
  return tool.files.some((path) => files.includes(gateHash(fileName(path))))
}

function isFailing({ commands }: HookGate, { command }: CalledTool): boolean {
  if (command === undefined || commands.length === 0) return false
  // Programs match without their folder.
  const words = new Set(gateWords(command).flatMap((word) => [gateHash(word), gateHash(word.slice(word.lastIndexOf('/') + 1))]))
  return commands.some((all) => Array.isArray(all) && all.length > 0 && all.every((word) => words.has(word)))
}

export function gateWords(command: string): string[] {
  return (command.match(WORD) ?? []).slice(0, MOST_WORDS)
}

/** Base name without punctuation around it, in lower case. */
export function fileName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return name.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
}

/** FNV-1a, 32 bits: loading a crypto hash takes longer than the gate. */
export function gateHash(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
