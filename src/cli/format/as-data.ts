/** What people wrote, and names that were made of it, are data to an agent, not advice. */
import { escapeMarks, markMemory, NOTICE } from '../../core/marked-text.ts'
import type { Output } from '../output.ts'

/** The text as it is for a person; for an agent marked and said to be data. */
export function asData({ forAgent }: Pick<Output, 'forAgent'>, text: string): string {
  return forAgent && text !== '' ? `${NOTICE}\n${markMemory(escapeMarks(text))}` : text
}
