/** The header of a session file: how to recognise a file by it, which program wrote the file, when its session began, and what the header says of the session. */
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

/** The first record of a file: no other format writes it so. */
export function isHeader(value: unknown): value is Fields {
  if (!isFields(value) || value.type !== 'session' || textOf(value.id) === undefined) return false
  return typeof value.timestamp === 'string' && (typeof value.cwd === 'string' || typeof value.version === 'number')
}

/** A header that lacks some of its fields; with what it must have made up, `name` for its id. */
export function looseHeader(value: unknown, name: string): Fields | undefined {
  if (!isFields(value) || value.type !== 'session') return undefined
  return { ...value, id: textOf(value.id) ?? name, timestamp: textOf(value.timestamp) ?? '' }
}

/** True where the beginning of a file, cut off anywhere, is that of a pi session: the header is its first line, or follows a title. */
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
    return undefined // cut off, or no JSON: no header either way
  }
}

export type Program = 'pi' | 'openclaw' | 'nexus'

const OPENCLAW_PLACE = /(?:^|[\\/])\.?(?:openclaw|clawdbot|moltbot)[^\\/]*(?:[\\/]|$)/i
const AGENT_SESSIONS = /[\\/]agents[\\/][^\\/]+[\\/]sessions[\\/]/i
const ARCHIVE = /\.jsonl\.[^\\/]+$/i
const OPENCLAW_MARK =
  /"customType":\s*"(?:openclaw|clawdbot|moltbot)[.:]|"provider":\s*"(?:openclaw|clawdbot)"|"model":\s*"delivery-mirror"/
const NEXUS_PLACE = /(?:^|[\\/])\.?nexus(?:-[^\\/]+)?[\\/](?:[^\\/]+[\\/])*?state[\\/]/i

/** Several programs write pi's format: which one wrote a file, by its path and by marks in its first lines. */
export function whoseFile(path: string, head: string): Program {
  if (isNexusPath(path)) return 'nexus'
  if (OPENCLAW_PLACE.test(path) || AGENT_SESSIONS.test(path) || ARCHIVE.test(path) || OPENCLAW_MARK.test(head)) return 'openclaw'
  return 'pi'
}

export function isNexusPath(path: string): boolean {
  return NEXUS_PLACE.test(path)
}

/** When a session began. A fork copies older messages behind a newer header: it comes after what it was forked from. */
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
/** Fields that only headers of the first version had; a file that was converted keeps them. */
const OLD: readonly string[] = ['provider', 'modelId', 'thinkingLevel', 'branchedFrom']

/** Takes what the header says into the state, before the first entry. */
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

/** `…/<time>_<session>.jsonl`, or the session's name itself. */
export function nameIn(path: string): string {
  const file = path.split(/[\\/]/).at(-1) ?? path
  return file.replace(/\.jsonl$/i, '').replace(/^\d{4}-\d{2}-\d{2}T[^_]*_/, '')
}
