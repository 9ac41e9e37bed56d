import { STOP_WORDS, WEAK_WORDS } from '../stop-words.ts'

const list = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''))

const NO_NAMES = list(`
monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december
i english french german spanish italian chinese japanese korean russian arabic portuguese hindi latin american british european african asian indian mexican
christmas easter halloween thanksgiving hanukkah ramadan diwali god jesus lord santa mr mrs ms dr sir madam prof
everyone everybody someone anyone nobody who whoever this that these those there here he she it they we you mom mum dad mommy daddy mother father
yes no ok okay thanks thank hello hi hey dear sorry please congrats congratulations wow oh ah hmm well anyway however therefore moreover additionally furthermore
monday's user assistant agent bot ai api app http json sql html css pdf url id ui ux pr ci cli sdk mcp readme todo fixme note warning error
covid internet web google's day night morning evening today tomorrow yesterday spring summer autumn fall winter
love life home work school college university company team project house room family friends kids people things time music art nature
`)

const NAMES_LIKE_WORDS = list(
  'emily kelly sally molly holly polly billy lily lilly milly willy kimberly beverly carly shelly nelly elly ally reilly sterling clement',
)

const PERSON =
  /^\p{Lu}[\p{Ll}\p{M}]+(?:['’-]\p{L}[\p{Ll}\p{M}]+)?(?: (?:\p{Lu}\.|\p{Lu}[\p{Ll}\p{M}]+(?:['’-]\p{Lu}?[\p{Ll}\p{M}]+)?)){0,2}$/u

export function isPersonName(text: string): boolean {
  if (!PERSON.test(text) || text.length > 40) return false
  return text.split(' ').every((word, i) => !NO_NAMES.has(word.toLowerCase()) && !(i === 0 && isCommon(word)))
}

const ALSO_WORDS = list('will may june april august summer autumn art')

/** A name that the text introduces as one: "my boss Will". */
export function isToldName(text: string): boolean {
  const [first = '', ...rest] = text.split(' ')
  if (!ALSO_WORDS.has(first.toLowerCase())) return isPersonName(text)
  return PERSON.test(text) && rest.every((word) => !NO_NAMES.has(word.toLowerCase()))
}

function isCommon(word: string): boolean {
  const lower = word.toLowerCase()
  return STOP_WORDS.has(lower) || WEAK_WORDS.has(lower) || (/(?:ing|ly|tion|ment|ness)$/.test(lower) && !NAMES_LIKE_WORDS.has(lower))
}

/** Companies, products, places: at least one uncommon word. */
export function isProperName(text: string): boolean {
  if (text.length < 2 || text.length > 60) return false
  const words = text.split(' ')
  return words.some((word) => /^[\p{Lu}\d]/u.test(word) && !NO_NAMES.has(word.toLowerCase())) && !NO_NAMES.has(text.toLowerCase())
}

export function trimmedName(text: string): string {
  return text
    .replace(/^(?:the|The) /, '')
    .replace(/['’]s?$/, '')
    .replace(/[.,;:!]+$/, '')
    .trim()
}
