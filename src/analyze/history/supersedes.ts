/**
 * Decides if a later decision replaces an earlier one. A wrong yes hides a valid decision. So it requires the same specific subject and an
 * explicit contrast: a turn away, another value, or an undo.
 */
import { bareWords } from '../../core/text.ts'
import { type Terms, termsOf } from './terms.ts'

export interface Claim {
  readonly text: string
  /** The question it answers, or the plan's beginning; empty if the text is complete. */
  readonly about: string
  readonly terms: Terms
}

export type Contrast = 'turned from' | 'other value' | 'taken back'

export function contrastOf(earlier: Claim, later: Claim): Contrast | undefined {
  if (!aboutTheSame(earlier.terms, later.terms) && !aboutTheSame(termsOf(earlier.text), termsOf(later.text))) return undefined
  if (hasOtherValue(earlier, later)) return 'other value'
  if (turnsFrom(earlier, later)) return 'turned from'
  return takesBack(earlier, later) ? 'taken back' : undefined
}

const common = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] => [...a].filter((one) => b.has(one))

function aboutTheSame(a: Terms, b: Terms): boolean {
  if (common(a.names, b.names).length > 0) return true
  const shared = common(a.words, b.words).length
  return shared > 0 && shared / Math.max(1, Math.min(a.words.size, b.words.size)) >= 0.3
}

function hasOtherValue(earlier: Claim, later: Claim): boolean {
  const [was, is] = [switchOf(earlier), switchOf(later)]
  if (was !== undefined && is !== undefined) return was !== is && common(earlier.terms.words, later.terms.words).length > 0
  return sameButNumber(earlier.text, later.text) || sameButOpposite(earlier.text, later.text) || favourite(earlier.text, later.text)
}

const ON_OFF = '(enabled?|disabled?|true|false|on|off|opt-?in|opt-?out)'
const BETWEEN = '[\\s`*_"\'=:,()]'
const DEFAULTS = new RegExp(
  `\\bdefaults?${BETWEEN}+(?:(?:is|to|be|should|value|of|now|are|was|it|set|as)${BETWEEN}+){0,4}${ON_OFF}\\b|\\b${ON_OFF}${BETWEEN}+(?:\\w+${BETWEEN}+)?by default\\b`,
  'gi',
)
const OFF = /^(?:disable|disabled|false|off|opt-?in)$/i

function switchOf({ text, about }: Claim): boolean | undefined {
  for (const words of [text, about]) {
    const found = [...words.matchAll(DEFAULTS)].at(-1)
    const value = found?.[1] ?? found?.[2]
    if (value !== undefined) return !OFF.test(value)
  }
  return undefined
}

const NUMBER = /(?<![\p{L}\p{N}])\/?(\d+)(?:-based)?(?![\p{L}\p{N}])/gu

