/// <reference path="./html-to-text.d.ts" />
/** HTML mail as text: what a person would read, quoted history behind `>`, links as their words, pictures left out. */
import { compile } from 'html-to-text'

/** Longer HTML is cut: it is a page, not a letter, and everything that is read has its limits. */
const MOST = 2 << 20

const convert = compile({
  wordwrap: false,
  preserveNewlines: false,
  limits: { maxInputLength: MOST, maxDepth: 200, ellipsis: '' },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'style', format: 'skip' },
    { selector: 'script', format: 'skip' },
    { selector: 'title', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'hr', format: 'skip' },
  ],
})

export function htmlText(html: string): string {
  const bounded = html.length > MOST ? html.slice(0, MOST) : html
  const text = isTooNested(bounded) ? bounded.replace(/<[^<>]*>/g, ' ') : convert(bounded)
  // Line by line: a pattern for spaces at the end would try every run of them from each of its spaces on.
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

/** No letter nests so deep, and the parser takes the square of the depth: such a page gives its words without its form. */
const DEEPEST = 500
/** These end by themselves where the next one begins. */
const UNCOUNTED = new Set(
  'area base br col embed hr img input link meta source track wbr p li td th tr dd dt option thead tbody tfoot'.split(' '),
)

function isTooNested(html: string): boolean {
  let depth = 0
  for (const [, slash, name] of html.matchAll(/<(\/?)([a-z][a-z0-9]{0,20})/gi)) {
    if (UNCOUNTED.has((name as string).toLowerCase())) continue
    depth += slash === '' ? 1 : -1
    if (depth < 0) depth = 0
    if (depth > DEEPEST) return true
  }
  return false
}
