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
  return convert(html.length > MOST ? html.slice(0, MOST) : html).replace(/[ \t\u00a0]+$/gm, '')
}
