import { sha256 } from '../../../core/hash.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, filledBut, isFields } from '../fields.ts'

export interface ItemContent {
  readonly texts: readonly string[]
  /** Ordered: texts by length, the rest verbatim. */
  readonly blocks: readonly unknown[]
  readonly mixed: boolean
}

const TEXTS: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'text', 'Text', 'inputText', 'summary_text', 'reasoning_text'])
/** The harness puts this tag around an image. */
const PICTURE_TAG = /^<\/?image(?:\s[^<>]*)?>$/
const OF_TEXT: ReadonlySet<string> = new Set(['type', 'text'])

export function itemContent(content: unknown): ItemContent {
  if (typeof content === 'string') return { texts: [content], blocks: [{ type: 'text', length: content.length }], mixed: false }
  const list = Array.isArray(content) ? (content as unknown[]) : isFields(content) ? [content] : []
  const texts: string[] = []
  const blocks: unknown[] = []
  for (const block of list) {
    if (isFields(block) && TEXTS.has(block.type) && typeof block.text === 'string' && !PICTURE_TAG.test(block.text)) {
      texts.push(block.text)
      blocks.push({ type: 'text', length: block.text.length, ...filledBut(block, OF_TEXT) })
    } else blocks.push(withoutSecrets(block))
  }
  return { texts, blocks, mixed: blocks.length > 1 || texts.length !== blocks.length }
}

export function withoutSecrets(value: unknown): unknown {
  const kept = withoutBinary(value)
  if (!isFields(kept) || typeof kept.encrypted_content !== 'string') return kept
  return { ...kept, encrypted_content: encrypted(kept) }
}

export function encrypted({ encrypted_content }: Fields): { sha256: string; bytes: number } | undefined {
  if (typeof encrypted_content !== 'string' || encrypted_content === '') return undefined
  return { sha256: sha256(encrypted_content), bytes: encrypted_content.length }
}
