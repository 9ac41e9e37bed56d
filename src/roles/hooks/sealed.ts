/**
 * The last thing done to a text before a harness takes it, whoever made it: nothing in it commands a terminal or turns a line around, and all
 * of it stands in one marked block that nothing inside can close.
 */
import { markMemory, NOTICE } from '../../core/marked-text.ts'
import { printable } from '../../core/text.ts'

const OPENING = /^<mnemonic-memory v="1">\n/
const CLOSING = /\n<\/mnemonic-memory>$/

/** The same where it was sealed before. Empty stays empty. */
export function sealed(text: string): string {
  let inner = printable(text).trim()
  if (OPENING.test(inner) && CLOSING.test(inner)) inner = inner.replace(OPENING, '').replace(CLOSING, '').trim()
  if (inner === '') return ''
  const [first = ''] = inner.split('\n', 1)
  return markMemory(first.includes(NOTICE) ? inner : `${NOTICE}\n${inner}`)
}
