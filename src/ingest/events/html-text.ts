/// <reference path="./html-to-text.d.ts" />
/** HTML to text as a person reads it; quotes get `>`, images are dropped. */
import { compile } from 'html-to-text'

const MOST = 2 << 20

/** A link becomes its text, or its text and address if they differ. */
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
  // Per line: a trailing-space pattern over the whole text is quadratic.
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

/** Parsing is quadratic in depth: deeper HTML loses its structure. */
const DEEPEST = 500
const EMPTY = new Set(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr'.split(' '),
)
/** Tags that the parser closes implicitly when one of these opens. */
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
