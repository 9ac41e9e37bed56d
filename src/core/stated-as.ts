/**
 * A statement in words that say something by themselves. "let's do 1", "yes" and the heading of a plan tell nothing without what they answer: that is
 * put before them. Words of ours stand outside of quotation marks, words of others inside. Pure.
 */

export interface Stated {
  readonly text: string
  /** Which rule found it. */
  readonly rule: string | null
  /** The option that was chosen, the question that was agreed to, how the plan begins. */
  readonly about: string | null
}

/** Puts words of others into quotation marks, in whatever way the place needs. */
export type Quote = (text: string) => string

/** A longer answer says itself what it is about. */
const SPEAKS_FOR_ITSELF = 80
/** "1", "yes please", "let's do 1": nothing to repeat. */
const BARE = 40
const SHORT_TITLE = 4
const SENTENCE = 20

/** Undefined where the statement says it all: then its text is enough. */
export function statedAs({ text, rule, about }: Stated, quote: Quote): string | undefined {
  const kind = rule?.replace(/^rules:/, '')
  if (kind === 'plan approved') return planned(text, about ?? '', quote)
  if (about === null || about === '') return undefined
  if (kind === 'chosen') return `${quote(about)} ${quote(answerOf(text, about))}`
  if (text.length > SPEAKS_FOR_ITSELF) return undefined
  const also = text.length > BARE ? `: ${quote(text)}` : ''
  if (kind === 'option') return text.includes(about) ? undefined : `Chose ${quote(about.replace(/\?+$/, ''))}${also}`
  if (kind === 'agreed') return `Agreed ${asked(about, quote)}${also}`
  if (kind === 'refused') return `Refused ${asked(about, quote)}${also}`
  return `${quote(text)} on ${quote(about)}`
}

function planned(text: string, about: string, quote: Quote): string {
  // Where the result of a tool does not repeat the plan, its heading is the first sentence of what it is about.
  const toldSo = /\bapproved\b.*\bplan\b|\bplan\b.*\bapproved\b/i.test(text)
  const [first = '', ...rest] = about.split(/(?<=[.!?:])\s+/)
  const title = toldSo ? first.replace(/\.$/, '') : text
  const opening = (toldSo ? rest[0] : first) ?? ''
  const more = title.split(/\s+/).length <= SHORT_TITLE && opening.length > SENTENCE ? `: ${quote(opening)}` : ''
  return `Plan approved: ${quote(title)}${more}`
}

/** `"Where to?"="There (Recommended)"`: There. */
function answerOf(text: string, question: string): string {
  const before = `"${question}"="`
  const answer = text.startsWith(before) ? text.slice(before.length).replace(/"$/, '') : text
  return answer.replace(/\s*\((?:recommended)\)\s*$/i, '')
}

const WANT_ME = /^(?:(?:do you )?want me to|would you like me to|should (?:i|we)|shall (?:i|we))(?: (?:go ahead and|also))? (.+?)\?+$/i

/** "Want me to move the lock?": to move the lock. What stands before the question says what "that" in it is. */
function asked(about: string, quote: Quote): string {
  const question = about.split(/(?<=[.!?:])\s+/).at(-1) ?? ''
  const deed = WANT_ME.exec(question)?.[1]
  if (deed === undefined) return `to ${quote(about)}`
  const before = about.slice(0, about.length - question.length).trim()
  return `to ${quote(deed)}${before === '' ? '' : `: ${quote(before)}`}`
}

/** The same for people: in curly quotation marks where something stands before it, else the text itself. */
export function inWords(stated: Stated): string {
  return statedAs(stated, (text) => `“${text.replace(/[“”]/g, '"')}”`) ?? stated.text
}