function sameButNumber(a: string, b: string): boolean {
  const numbers = (text: string) => [...text.matchAll(NUMBER)].map(([, number]) => number).join(' ')
  if (numbers(a) === '' || numbers(b) === '' || numbers(a) === numbers(b)) return false
  const bare = (text: string) =>
    text
      .replace(NUMBER, '#')
      .toLowerCase()
      .replace(/[^\p{L}#]+/gu, ' ')
      .trim()
  return bare(a) === bare(b) && bare(a).split(' ').length >= 5 && SETTLES.test(a)
}
const SETTLES = /\b(?:want|should|must|use|set|make|default|limit|keep|start|begin)\b/i

const OPPOSITES = new Map(
  'left/right top/bottom on/off visible/hidden public/private enabled/disabled optional/required sync/async ascending/descending light/dark allowed/forbidden'
    .split(' ')
    .flatMap((pair) => {
      const [a, b] = pair.split('/') as [string, string]
      return [[a, b] as const, [b, a] as const]
    }),
)

function sameButOpposite(a: string, b: string): boolean {
  const [was, is] = [bareWords(a).split(' '), bareWords(b).split(' ')]
  if (was.length !== is.length || was.length < 5 || !SETTLES.test(a)) return false
  const other = was.flatMap((word, at) => (word === is[at] ? [] : [[word, is[at]] as const]))
  return other.length === 1 && other.every(([x, y]) => OPPOSITES.get(x) === y)
}

const FAVOURITE = /\bmy (?:favou?rite|preferred) ([\p{L} -]{2,40}?) (?:is|are|would be) (.{2,60})/iu

function favourite(a: string, b: string): boolean {
  const [was, is] = [FAVOURITE.exec(a), FAVOURITE.exec(b)]
  return was !== null && is !== null && was[1]?.toLowerCase() === is[1]?.toLowerCase() && bareWords(was[2] ?? '') !== bareWords(is[2] ?? '')
}

const END = '(?=[,.;:!?)]|\\s(?:but|and|because|since|as|so|for|when|in|on)\\s|\\s[–—-]\\s|$)'
const AWAY = [
  new RegExp(`\\b(?:instead of|rather than|no longer|in place of|over)\\s+(?:using |the |having |a )?(.{2,80}?)${END}`, 'gi'),
  /\b(?:from|replac(?:e|es|ed|ing)|switch(?:ed|ing)? from|chang(?:e|es|ed|ing)|mov(?:e|ed|ing) (?:away )?from|migrat(?:e|ed|ing) from)\s+(.{2,80}?)\s+(?:to|with|by|into)\s/gi,
  new RegExp(`,?\\s+(?:and )?not\\s+(?:the |a )?((?!sure|yet|only|just|now|be|to|have|need)\\S.{1,60}?)${END}`, 'gi'),
]

function turnsFrom(earlier: Claim, later: Claim): boolean {
  const left = awayFrom(later.text)
  if (left.length === 0 || areForOthers(earlier.text, later.text)) return false
  const chosen = chosenIn(earlier)
  return left.some((one) => {
    const terms = [...one.names, ...one.words]
    if (terms.length === 0 || !terms.every((term) => chosen.has(term)) || isOneOfSeveral(terms, earlier.text)) return false
    // One common word is not enough: requires a name or the rest of the subject.
    return (
      one.names.size > 0 ||
      terms.length > 1 ||
      common(earlier.terms.words, later.terms.words).length > 1 ||
      isProper(later.text, terms[0] as string)
    )
  })
}

const PARTS = /[,;]\s+(?:and\s+)?|\s+and\s+/u
const REASON = /^(?:because|since|so|as|which|that|instead|rather|not|but|if|when|where|while|until|unless)\b/iu

/** The abandoned choice is one of three or more decided together: the others still hold. */
function isOneOfSeveral(terms: readonly string[], text: string): boolean {
  const parts = text
    .split(PARTS)
    .filter((part) => !REASON.test(part.trim()))
    .map(termsOf)
    .filter(({ names, words }) => names.size + words.size > 0)
  return parts.length >= 3 && parts.filter(({ names, words }) => terms.some((term) => names.has(term) || words.has(term))).length === 1
}

const FOR = /\bfor (?:the |our |all |every )?([^,.;:!?]{2,60})[.!]?$/i

/** "TypeScript for the CLI" does not concern the daemon. */
function areForOthers(a: string, b: string): boolean {
  const [was, is] = [FOR.exec(a.trim())?.[1], FOR.exec(b.trim())?.[1]]
  if (was === undefined || is === undefined) return false
  const [x, y] = [termsOf(was), termsOf(is)]
  const said = (terms: Terms) => terms.names.size + terms.words.size > 0
  return said(x) && said(y) && common(x.names, y.names).length + common(x.words, y.words).length === 0
}

function awayFrom(text: string): Terms[] {
  return AWAY.flatMap((pattern) => [...text.matchAll(pattern)].map(([, what = '']) => termsOf(what)))
}

/** Terms without the abandoned choice: two that abandon the same thing agree. */
function chosenIn({ text, about, terms }: Claim): ReadonlySet<string> {
  const left = new Set([...awayFrom(text), ...awayFrom(about)].flatMap(({ names, words }) => [...names, ...words]))
  return new Set([...terms.names, ...terms.words].filter((term) => !left.has(term)))
}

function isProper(text: string, term: string): boolean {
  const capitals = term.toUpperCase()
  if (/^\p{Lu}{3,}$/u.test(capitals) && new RegExp(`\\b${capitals}\\b`, 'u').test(text)) return true
  return (
    new RegExp(`(?<!^)(?<![.!?]\\s)\\b(?=\\p{Lu})${term.replace(/[^\p{L}\p{N}]/gu, '.')}`, 'iu').test(text) &&
    new RegExp(`\\b\\p{Lu}${term.slice(1).replace(/[^\p{L}\p{N}]/gu, '.')}`, 'u').test(text)
  )
}

const DO =
  /^\W*(?:(?:ok(?:ay)?|yes|yeah|please|so|and|then|also|now|plan|fix)[,:!.]? )*(?:(?:i|we) (?:do |really )?want to |let's |we(?:'ll| will| should) |always )?(add|use|enable|keep|introduce|include|show|store|adopt|allow|support|go with|bring back|restore|always)\b\s*(.*)/i
const UNDO =
  /^\W*(?:(?:ok(?:ay)?|yes|yeah|no|please|so|and|then|also|now|plan|fix|actually)[,:!.]? )*(?:(?:i|we) (?:do |really )?want to |let's |we(?:'ll| will| should) |never )?(remove|drop|disable|revert|undo|delete|hide|stop using|stop|get rid of|abandon|roll back|never)\b\s*(.*)/i

/** One undoes the other to the same object, give or take a word. */
function takesBack(earlier: Claim, later: Claim): boolean {
  const pairs = [
    [DO.exec(earlier.text)?.[2], UNDO.exec(later.text)?.[2]],
    [UNDO.exec(earlier.text)?.[2], DO.exec(later.text)?.[2]],
  ]
  return pairs.some(([was, is]) => {
    if (was === undefined || is === undefined) return false
    if (bareWords(was) === bareWords(is) && bareWords(was).split(' ').length > 1) return true
    const [a, b] = [termsOf(was), termsOf(is)]
    const both = [...common(a.names, b.names), ...common(a.words, b.words)].length
    const least = Math.min(a.names.size + a.words.size, b.names.size + b.words.size)
    return both >= 2 ? both / least >= 0.8 : common(a.names, b.names).length > 0 && both === least
  })
}
