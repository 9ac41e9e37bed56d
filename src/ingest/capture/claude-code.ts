/** Claude Code's transcripts: `projects/<folder>/<session>.jsonl`, with the files of subagents beside or below them. Reads, never writes. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Adapter, DiscoverOptions, SourceUnit, UnitReader } from '../adapter.ts'
import { walk } from '../walk.ts'
import { readTranscript } from './claude-code/read-transcript.ts'
import { isClaudeRecord } from './claude-code/record-types.ts'
import { unitNames } from './claude-code/unit-names.ts'
import { HEAD_BYTES } from './judged-lines.ts'
import { parseLine } from './parse-line.ts'
import { newestTime, timesIn } from './times-in.ts'

export interface ClaudeCodeOptions {
  /** Folders that hold transcripts, instead of the default ones. */
  readonly places?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly homedir?: string
}

export function claudeCode(options: ClaudeCodeOptions = {}): Adapter {
  const places = () => options.places ?? defaultPlaces(options.env ?? process.env, options.homedir ?? homedir())
  return {
    name: 'claude-code',
    places,
    discover: (asked) => discover(places(), asked),
    recognises,
    age,
    read: readTranscript,
  }
}

function defaultPlaces(env: NodeJS.ProcessEnv, home: string): string[] {
  const configured = (env.CLAUDE_CONFIG_DIR ?? '').split(',').map((folder) => folder.trim())
  const folders = configured.filter((folder) => folder !== '')
  const roots = folders.length > 0 ? folders : [join(home, '.claude'), join(home, '.config', 'claude')]
  return roots.map((root) => join(root, 'projects'))
}

async function* discover(places: readonly string[], { path, warn }: DiscoverOptions): AsyncGenerator<SourceUnit, void, undefined> {
  const accept = (file: string) => file.toLowerCase().endsWith('.jsonl')
  const roots = path === undefined ? places.filter((place) => existsSync(place)) : [path]
  for (const root of roots) yield* walk(root, { accept, warn })
}

function recognises(head: Buffer): boolean {
  const lines = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split('\n')
  const last = lines.pop() ?? ''
  if ([...lines, last].some((line) => parseLine(line).values.some(isClaudeRecord))) return true
  // The first line may be longer than the head.
  return lines.length === 0 && /^\s*\{.*"(?:parentUuid|isSidechain)":/s.test(last)
}

/**
 * The first time the transcript names. A forked or resumed session begins with a copy of another one, times and all:
 * half a millisecond puts it behind the session that it copies.
 */
async function age(unit: SourceUnit, reader: UnitReader, at: 'begin' | 'end'): Promise<number> {
  if (at === 'end') return newestTime(unit, reader)
  const head = (await reader.slice(unit.path, 0, HEAD_BYTES)).toString('utf8')
  const session = /"sessionId":\s*"([^"]+)"/.exec(head)?.[1]
  const copied = head.includes('"forkedFrom"') || (session !== undefined && session !== unitNames(unit.path).stem)
  return (timesIn(head)[0] ?? unit.mtimeMs) + (copied ? 0.5 : 0)
}
