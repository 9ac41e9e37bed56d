import { sha256 } from '../../../core/hash.ts'
import type { ToolResultPart } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, filled, isFields, textOf } from '../fields.ts'

export interface ResultSource {
  readonly block: Fields
  readonly callId: string
  readonly extra?: unknown
  /** Set if the block holds only a preview. */
  readonly fullOutput?: string | undefined
}

const PARAMETERS: ReadonlySet<string> = new Set(['oldString', 'newString', 'replaceAll', 'edits', 'newTodos', 'oldTodos', 'prompt'])
/** Full file copies before an edit: stored as a fingerprint. */
const FILE_COPIES: ReadonlySet<string> = new Set(['originalFile', 'originalFileContents'])
/** Longer texts are stored once; OUTPUTS are duplicates at any length. */
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

export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((block) => (isFields(block) ? (textOf(block.text) ?? '') : '')).join('\n')
}

function extraOf(extra: unknown, text: string): unknown {
  if (typeof extra === 'string') return text.includes(extra.replace(/^Error: /, '').trim()) ? undefined : extra
  if (Array.isArray(extra)) return text === contentText(extra) ? undefined : withoutBinary(extra)
  if (!isFields(extra)) return undefined
  const written = extra.type === 'create' || extra.type === 'update'
  const keys = Object.keys(extra).filter((key) => !PARAMETERS.has(key) && !(written && key === 'content'))
  return filled(Object.fromEntries(keys.map((key) => [key, keptOf(key, extra[key], text)])))
}

function keptOf(key: string, given: unknown, text: string): unknown {
  if (given === false) return undefined
  if (FILE_COPIES.has(key) && typeof given === 'string') return fileCopy(given)
  const value = key === 'file' ? fileWithoutText(given, text) : given
  const copy = (OUTPUTS.has(key) || sizeOf(value) >= LONG) && isCopy(value, text)
  return copy ? undefined : withoutCopies(withoutBinary(value), text)
}

/** The result already contains the file's text, with line numbers. */
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

function withoutCopies(value: unknown, text: string): unknown {
  if (typeof value === 'string') return value.length >= LONG && text.includes(value.trim()) ? { in_content: true } : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withoutCopies(item, text))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutCopies(inner, text)]))
}
