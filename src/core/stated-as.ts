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

/** Behind a decision that only an agent told: it is not the owner's word. */
export const AGENT_SAID = ' (an agent said so)'

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
  if (kind === 'agreed') return `Agreed${asked(about, quote)}${also}`
  if (kind === 'refused') return `Refused${asked(about, quote)}${also}`
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

const WANT_ME =
  /^(.*?)\s*\b(?:(?:do you )?want me to|would you like me to|(?:so )?should (?:i|we)|shall (?:i|we))\b(?: (?:go ahead and|also))? ([^?]+?)\?+[*_)]*$/is
/** "implement this approach", "make that change": tells nothing beside what it points at. */
const POINTS_BACK = /^\w+(?: (?:with|on|ahead with))? (?:it|this|that|these|those|them|the|both|all)(?: \w+){0,2}$/i

/** "Want me to move the lock?": to move the lock. What stands before the question says what "that" in it is. */
function asked(about: string, quote: Quote): string {
  const found = WANT_ME.exec(about)
  if (found === null) return ` to ${quote(about)}`
  const [, lead = '', deed = ''] = found
  const before = lead.trim().replace(/:$/, '')
  if (before !== '' && POINTS_BACK.test(deed)) return `: ${quote(before)}`
  return ` to ${quote(deed)}${before === '' ? '' : `: ${quote(before)}`}`
}

/** The same for people: in curly quotation marks where something stands before it, else the text itself. */
export function inWords(stated: Stated): string {
  return statedAs(stated, (text) => `“${text.replace(/[“”]/g, '"')}”`) ?? stated.text
}

/** The rule of what the owner stated to be remembered. */
export const REMEMBERED_RULE = 'owner:remember'

/** Whether people said it to each other: it was said in no session, and not stated to be remembered. */
export function isPersonalStatement({ unit, rule }: { readonly unit: string | null; readonly rule: string | null }): boolean {
  return unit === null && rule !== REMEMBERED_RULE
}
