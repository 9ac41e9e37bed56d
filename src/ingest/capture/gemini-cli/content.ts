/** Content as the Gemini API has it (a string, or a list of parts), taken apart: visible text, and everything else. Pure. */
import { withoutBinary } from '../binary.ts'
import { type Fields, isFields } from '../fields.ts'

export interface Content {
  readonly text: string
  /** In order: text by length, all other parts whole. */
  readonly blocks: readonly unknown[]
  /** Answers of tools that stand in the content itself. */
  readonly responses: readonly Fields[]
  /** Parts that are neither text nor such answers. */
  readonly others: number
}

export function readContent(content: unknown): Content {
  const parts: readonly unknown[] = Array.isArray(content) ? content : content === undefined || content === null ? [] : [content]
  const texts: string[] = []
  const blocks: unknown[] = []
  const responses: Fields[] = []
  let others = 0
  for (const part of parts) {
    const text = textOfPart(part)
    if (text !== undefined) {
      texts.push(text)
      blocks.push({ type: 'text', length: text.length })
    } else if (isFields(part) && isFields(part.functionResponse)) {
      responses.push(part.functionResponse)
      blocks.push({ type: 'tool_result', id: part.functionResponse.id })
    } else {
      others += 1
      blocks.push(withoutBinary(part))
    }
  }
  // Parts are pieces of one text: Gemini CLI itself joins them so.
  return { text: texts.join(''), blocks, responses, others }
}

/** A part that is nothing but visible text. */
export function textOfPart(part: unknown): string | undefined {
  if (typeof part === 'string') return part
  return isFields(part) && typeof part.text === 'string' && part.thought !== true ? part.text : undefined
}
