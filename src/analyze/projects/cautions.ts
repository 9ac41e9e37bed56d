import { plainLine, sentencesOf } from '../plain-line.ts'
import type { Fact } from './fact.ts'

const HINT = /\bbug (?:where|in|that)\b|\bworkaround for\b|\b(?:do not|don't|never) use\b/i
const WARNS =
  /(?<!\S)[\w.()-]+(?: v?\d[\w.]*)? (?:has|have) (?:a|an|several)(?: \w+)? bugs? (?:where|in which|that)\b|\bwork(?:s|ing)? around (?:an? )?[\w.-]+(?: v?\d[\w.]*)? bugs? (?:where|in which|that)\b|\bdue to (?:a|an)(?: \w+)? bug in [\w.-]+|\bworkaround for (?:a|an|the)\b|^(?:Do not|Don't|Never|DO NOT|NEVER) use [\w.`-]+(?: v?\d[\w.]*)? (?:for|to|in|with|inside)\b/i
const LONGEST = 260
const SHORTEST = 40
const COMMENT = /^\s*(?:\/\/+!?|#|\*|--|;;)\s?(.*)$/

export function cautions(text: string, file: string, isCode: boolean): Fact[] {
  if (!HINT.test(text)) return []
  const facts: Fact[] = []
  const lines = text.split('\n')
  for (const [i, line] of lines.entries()) {
    if (!HINT.test(line) || line.length > 2_000) continue
    const said = isCode ? comment(lines, i) : line
    if (said === undefined) continue
    for (const sentence of sentencesOf(plainLine(said.replace(/^\s*(?:[-*+>]|\d+\.)\s+/, ''), 2_000)))
      if (
        WARNS.test(sentence) &&
        sentence.length >= SHORTEST &&
        sentence.length <= LONGEST &&
        !/[?:]$/.test(sentence) &&
        !/\b(?:I|we|you)\b/.test(sentence)
      )
        facts.push({ kind: 'caution', key: keyOf(sentence), value: sentence, detail: { file }, isForeign: true })
    if (facts.length >= 20) break
  }
  return facts
}

/** The whole comment block, so that multi-line sentences are complete. */
function comment(lines: readonly string[], at: number): string | undefined {
  const bare = (i: number) => COMMENT.exec(lines[i] ?? '')?.[1]
  if (bare(at) === undefined) return undefined
  let from = at
  let to = at
  while (at - from < 4 && bare(from - 1)) from -= 1
  while (to - at < 4 && bare(to + 1)) to += 1
  return Array.from({ length: to - from + 1 }, (_, i) => bare(from + i)).join(' ')
}

function keyOf(sentence: string): string {
  return sentence
    .toLowerCase()
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .split(/\s+/)
    .slice(0, 12)
    .join(' ')
}
