/** Never throws. */
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'

export interface Content {
  readonly type: string
  readonly text: string
  /** Ordered: texts by length, the rest verbatim. Empty for a single text. */
  readonly blocks: readonly unknown[]
  readonly kind: 'speech' | 'thinking' | 'instructions' | 'error' | 'output' | 'other'
}

const KINDS: Readonly<Record<string, Content['kind']>> = {
  text: 'speech',
  multimodal_text: 'speech',
  code: 'speech',
  thoughts: 'thinking',
  reasoning_recap: 'thinking',
  user_editable_context: 'instructions',
  model_editable_context: 'instructions',
  system_error: 'error',
  execution_output: 'output',
  tether_browsing_display: 'output',
  tether_browsing_code: 'output',
  tether_quote: 'output',
  citable_code_output: 'output',
  computer_output: 'output',
  sonic_webpage: 'output',
  browser_window: 'output',
  app_pairing_content: 'output',
}

export function readContent(value: unknown): Content {
  const content = fieldsOf(value) ?? {}
  const type = textOf(content.content_type) ?? ''
  const kind = KINDS[type] ?? 'other'
  if (Array.isArray(content.parts) && (kind === 'speech' || kind === 'other')) return { type, kind, ...partsOf(content.parts) }
  if (type === 'text' || type === 'code') return { type, kind, text: textOf(content.text) ?? '', blocks: [] }
  if (kind === 'instructions') return { type, kind, text: instructions(content), blocks: [blockOf(type, content, INSTRUCTIONS)] }
  if (kind === 'error') return { type, kind, text: textOf(content.text) ?? '', blocks: [blockOf(type, content, TEXT)] }
  return { type, kind, text: '', blocks: value === undefined || value === null ? [] : [blockOf(type, content, NOTHING)] }
}

const NOTHING: ReadonlySet<string> = new Set(['content_type'])
const TEXT: ReadonlySet<string> = new Set(['content_type', 'text'])
const INSTRUCTION_FIELDS = ['user_profile', 'user_instructions', 'model_set_context']
const INSTRUCTIONS: ReadonlySet<string> = new Set(['content_type', ...INSTRUCTION_FIELDS])

function instructions(content: Fields): string {
  return INSTRUCTION_FIELDS.flatMap((key) => textOf(content[key]) ?? []).join('\n\n')
}

function blockOf(type: string, content: Fields, but: ReadonlySet<string>): unknown {
  const rest = Object.entries(content).filter(([key, value]) => !but.has(key) && value !== null && value !== '')
  return withoutBinary({ type, ...Object.fromEntries(rest) })
}

function partsOf(parts: readonly unknown[]): Pick<Content, 'text' | 'blocks'> {
  const texts: string[] = []
  const blocks: unknown[] = []
  let plain = true
  for (const part of parts) {
    const { content_type: type, ...rest } = fieldsOf(part) ?? {}
    const text = typeof part === 'string' ? part : type === 'audio_transcription' ? textOf(rest.text) : undefined
    if (text === '' || part === null) continue
    plain &&= typeof part === 'string'
    if (text !== undefined) texts.push(text)
    const { text: _, ...others } = rest
    if (typeof part === 'string') blocks.push({ type: 'text', length: part.length })
    else if (text !== undefined) blocks.push({ type, length: text.length, ...others })
    else blocks.push(withoutBinary({ type: type ?? 'part', ...(fieldsOf(part) === undefined ? { value: part } : rest) }))
  }
  return { text: texts.join('\n\n'), blocks: plain && texts.length < 2 ? [] : blocks }
}

export interface Unmarked {
  readonly text: string
  /** Removed marks with their positions: enough to restore them. */
  readonly marks: readonly (readonly [at: number, mark: string])[]
}

/** `U+E200 kind U+E202 argument … U+E201`; may be unterminated. Single marks are formatting. */
const MARK = /\ue200[^\ue200\ue201]*\ue201|\ue200(?:[a-z_]+(?:\ue202[\w.:-]*)*)?|[\ue201-\ue206]/g
const SEPARATOR = '\ue202'
const END = '\ue201'

/** Citation marks are private-use characters, which the page renders as links. */
export function withoutMarks(text: string): Unmarked {
  if (!/[\ue200-\ue206]/.test(text)) return { text, marks: [] }
  const marks: [number, string][] = []
  let rest = ''
  let from = 0
  for (const match of text.matchAll(MARK)) {
    rest += text.slice(from, match.index)
    marks.push([rest.length, match[0]])
    rest += shownOf(match[0])
    from = match.index + match[0].length
  }
  return { text: rest + text.slice(from), marks }
}

/** The visible text of a mark, if it is part of the sentence: a name or link text. */
function shownOf(mark: string): string {
  if (!mark.endsWith(END)) return ''
  const [kind, first = ''] = mark.slice(1, -1).split(SEPARATOR)
  if (kind === 'url') return first
  if (kind !== 'entity') return ''
  const name = /^\s*\[\s*"(?:[^"\\]|\\.)*"\s*,\s*("(?:[^"\\]|\\.)*")/.exec(first)?.[1]
  return name === undefined ? '' : wordOf(name)
}

function wordOf(json: string): string {
  try {
    return String(JSON.parse(json))
  } catch {
    return ''
  }
}
