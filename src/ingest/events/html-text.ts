/// <reference path="./html-to-text.d.ts" />
/** HTML of mails and meetings as text: what a person would read, quoted history behind `>`, pictures left out. */
import { compile } from 'html-to-text'

/** Longer HTML is cut: it is a page, not a letter, and everything that is read has its limits. */
const MOST = 2 << 20

/** What a link becomes: its words, or its words and its address, where that says more. */
const LINKS = { words: { ignoreHref: true }, addresses: { hideLinkHrefIfSameAsText: true } } as const

function converter(links: keyof typeof LINKS) {
  return compile({
    wordwrap: false,
    preserveNewlines: false,
    limits: { maxInputLength: MOST, maxDepth: 200, ellipsis: '' },
    selectors: [
      { selector: 'a', options: LINKS[links] },
      { selector: 'img', format: 'skip' },
      { selector: 'style', format: 'skip' },
      { selector: 'script', format: 'skip' },
      { selector: 'title', format: 'skip' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
      { selector: 'hr', format: 'skip' },
    ],
  })
}

const CONVERT = { words: converter('words'), addresses: converter('addresses') }

export function htmlText(html: string, links: keyof typeof LINKS = 'words'): string {
  const bounded = html.length > MOST ? html.slice(0, MOST) : html
  const text = isTooNested(bounded) ? bounded.replace(/<[^<>]*>/g, ' ') : CONVERT[links](bounded)
  // Line by line: a pattern for spaces at the end would try every run of them from each of its spaces on.
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

/** No letter nests so deep, and the parser takes the square of the depth: such a page gives its words without its form. */
const DEEPEST = 500
const EMPTY = new Set(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr'.split(' '),
)
/** What ends by itself where one of these begins, as the parser has it. Where anything else stands between them they nest. */
const ENDED: Readonly<Record<string, readonly string[]>> = {
  ...{ p: ['p'], li: ['li'], tr: ['tr', 'th', 'td'], td: ['thead', 'th', 'td'], th: ['th'], dd: ['dt', 'dd'], dt: ['dt', 'dd'] },
  ...{ option: ['option'], optgroup: ['optgroup', 'option'], tbody: ['thead', 'tbody'], tfoot: ['thead', 'tbody'] },
  ...Object.fromEntries('h1 h2 h3 h4 h5 h6 blockquote div dl form ol pre section table ul'.split(' ').map((name) => [name, ['p']])),
}

function isTooNested(html: string): boolean {
  const open: string[] = []
  for (const [, slash, written] of html.matchAll(/<(\/?)([a-z][a-z0-9]{0,20})/gi)) {
    const name = (written as string).toLowerCase()
    if (EMPTY.has(name)) continue
    if (slash !== '') {
      const at = open.lastIndexOf(name)
      if (at >= 0) open.length = at
      continue
    }
    const ended = ENDED[name] ?? []
    while (ended.includes(open.at(-1) ?? '')) open.pop()
    open.push(name)
    if (open.length > DEEPEST) return true
  }
  return false
}
