/** The words in the editor state of a prompt (Lexical JSON), where the prompt's own text is empty. Never throws. */
import { fieldsOf, textOf } from '../fields.ts'
import { listOf, parsedJson } from './row-value.ts'

/** Deeper than any editor goes; a made-up nesting must not exhaust the stack. */
const DEPTH = 50

export function richText(value: unknown): string | undefined {
  const given = textOf(value)
  if (given === undefined) return undefined
  const root = fieldsOf(fieldsOf(parsedJson(given))?.root)
  // Some rows hold plain text in its place.
  if (root === undefined) return given.trimStart().startsWith('{') ? undefined : given
  return textOf(
    listOf(root.children)
      .map((block) => nodeText(block, 0))
      .join('\n'),
  )
}

function nodeText(node: unknown, depth: number): string {
  const fields = fieldsOf(node)
  if (fields === undefined || depth > DEPTH) return ''
  if (fields.type === 'linebreak') return '\n'
  const own = textOf(fields.text) ?? textOf(fields.mentionName)
  if (own !== undefined) return own
  const inner = listOf(fields.children).map((child) => nodeText(child, depth + 1))
  return inner.join(fields.type === 'list' ? '\n' : '')
}
