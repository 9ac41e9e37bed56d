/**
 * Must be the last step before a harness gets a text. Strips control and bidirectional characters; encloses the text in one block that it
 * cannot close.
 */
import { markMemory, NOTICE } from '../../core/marked-text.ts'
import { printable } from '../../core/text.ts'

const OPENING = /^<mnemonic-memory v="1">\n/
const CLOSING = /\n<\/mnemonic-memory>$/

/** Idempotent. Empty stays empty. */
export function sealed(text: string): string {
  let inner = printable(text).trim()
  if (OPENING.test(inner) && CLOSING.test(inner)) inner = inner.replace(OPENING, '').replace(CLOSING, '').trim()
  if (inner === '') return ''
  const [first = ''] = inner.split('\n', 1)
  return markMemory(first.includes(NOTICE) ? inner : `${NOTICE}\n${inner}`)
}
