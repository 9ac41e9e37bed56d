/** A tool's result as it is stored: what the model was given, and what else the harness noted, no large text twice. */
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, resolve, sep } from 'node:path'
import { sha256 } from '../../../core/hash.ts'
import type { ToolResultPart } from '../../../ledgers/agent-record.ts'
import type { UnitReader } from '../../adapter.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, filled, isFields, textOf } from '../fields.ts'
import type { UnitNames } from './place-of.ts'

export interface ResultSource {
  readonly block: Fields
  readonly callId: string
  /** The record's `toolUseResult`, where it speaks of this block. */
  readonly extra?: unknown
  /** The whole output, where the block holds only its beginning. */
  readonly fullOutput?: string | undefined
}

/** Fields that repeat the call's own parameters, or those of the call before it. */
const PARAMETERS: ReadonlySet<string> = new Set(['oldString', 'newString', 'replaceAll', 'edits', 'newTodos', 'oldTodos', 'prompt'])
/** Copies of whole files as they were before an edit: the fingerprint is enough, the patch says what changed. */
const FILE_COPIES: ReadonlySet<string> = new Set(['originalFile', 'originalFileContents'])
/** From this length on, a text is stored only once; these are copies whatever their length. */
const LONG = 80
const OUTPUTS: ReadonlySet<string> = new Set(['stdout', 'stderr'])

export function toolResult(source: ResultSource): ToolResultPart {
  const { block, callId, fullOutput } = source
  const content = withoutBinary(block.content ?? block.text ?? '')
  const extra = extraOf(source.extra, contentText(content))
  const agent = isFields(source.extra) ? textOf(source.extra.agentId) : undefined
  return {
    callId,
    result: JSON.stringify({ content, output: fullOutput, toolUseResult: extra }),
    isError: block.is_error === true,
    ...(agent === undefined ? {} : { childSession: `agent-${agent}` }),
  }
}

/** The text of a result's content, to compare with. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((block) => (isFields(block) ? (textOf(block.text) ?? '') : '')).join('\n')
}

function extraOf(extra: unknown, text: string): unknown {
  if (typeof extra === 'string') return text.includes(extra.replace(/^Error: /, '').trim()) ? undefined : extra
  if (Array.isArray(extra)) return text === contentText(extra) ? undefined : withoutBinary(extra)
  if (!isFields(extra)) return undefined
  // A file that was written: its content is a parameter.
  const written = extra.type === 'create' || extra.type === 'update'
  const keys = Object.keys(extra).filter((key) => !PARAMETERS.has(key) && !(written && key === 'content'))
  return filled(Object.fromEntries(keys.map((key) => [key, keptOf(key, extra[key], text)])))
}

/** What is kept of one field; undefined for what the content says already. */
function keptOf(key: string, given: unknown, text: string): unknown {
  if (given === false) return undefined
  if (FILE_COPIES.has(key) && typeof given === 'string') return fileCopy(given)
  const value = key === 'file' ? fileWithoutText(given, text) : given
  const copy = (OUTPUTS.has(key) || sizeOf(value) >= LONG) && isCopy(value, text)
  return copy ? undefined : withoutCopies(withoutBinary(value), text)
}

/** A file that was read: the result holds its text, with line numbers. */
function fileWithoutText(file: unknown, text: string): unknown {
  if (!isFields(file) || !textOf(file.content) || text.length < (file.content as string).length) return file
  const { content: _, ...rest } = file
  return rest
}

function fileCopy(text: string): unknown {
  return text === '' ? undefined : { sha256: sha256(text), bytes: Buffer.byteLength(text) }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return Array.isArray(value)
    ? value.reduce<number>((sum, item) => sum + (isFields(item) ? contentText([item]).length : sizeOf(item)), 0)
    : 0
}

function isCopy(value: unknown, text: string): boolean {
  if (typeof value === 'string') return text.includes(value.trim())
  if (!Array.isArray(value) || value.length === 0) return false
  if (value.every((item) => typeof item === 'string')) return text.includes(value.join('\n'))
  return value.every((item) => isFields(item) && item.type === 'text') && text === contentText(value)
}

/** Long strings that stand in the content already are not stored again. */
function withoutCopies(value: unknown, text: string): unknown {
  if (typeof value === 'string') return value.length >= LONG && text.includes(value.trim()) ? { in_content: true } : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withoutCopies(item, text))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutCopies(inner, text)]))
}

const SAVED = /Full output saved to: ([^\n]+)/
/** The note stands at the beginning of a result; a mention further down is only text. */
const HEAD = 2000
const MOST = 16 * 1024 * 1024

/** The paths of whole outputs that `value`, a parsed line, points to, by the id of their call; undefined for none. */
export function persistedPaths(value: unknown): ReadonlyMap<string, string> | undefined {
  const content = isFields(value) && value.type === 'user' ? fieldsOf(value.message)?.content : undefined
  if (!Array.isArray(content)) return undefined
  let found: Map<string, string> | undefined
  for (const item of content) {
    const block = fieldsOf(item)
    const id = textOf(block?.tool_use_id)
    if (block?.type !== 'tool_result' || id === undefined) continue
    const text = contentText(block.content).slice(0, HEAD)
    const path = text.includes('<persisted-output>') ? SAVED.exec(text)?.[1]?.trim() : undefined
    if (path !== undefined) found = (found ?? new Map()).set(id, path)
  }
  return found
}

/** The outputs at these paths, by the same ids. A transcript is untrusted: only files of the session's own folder are ever read for it. */
export async function persistedOutputs(
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

/** The text of a file that really lies below `folder`; undefined for every other path, and for a file that is gone. */
async function readBelow(path: string, folder: string, reader: UnitReader): Promise<string | undefined> {
  if (path.includes('\0')) return undefined
  try {
    const root = await realpath(folder)
    const real = await realpath(isAbsolute(path) ? path : resolve(root, path))
    if (!real.startsWith(root + sep)) return undefined
    const info = await stat(real)
    if (!info.isFile()) return undefined
    return (await reader.slice(real, 0, Math.min(info.size, MOST))).toString('utf8')
  } catch (error) {
    // The preview in the transcript stays; that the file is gone is normal.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
