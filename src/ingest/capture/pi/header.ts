import { forkedAt } from '../../../core/fork-marker.ts'
import { given } from '../../../core/given.ts'
import { parseJson } from '../../../core/nesting.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { SourceUnit, UnitReader } from '../../adapter.ts'
import { type Fields, isFields, textOf } from '../fields.ts'
import { HEAD_BYTES, headLines, newestTime } from '../head.ts'
import { parseLine } from '../parse-line.ts'
import type { Dialect } from './dialect.ts'
import type { ReadState } from './read-state.ts'

/** Must not match any other format. */
export function isHeader(value: unknown): value is Fields {
  if (!isFields(value) || value.type !== 'session' || textOf(value.id) === undefined) return false
  return typeof value.timestamp === 'string' && (typeof value.cwd === 'string' || typeof value.version === 'number')
}

/** Fills missing fields; `name` is the fallback id. */
export function looseHeader(value: unknown, name: string): Fields | undefined {
  if (!isFields(value) || value.type !== 'session') return undefined
  return { ...value, id: textOf(value.id) ?? name, timestamp: textOf(value.timestamp) ?? '' }
}

/** Works on a truncated head. The header is the first line, or follows a title. */
export function beginsWithHeader(head: Buffer): boolean {
  for (const line of headLines(head).slice(0, 8)) {
    if (line.trim() === '') continue
    const value = parsed(line)
    if (isHeader(value)) return true
    if (!isFields(value) || value.type !== 'title') return false
  }
  return false
}

function parsed(line: string): unknown {
  try {
    return parseJson(line)
  } catch {
    return undefined
  }
}

export type Program = 'pi' | 'openclaw' | 'nexus'

const OPENCLAW_PLACE = /(?:^|[\\/])\.?(?:openclaw|clawdbot|moltbot)[^\\/]*(?:[\\/]|$)/i
const AGENT_SESSIONS = /[\\/]agents[\\/][^\\/]+[\\/]sessions[\\/]/i
const ARCHIVE = /\.jsonl\.[^\\/]+$/i
const OPENCLAW_MARK =
  /"customType":\s*"(?:openclaw|clawdbot|moltbot)[.:]|"provider":\s*"(?:openclaw|clawdbot)"|"model":\s*"delivery-mirror"/
const NEXUS_PLACE = /(?:^|[\\/])\.?nexus(?:-[^\\/]+)?[\\/](?:[^\\/]+[\\/])*?state[\\/]/i

/** By path, and by marks in the first lines. */
export function whoseFile(path: string, head: string): Program {
  if (isNexusPath(path)) return 'nexus'
  if (OPENCLAW_PLACE.test(path) || AGENT_SESSIONS.test(path) || ARCHIVE.test(path) || OPENCLAW_MARK.test(head)) return 'openclaw'
  return 'pi'
}

export function isNexusPath(path: string): boolean {
  return NEXUS_PLACE.test(path)
}

/** A fork copies older messages behind a newer header; it sorts after its original. */
export async function sessionAge(unit: SourceUnit, reader: UnitReader, at: 'begin' | 'end'): Promise<number> {
  if (at === 'end') return newestTime(unit, reader)
  const text = (await reader.slice(unit.path, 0, HEAD_BYTES)).toString('utf8')
  const forked = forkedAt(text)
  if (forked !== undefined) return forked
  const head = text.split('\n', 8)
  const header = head.flatMap((line) => parseLine(line).values).find(isHeader)
  return parseTimestamp(header?.timestamp) ?? unit.mtimeMs
}

const FORKED: readonly string[] = ['parentSession', 'branchedFrom']
/** Only first-version headers have these; converted files keep them. */
const OLD: readonly string[] = ['provider', 'modelId', 'thinkingLevel', 'branchedFrom']

export function takeHeader(header: Fields | undefined, state: ReadState, dialect: Dialect): void {
  if (header === undefined) return
  state.headerId = String(header.id)
  state.headerTime = String(header.timestamp)
  state.session = dialect.sessionOf(state.headerId)
  state.roots = [state.headerId]
  state.oldVersion = OLD.some((field) => field in header)
  const { version, cwd, title } = header
  const forked = FORKED.map((field) => textOf(header[field])).find((from) => from !== undefined)
  const context = {
    format_version: typeof version === 'number' ? version : 1,
    ...(forked === undefined ? {} : { forked_from: nameIn(forked) }),
    ...(textOf(header.provider) === undefined ? {} : { provider: header.provider }),
    ...(textOf(header.thinkingLevel) === undefined ? {} : { thinking_level: header.thinkingLevel }),
  }
  const model = textOf(header.modelId)
  const named = textOf(title)
  const folder = textOf(cwd)
  state.waiting = {
    context,
    raw: header,
    ...given({ model, title: named, cwd: folder }),
  }
}

/** `…/<time>_<session>.jsonl`, or the bare name. */
export function nameIn(path: string): string {
  const file = path.split(/[\\/]/).at(-1) ?? path
  return file.replace(/\.jsonl$/i, '').replace(/^\d{4}-\d{2}-\d{2}T[^_]*_/, '')
}
