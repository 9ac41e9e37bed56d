/** The content of a message, taken apart by its type: what a person saw, and all the rest as blocks. Never throws. */
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'

export interface Content {
  readonly type: string
  /** The words of it, whether they are speech or a call's parameters. */
  readonly text: string
  /** In order: text by length, everything else whole. Empty where the content is one text. */
  readonly blocks: readonly unknown[]
  /** What nobody said: thoughts, instructions, errors. `other` is a type nobody knew when this was written. */
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
/** In the order in which they are shown. */
const INSTRUCTION_FIELDS = ['user_profile', 'user_instructions', 'model_set_context']
const INSTRUCTIONS: ReadonlySet<string> = new Set(['content_type', ...INSTRUCTION_FIELDS])

function instructions(content: Fields): string {
  return INSTRUCTION_FIELDS.flatMap((key) => textOf(content[key]) ?? []).join('\n\n')
}

function blockOf(type: string, content: Fields, but: ReadonlySet<string>): unknown {
  const rest = Object.entries(content).filter(([key, value]) => !but.has(key) && value !== null && value !== '')
  return withoutBinary({ type, ...Object.fromEntries(rest) })
}

/** Words, spoken words, and pointers to pictures and sounds that lie beside the conversations. */
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
