/**
 * Makes a statement self-contained: "yes" or "let's do 1" needs its question. Our words stand outside quotation marks, words of others
 * inside.
 */

export interface Stated {
  readonly text: string
  readonly rule: string | null
  /** The chosen option, the accepted question, or the beginning of the plan. */
  readonly about: string | null
}

/** Marks a decision reported only by an agent, not the owner's word. */
export const AGENT_SAID = ' (an agent said so)'

export type Quote = (text: string) => string

/** A longer answer needs no context. */
const SPEAKS_FOR_ITSELF = 80
/** "1", "yes please": not worth repeating. */
const BARE = 40
const SHORT_TITLE = 4
const SENTENCE = 20

/** Undefined if the text is self-contained. */
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
  // If the tool's result does not repeat the plan, the first sentence is its heading.
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
const POINTS_BACK = /^\w+(?: (?:with|on|ahead with))? (?:it|this|that|these|those|them|the|both|all)(?: \w+){0,2}$/i

/** "Want me to move the lock?": to move the lock. Text before the question explains its "that". */
function asked(about: string, quote: Quote): string {
  const found = WANT_ME.exec(about)
  if (found === null) return ` to ${quote(about)}`
  const [, lead = '', deed = ''] = found
  const before = lead.trim().replace(/:$/, '')
  if (before !== '' && POINTS_BACK.test(deed)) return `: ${quote(before)}`
  return ` to ${quote(deed)}${before === '' ? '' : `: ${quote(before)}`}`
}

export function inWords(stated: Stated): string {
  return statedAs(stated, (text) => `“${text.replace(/[“”]/g, '"')}”`) ?? stated.text
}

export const REMEMBERED_RULE = 'owner:remember'

/** From a personal conversation: no session, and not stated to be remembered. */
export function isPersonalStatement({ unit, rule }: { readonly unit: string | null; readonly rule: string | null }): boolean {
  return unit === null && rule !== REMEMBERED_RULE
}
