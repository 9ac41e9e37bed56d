import { countTokens } from '../core/tokens.ts'
import { fencesOf } from './fences.ts'

export interface Section {
  readonly text: string
  /** Outermost first. */
  readonly trail: readonly string[]
}

/** Smaller sections join the next. */
const SMALL = 60
const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*?)[ \t]*#*[ \t]*$/gm

interface Range {
  readonly start: number
  readonly end: number
  readonly trail: readonly string[]
}

export function sectionsOf(text: string, max: number): Section[] {
  const joined: (Range & { tokens: number })[] = []
  for (const range of ranges(text)) {
    const tokens = countTokens(text.slice(range.start, range.end))
    if (tokens === 0) continue
    const before = joined.at(-1)
    if (before !== undefined && before.tokens < SMALL && before.tokens + tokens <= max) {
      const trail = before.trail.length <= range.trail.length ? before.trail : range.trail
      joined[joined.length - 1] = { start: before.start, end: range.end, trail, tokens: before.tokens + tokens }
    } else joined.push({ ...range, tokens })
  }
  return joined.map(({ start, end, trail }) => ({ text: text.slice(start, end).trim(), trail }))
}

function* ranges(text: string): Generator<Range> {
  const fences = fencesOf(text)
  const headings = [...text.matchAll(HEADING)].filter(({ index }) => !fences.some(({ start, end }) => index >= start && index < end))
  const trail: { level: number; title: string }[] = []
  yield { start: 0, end: headings[0]?.index ?? text.length, trail: [] }
  for (const [i, heading] of headings.entries()) {
    const [, marks = '', title = ''] = heading
    while ((trail.at(-1)?.level ?? 0) >= marks.length) trail.pop()
    trail.push({ level: marks.length, title })
    yield { start: heading.index, end: headings[i + 1]?.index ?? text.length, trail: trail.map((one) => one.title) }
  }
}
