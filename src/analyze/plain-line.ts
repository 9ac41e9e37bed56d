/** Turns recorded text into harmless prose, on one line or as sentences: no secrets, markup, control characters or injected text. */
import { cutMarked } from '../core/marked-text.ts'
import { redactSensitiveText } from '../core/redact.ts'
import { oneLine, stripControls } from '../core/text.ts'

/** Characters that reorder or hide text. */
const UNSEEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|\udb40[\udc00-\udc7f]/g
/** Needed in emoji and many scripts, never within ASCII. */
const JOINERS = /(?<=[\x21-\x7e])(?:\u034f|\u200c|\u200d|[\ufe00-\ufe0f]|\udb40[\udd00-\uddef])+(?=[\x21-\x7e])/g
const FENCED = /^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1|(?![\s\S]))/gm
const TAG = /(?<before>[\w$]?)<(?<slash>\/?)(?<name>[A-Za-z!][\w:.-]{0,60})(?<rest>[^<>]{0,200})>/g
const CLOSING = /<\/([A-Za-z][\w:.-]{0,60})/g
const HTML = new Set(
  `a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption center cite code col colgroup data dd del details
  dfn dialog div dl dt em embed fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label
  legend li link main map mark marquee menu meta meter nav noscript object ol optgroup option output p param picture pre progress q rp rt ruby s samp
  script search section select slot small source span strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr
  track tt u ul var video wbr math animate foreignobject`.split(/\s+/),
)
const VOID = new Set('br hr img input meta link wbr script iframe svg embed'.split(' '))
const LEFT_OPEN = new Set(
  'p li dt dd tr td th thead tbody tfoot colgroup col option optgroup html head body base area source track'.split(' '),
)
const CODE_SPAN = /(?<!`)(`{1,3})(?!`)[^`\n]{1,300}\1(?!`)/g
/** Surroundings of a tag that a sentence mentions: "put it in a <div>, then". */
const SPOKEN_BEFORE = /[\p{L}\p{N},:][ \t]+[("'“]?$/u
const SPOKEN_AFTER = /^(?:[ \t]+\p{L}|[.,;:!?)"'”]|[ \t]*(?:\n|$))/u
const OURS =
  /^(?:private|system|assistant|human|user|instructions?|important|thinking|(?:system|mnemonic|antml|local|command|environment|tool|function|bash|ide)[-_:].*|user[-_](?:prompt|instructions|message|query).*)$/i
const ATTRIBUTE = /[\w-]=["'{\w]/
const LINE_START = /^[ \t]{0,12}(?:[#>|]{1,6}[ \t]*|[-*+][ \t]+(?:\[[ xX]\][ \t]*)?|\d{1,4}[.)][ \t]+)+/gm
// Strips stars in pairs around words or left by a cut. A glob, `2 * 3` and `**kwargs` keep theirs.
const EMPHASIS =
  /(?<![\w*/])(\*{1,3})(?=[\p{L}\p{N}`"'“([<])([^*\n]{1,300}?)(?<=\S)\1(?![\w*/])|(?<![\w*/])(\*{2,3})(\p{L}{1,40})\3(?=\p{Ll})|(?<![\w*/])\*{2,3}(?=\p{Lu})|(?<=[\p{L}\p{N}.:!?])\*{2,3}(?=\s|$)|_{2,3}|`{1,3}|~~/gu
const LONGEST = 8_000

export function withoutCodeBlocks(text: string): string {
  return text.includes('```') || text.includes('~~~') ? text.replace(FENCED, '\n') : text
}

const UNSPOKEN = /^[ \t]{0,12}(?:#{1,6}[ \t]|>|\||[-=_*]{3,}[ \t]*$|\*\*[^*\n]{1,80}\*\*:?[ \t]*$).*$/gm

/** Redacted text without code blocks and markup; keeps lines. `spoken`: also without headings, quotations and tables. */
export function plainText(text: string, { spoken = false } = {}): string {
  // Redact before removing anything: hidden characters may delimit a secret, and half a secret is not recognised.
  const redacted = redactSensitiveText(cutMarked(text.toWellFormed()), { mode: 'tools' })
  const visible = stripControls(redacted.replace(UNSEEN, '').replace(/[\u2028\u2029]/g, '\n')).replace(JOINERS, '')
  const whole = redactedAgain(visible, redacted)
  const safe = whole.slice(0, LONGEST).toWellFormed()
  const prose = withoutCodeBlocks(safe)
  const said = spoken ? prose.replace(UNSPOKEN, '') : prose
  const bare = withoutTags(said).replace(LINE_START, '').replace(EMPHASIS, '$2$4')
  // Removing markup may join a split secret.
  return redactedAgain(bare, whole)
}

/** Redaction is idempotent, so unchanged text is skipped. */
function redactedAgain(text: string, redacted: string): string {
  return text === redacted ? text : redactSensitiveText(text, { mode: 'tools' })
}

/** Keeps `Array<string>`, `<session-id>` and elements that the text mentions. */
function withoutTags(text: string): string {
  if (!text.includes('<')) return text
  const code = Array.from(text.matchAll(CODE_SPAN), ({ index, 0: span }) => [index, index + span.length] as const)
  const isCode = (from: number, to: number) => code.some(([start, end]) => start < from && to < end)
  const closing = [...text.matchAll(CLOSING)].filter(({ index, 0: tag }) => !isCode(index, index + tag.length))
  const closed = new Set(closing.map(([, name = '']) => name.toLowerCase()))
  return text.replace(TAG, (tag, before: string, slash: string, name: string, rest: string, at: number) => {
    const low = name.toLowerCase()
    const end = at + tag.length
    if (!name.startsWith('!') && !OURS.test(name) && isCode(at, end)) return tag
    const isSpoken = () =>
      /^[ \t]*\/?$/.test(rest) &&
      !VOID.has(low) &&
      !LEFT_OPEN.has(low) &&
      SPOKEN_BEFORE.test(text.slice(Math.max(0, at - 8), at)) &&
      SPOKEN_AFTER.test(text.slice(end, end + 8))
    const isMarkup = before === '' ? name === low && HTML.has(low) && !isSpoken() : VOID.has(low)
    const isTag = slash !== '' || name.startsWith('!') || isMarkup || closed.has(low) || OURS.test(name) || ATTRIBUTE.test(rest)
    return isTag ? `${before} ` : tag
  })
}

/** `max` in UTF-16 units. */
export function plainLine(text: string, max: number): string {
  return oneLine(plainText(text), max)
}

const INLINE = /[\\`|[\]<>*]/g

/** Escapes a line for a Markdown list item: no link, code, tag, emphasis or cell. */
export function escapeInline(line: string): string {
  return line.replace(INLINE, '\\$&')
}

const END = /[.!?。！？]+["'”’)\]]*(?=\s|$)|[。！？]+|\n+/g
const ABBREVIATION = /(?:^|[\s(“"'])(?:e\.g|i\.e|etc|vs|cf|mr|mrs|ms|dr|prof|st|no|nr|fig|approx|incl)\.$/i
const MOST_SENTENCES = 400

export function endsWithAbbreviation(text: string): boolean {
  return ABBREVIATION.test(text.slice(-12))
}

/** Trimmed sentences with their punctuation, at most 400. A stop inside a name, number or path ends none. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  for (const match of text.matchAll(END)) {
    const end = match.index + match[0].length
    if (match[0] === '.' && endsWithAbbreviation(text.slice(start, end))) continue
    const sentence = text.slice(start, end).trim()
    if (sentence !== '') sentences.push(sentence)
    start = end
    if (sentences.length === MOST_SENTENCES) return sentences
  }
  const rest = text.slice(start).trim()
  return rest === '' ? sentences : [...sentences, rest]
}
