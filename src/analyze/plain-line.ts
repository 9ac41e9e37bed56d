/** Said text as harmless prose, for summaries and sentences, on one line or cut into its sentences: no secret, no markup, no control character, nothing that was injected. */
import { cutMarked } from '../core/marked-text.ts'
import { redactSensitiveText } from '../core/redact.ts'
import { oneLine, stripControls } from '../core/text.ts'

/** Marks that reorder or hide what a reader sees. */
const UNSEEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|\udb40[\udc00-\udc7f]/g
/** Part of emoji and of many scripts, and of no word, path or secret in ASCII. */
const JOINERS = /(?<=[\x21-\x7e])(?:\u034f|\u200c|\u200d|[\ufe00-\ufe0f]|\udb40[\udd00-\uddef])+(?=[\x21-\x7e])/g
const FENCED = /^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1|(?![\s\S]))/gm
const TAG = /<\/?[A-Za-z!][^<>]{0,200}>/g
/** Signs of markup at the start of a line: headings, quotes, lists, tables. */
const LINE_START = /^[ \t]{0,12}(?:[#>|]{1,6}[ \t]*|[-*+][ \t]+(?:\[[ xX]\][ \t]*)?|\d{1,4}[.)][ \t]+)+/gm
const EMPHASIS = /\*{1,3}|_{2,3}|`{1,3}|~~/g
/** Longer texts are read by their beginning. */
const LONGEST = 8_000

export function withoutCodeBlocks(text: string): string {
  return text.includes('```') || text.includes('~~~') ? text.replace(FENCED, '\n') : text
}

/** Headings, quotations, tables and labels alone on their line: they say nothing themselves. */
const UNSPOKEN = /^[ \t]{0,12}(?:#{1,6}[ \t]|>|\||[-=_*]{3,}[ \t]*$|\*\*[^*\n]{1,80}\*\*:?[ \t]*$).*$/gm

/** The said text without code blocks and markup, redacted; its lines stay lines. `spoken`: without headings, quotations and tables too. */
export function plainText(text: string, { spoken = false } = {}): string {
  // Redacted before anything is removed or cut: unseen characters may show where a secret begins, and half a secret is not recognised.
  const visible = stripControls(
    redactSensitiveText(cutMarked(text.toWellFormed()), { mode: 'tools' })
      .replace(UNSEEN, '')
      .replace(/[\u2028\u2029]/g, '\n'),
  ).replace(JOINERS, '')
  const safe = redactSensitiveText(visible, { mode: 'tools' }).slice(0, LONGEST).toWellFormed()
  const prose = withoutCodeBlocks(safe)
  const said = spoken ? prose.replace(UNSPOKEN, '') : prose
  const bare = said.replace(TAG, ' ').replace(LINE_START, '').replace(EMPHASIS, '')
  // What was taken out of the middle of a secret shows it whole.
  return redactSensitiveText(bare, { mode: 'tools' })
}

/** The same on one line, at most `max` UTF-16 units long. */
export function plainLine(text: string, max: number): string {
  return oneLine(plainText(text), max)
}

const INLINE = /[\\`|[\]<>*]/g

/** A line that is safe in a list item of markdown: it starts no link, code, tag, emphasis or cell. */
export function escapeInline(line: string): string {
  return line.replace(INLINE, '\\$&')
}

const END = /[.!?。！？]+["'”’)\]]*(?=\s|$)|[。！？]+|\n+/g
/** What a full stop may belong to. */
const ABBREVIATION = /(?:^|[\s(“"'])(?:e\.g|i\.e|etc|vs|cf|mr|mrs|ms|dr|prof|st|no|nr|fig|approx|incl)\.$/i
const MOST_SENTENCES = 400

/** The sentences of a text in order, each trimmed, its own punctuation kept; at most 400 of them. A full stop inside a name, a number or a path ends none. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  for (const match of text.matchAll(END)) {
    const end = match.index + match[0].length
    if (match[0] === '.' && ABBREVIATION.test(text.slice(Math.max(start, end - 12), end))) continue
    const sentence = text.slice(start, end).trim()
    if (sentence !== '') sentences.push(sentence)
    start = end
    if (sentences.length === MOST_SENTENCES) return sentences
  }
  const rest = text.slice(start).trim()
  return rest === '' ? sentences : [...sentences, rest]
}
