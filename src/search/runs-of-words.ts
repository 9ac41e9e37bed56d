/** A text as the set of its runs of a few words, by which two texts are compared. Pure. */
import { wordsIn } from '../core/text.ts'

/** Each run as a number: a text has hundreds of them, and making each a text of its own costs more than all the rest of comparing. */
export function runsOfWords(text: string, length: number): Set<number> {
  const words = wordsIn(text.toLowerCase()).map(numberOf)
  const runs = new Set<number>()
  for (let i = 0; i + length <= words.length; i++) {
    let run = 0
    for (let j = i; j < i + length; j++) run = (Math.imul(run, 0x01000193) ^ (words[j] as number)) >>> 0
    runs.add(run)
  }
  return runs
}

/** FNV-1a: two words of one number are so rare that they make no two texts alike. */
function numberOf(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193) >>> 0
  return hash
}
