/** Foreign text must not act as markup. */
import { escapeInline } from '../../analyze/plain-line.ts'
import { oneLine } from '../../core/text.ts'

const LEAST_FENCE = 3

/** The fence is longer than any run inside; picks the mark that needs fewer. */
export function fenced(text: string): string {
  const ticks = longestRun(text, '`')
  const tildes = longestRun(text, '~')
  const [mark, inside] = tildes < ticks ? ['~', tildes] : ['`', ticks]
  const fence = mark.repeat(Math.max(LEAST_FENCE, inside + 1))
  return `${fence}text\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`
}

export function inline(text: string, max = 200): string {
  return escapeInline(oneLine(text.toWellFormed(), max))
}

function longestRun(text: string, mark: string): number {
  let longest = 0
  for (let at = text.indexOf(mark); at >= 0; ) {
    let end = at + 1
    while (text[end] === mark) end++
    longest = Math.max(longest, end - at)
    at = text.indexOf(mark, end)
  }
  return longest
}
