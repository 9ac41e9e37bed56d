/** Gemini CLI: `tmp/<project>/chats/session-….jsonl` (`….json` before 0.40), and subagent sessions. */
import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseTimestamp } from '../../core/time.ts'
import type { Adapter, DiscoverOptions, SourceUnit, UnitReader } from '../adapter.ts'
import { walk } from '../walk.ts'
import { describeSource, type SourceOptions } from './descriptions.ts'
import { readDocument } from './gemini-cli/read-document.ts'
import { readSessionLines } from './gemini-cli/read-lines.ts'
import { isHeader } from './gemini-cli/record-shapes.ts'
import { isSessionPath } from './gemini-cli/session-paths.ts'
import { headOf } from './head-of.ts'
import { parseLine } from './parse-line.ts'

export function geminiCli(options: SourceOptions = {}): Adapter {
  const description = describeSource('gemini-cli', options)
  return {
    ...description,
    discover: (asked) => discover(description.defaultPaths(), asked),
    recognises,
    age,
    read: (unit, since, reader) => (unit.path.toLowerCase().endsWith('.json') ? readDocument : readSessionLines)(unit, since, reader),
  }
}

async function* discover(roots: readonly string[], { path, warn, reader }: DiscoverOptions): AsyncGenerator<SourceUnit, void, undefined> {
  if (path !== undefined) {
    yield* walk(path, { accept: (file) => isSession(file, reader), warn })
    return
  }
  const accept = (file: string) => isSessionPath(file)
  for (const root of roots) for (const chats of chatFolders(root, warn)) yield* walk(chats, { accept, warn })
}

/** Neighbouring folders hold logs, checkpoints, shadow repositories and tool outputs. */
function* chatFolders(root: string, warn: DiscoverOptions['warn']): Generator<string, void, undefined> {
  if (!existsSync(root)) return
  let projects: Dirent[] = []
  try {
    projects = readdirSync(root, { withFileTypes: true })
  } catch (cause) {
    warn(`cannot list ${root}: ${cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)}`)
  }
  for (const { name } of projects.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const chats = join(root, name, 'chats')
    if (existsSync(chats)) yield chats
  }
}

/** Below a given path names are arbitrary; a `.json` is judged by its first bytes. */
async function isSession(file: string, reader: UnitReader | undefined): Promise<boolean> {
  if (/\.jsonl$/i.test(file)) return true
  if (!/\.json$/i.test(file) || basename(file) === 'logs.json') return false
  return isSessionPath(file) || recognises(await headOf(file, reader), file)
}

function recognises(head: Buffer, path: string): boolean {
  const text = head.toString('utf8').replace(/^\ufeff/, '')
  if (/\.json$/i.test(path)) {
    const [value] = parseLine(text).values
    if (value !== undefined) return isHeader(value) && Array.isArray(value.messages)
    // Longer than the head.
    return /^\s*\{\s*"sessionId"\s*:\s*"[^"]+"\s*,\s*"projectHash"\s*:\s*"/.test(text)
  }
  if (!/\.jsonl$/i.test(path)) return false
  const lines = text.split('\n').slice(0, 5)
  return lines.some((line) => parseLine(line).values.some((value) => isHeader(value) && !('messages' in value) && 'startTime' in value))
}

/** A session resumed by a newer version starts alike in `.json` and `.jsonl`; the latter is newer. */
async function age(unit: SourceUnit, reader: UnitReader, at: 'begin' | 'end'): Promise<number> {
  const head = (await reader.slice(unit.path, 0, 64 << 10)).toString('utf8')
  const field = at === 'begin' ? 'startTime' : 'lastUpdated'
  if (at === 'end' && unit.path.toLowerCase().endsWith('.jsonl')) return unit.mtimeMs
  return parseTimestamp(new RegExp(`"${field}":\\s*"([^"]{10,40})"`).exec(head)?.[1]) ?? unit.mtimeMs
}
