/** Text by people, and names made from it, are data to an agent, not advice. */
import { escapeMarks, markMemory, NOTICE } from '../../core/marked-text.ts'
import type { Output } from '../output.ts'

export function asData({ forAgent }: Pick<Output, 'forAgent'>, text: string): string {
  return forAgent && text !== '' ? `${NOTICE}\n${markMemory(escapeMarks(text))}` : text
}
