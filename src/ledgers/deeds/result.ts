import { isRecord, opened, parsed } from './json.ts'

export interface ToolCall {
  readonly tool_name: string | null
  readonly params_json: string | null
  readonly result_json: string | null
  readonly status: string
}

export interface CallResult {
  /** Without the surrounding structure. */
  readonly text: string
  /** With terminal colours, which may be all that delimits a secret. Must be redacted. */
  readonly coloured: string
  readonly failed: boolean
  /** The user declined: neither done nor failed. */
  readonly refused: boolean
  /** For writes: whether the file existed; undefined if unknown. */
  readonly existed: boolean | undefined
}

const REFUSED =
  /^(?:The user doesn't want to (?:proceed|take this action)|\[?Request interrupted by user|The user rejected permission|User rejected|Tool (?:use|call) (?:was )?(?:rejected|cancelled|denied)|The tool use was rejected|This command requires approval|(?:Claude|The agent) requested permissions)/i
const EXITED =
  /(?:^|\n)(?:Exit[ -]code:?|Process exited with code|Command (?:exited|failed) with (?:exit )?code|exited with code|<exit_code>)\s{0,4}(-?\d{1,5})/gi
const OVERWROTE = /\b(?:overwrote|has been updated|updated successfully|overwritten)\b/
const CREATED = /\b(?:created|new file|add(?:ed)? file)\b/i
/** Tools state their outcome near the start or end. */
const EDGE = 2_000

export function resultOf({ result_json, status }: Pick<ToolCall, 'result_json' | 'status'>, value = parsed(result_json)): CallResult {
  const coloured = textOf(isRecord(value) && value.content !== undefined ? value.content : value)
  const text = plain(coloured)
  const edges = text.length > 2 * EDGE ? `${text.slice(0, EDGE)}\n${text.slice(-EDGE)}` : text
  const codes = [...edges.matchAll(EXITED)].map(([, code]) => Number(code))
  const code = exitCode(value) ?? codes[0] ?? 0
  const isError = status === 'error' || status === 'failed' || saysFailed(value)
  const refused = (isError || status === 'cancelled' || status === 'rejected') && REFUSED.test(text.slice(0, EDGE).trimStart())
  return { text, coloured, failed: !refused && (isError || code !== 0), refused, existed: existed(value, edges.slice(0, EDGE)) }
}

function textOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') {
    const inner = value.length < 200_000 && depth < 4 ? opened(value) : undefined
    const output = isRecord(inner) ? (inner.output ?? inner.stdout) : undefined // Codex of 2025 nests output and metadata as JSON
    return typeof output === 'string' ? output : value
  }
  if (typeof value === 'number' && depth > 0) return ''
  if (depth > 6 || typeof value !== 'object' || value === null) return ''
  const parts: string[] = []
  for (const [key, item] of Object.entries(value)) {
    if (key === 'type' || key === 'toolUseResult' || key === 'time' || key === 'mimeType' || key === 'data') continue
    const text = textOf(item, depth + 1)
    if (text !== '') parts.push(text)
  }
  return parts.join('\n')
}

export function plain(text: string): string {
  const uncoloured = text.includes('\u001b') ? text.replace(/\u001b\[[0-9;?]{0,20}[A-Za-z]/g, '') : text
  return uncoloured.includes('\r') ? uncoloured.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : uncoloured
}

function exitCode(value: unknown): number | undefined {
  for (const at of places(value)) {
    for (const key of ['exit_code', 'exitCode', 'exit', 'returncode']) if (typeof at[key] === 'number') return at[key]
  }
  return undefined
}

function saysFailed(value: unknown): boolean {
  return places(value).some((at) => at.isError === true || at.is_error === true || at.success === false || at.Err !== undefined)
}

function places(value: unknown): Readonly<Record<string, unknown>>[] {
  if (!isRecord(value)) return []
  const content = typeof value.content === 'string' ? (value.content.length < 200_000 ? opened(value.content) : undefined) : value.content
  const inner = isRecord(content) ? [content, content.metadata, content.result] : []
  return [value, value.metadata, value.toolUseResult, value.details, ...inner].filter(isRecord)
}

function existed(value: unknown, text: string): boolean | undefined {
  const type = isRecord(value) && isRecord(value.toolUseResult) ? value.toolUseResult.type : undefined
  if (type === 'create' || type === 'update') return type === 'update'
  if (isRecord(value) && isRecord(value.metadata) && typeof value.metadata.exists === 'boolean') return value.metadata.exists
  return OVERWROTE.test(text) ? true : CREATED.test(text) ? false : undefined
}
