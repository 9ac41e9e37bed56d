/** Claude Code's transcripts: `projects/<folder>/<session>.jsonl`, with subagent files beside or below. */

import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, resolve, sep } from 'node:path'
import { forkedAt } from '../../core/fork-marker.ts'
import { cutMarkedDeep } from '../../core/marked-text.ts'
import { parseJson } from '../../core/nesting.ts'
import type { Adapter, Checkpoint, ReadItem, SourceUnit, UnitReader } from '../adapter.ts'
import { readLineLists } from '../lines.ts'
import { isJsonl, sourceFiles } from '../walk.ts'
import { convertRecord } from './claude-code/convert-record.ts'
import type { UnitNames } from './claude-code/read-state.ts'
import { fromCarry, newState, type Reading, toCarry, trimState } from './claude-code/read-state.ts'
import { isClaudeRecord } from './claude-code/record-types.ts'
import { unitNames } from './claude-code/session-of.ts'
import { contentText } from './claude-code/tool-result.ts'
import { describeSource, type SourceOptions } from './descriptions.ts'
import { type Fields, fieldsOf, isFields, textOf } from './fields.ts'
import { HEAD_BYTES, type HeadFormat, headLines, newestTime, timesIn } from './head.ts'
import { parseLine } from './parse-line.ts'
import { type Log, readLog } from './read-log.ts'

export function claudeCode(options: SourceOptions = {}): Adapter {
  const description = describeSource('claude-code', options)
  return {
    ...description,
    discover: (asked) => sourceFiles(description.defaultPaths(), asked, isJsonl),
    recognises,
    age,
    read: (unit, since, reader) => readLog(() => openTranscript(unit, since, reader)),
  }
}

function recognises(head: Buffer): boolean {
  const lines = headLines(head)
  if (lines.some((line) => parseLine(line).values.some(isClaudeRecord))) return true
  // The first line may exceed the head.
  return lines.length === 1 && /^\s*\{.*"(?:parentUuid|isSidechain)":/s.test(lines[0] ?? '')
}

/** A fork or resume starts with a copy of the original, times included; adding 0.5 ms sorts it after. */
async function age(unit: SourceUnit, reader: UnitReader, at: 'begin' | 'end'): Promise<number> {
  if (at === 'end') return newestTime(unit, reader)
  const head = (await reader.slice(unit.path, 0, HEAD_BYTES)).toString('utf8')
  const forked = forkedAt(head)
  if (forked !== undefined) return forked
  const session = /"sessionId":\s*"([^"]+)"/.exec(head)?.[1]
  const copied = head.includes('"forkedFrom"') || (session !== undefined && session !== unitNames(unit.path).stem)
  return (timesIn(head)[0] ?? unit.mtimeMs) + (copied ? 0.5 : 0)
}

const TRANSCRIPT: HeadFormat = {
  name: 'a Claude Code transcript',
  reason: 'none of the first lines is a Claude Code record',
  isRecord: (value) => isFields(value) && 'type' in value,
  isOurs: (lines) => lines.some(({ values }) => values.some(isClaudeRecord)),
}

const NONE: ReadonlyMap<string, string> = new Map()

/** Reading at once or in pieces must give the same records. */
async function openTranscript({ path }: SourceUnit, since: Checkpoint | undefined, reader: UnitReader): Promise<Log> {
  const names = unitNames(path)
  const state = since === undefined ? newState() : fromCarry(since.carry)
  const items: ReadItem[] = []
  const reading: Reading = { names, state, meta: await subagentMeta(names, reader), outputs: NONE, items }
  const offset = since?.offset ?? 0
  return {
    path,
    lines: readLineLists(reader.chunks(path, offset), { offset, line: state.lines }),
    offset,
    format: TRANSCRIPT,
    state,
    items,
    convert(value) {
      const paths = persistedPaths(value)
      return paths === undefined ? convertRecord(value, reading) : convertWhole(value, paths)
    },
    trim: () => trimState(state),
    checkpoint: (done) => ({ offset: done, carry: toCarry(state) }),
    end() {
      if (!state.hasMessages) items.push({ type: 'warning', message: `no conversation in ${path}` })
    },
  }

  async function convertWhole(value: unknown, paths: ReadonlyMap<string, string>): Promise<string | undefined> {
    reading.outputs = await persistedOutputs(paths, names, reader)
    const wrong = convertRecord(value, reading)
    reading.outputs = NONE
    return wrong
  }
}

const MOST_META = 64 * 1024
const MOST_OUTPUT = 16 * 1024 * 1024

async function subagentMeta({ path, agentFile }: UnitNames, reader: UnitReader): Promise<Fields | undefined> {
  if (!agentFile) return undefined
  const beside = path.replace(/\.jsonl$/i, '.meta.json')
  try {
    if (!(await stat(beside)).isFile()) return undefined
    return fieldsOf(cutMarkedDeep(parseJson((await reader.slice(beside, 0, MOST_META)).toString('utf8'))))
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return undefined
    throw error
  }
}

const SAVED = /Full output saved to: ([^\n]+)/
/** The note stands at the start of a result; later mentions are plain text. */
const NOTE_AT = 2000

function persistedPaths(value: unknown): ReadonlyMap<string, string> | undefined {
  const content = isFields(value) && value.type === 'user' ? fieldsOf(value.message)?.content : undefined
  if (!Array.isArray(content)) return undefined
  let found: Map<string, string> | undefined
  for (const item of content) {
    const block = fieldsOf(item)
    const id = textOf(block?.tool_use_id)
    if (block?.type !== 'tool_result' || id === undefined) continue
    const text = contentText(block.content).slice(0, NOTE_AT)
    const path = text.includes('<persisted-output>') ? SAVED.exec(text)?.[1]?.trim() : undefined
    if (path !== undefined) found = (found ?? new Map()).set(id, path)
  }
  return found
}

/** The transcript is untrusted: read only files below the session's own folder. */
async function persistedOutputs(
  paths: ReadonlyMap<string, string>,
  names: UnitNames,
  reader: UnitReader,
): Promise<ReadonlyMap<string, string>> {
  const outputs = new Map<string, string>()
  for (const [id, path] of paths) {
    const output = await readBelow(path, names.sessionFolder, reader)
    if (output !== undefined) outputs.set(id, output)
  }
  return outputs
}

/** Resolves symlinks before checking. Undefined for outside or missing files. */
async function readBelow(path: string, folder: string, reader: UnitReader): Promise<string | undefined> {
  if (path.includes('\0')) return undefined
  try {
    const root = await realpath(folder)
    const real = await realpath(isAbsolute(path) ? path : resolve(root, path))
    if (!real.startsWith(root + sep)) return undefined
    const info = await stat(real)
    if (!info.isFile()) return undefined
    return (await reader.slice(real, 0, Math.min(info.size, MOST_OUTPUT))).toString('utf8')
  } catch (error) {
    // Missing files are normal; the preview stays.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
