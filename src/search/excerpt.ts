/** The sentences of a text that answer a question. Pure. */
import { clip } from '../core/text.ts'

const LONGEST = 320

/** Where most of the matched words stand, from a sentence's beginning on, with … where something is left out. */
export function excerptOf(content: string, matched: readonly string[], max = LONGEST): string {
  if (content.length <= max) return content
  const start = bestStart(content, matched, max)
  const rest = clip(content.slice(start), start === 0 ? max : max - 2)
  return start === 0 ? rest : `… ${rest}`
}

function bestStart(content: string, matched: readonly string[], max: number): number {
  const lower = content.toLowerCase()
  const terms = matched.map((term) => term.toLowerCase()).filter((term) => term.length > 1)
  const worth = (start: number) => {
    const window = lower.slice(start, start + max)
    return terms.filter((term) => window.includes(term)).length
  }
  let best = { start: 0, worth: worth(0) }
  for (const { index } of content.matchAll(/(?<=\n|[.!?] )(?=\S)/g)) {
    const found = worth(index)
    if (found > best.worth) best = { start: index, worth: found }
  }
  return best.start
}
