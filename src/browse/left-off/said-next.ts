/** Open work and unanswered questions in an agent's last answer. Redacted. */
import { isCourtesy } from '../../analyze/outcome/courtesy.ts'
import { plainLine, plainText, sentencesOf } from '../../analyze/plain-line.ts'

/** Characters from the end, where open work stands. */
const READ = 12_000
const LONGEST = 180
const MOST = 3

const HEADING =
  /^\W{0,6}(?:(?:suggested |recommended |possible |the |our )?next steps?|remaining(?: (?:work|tasks?|steps?|items?|issues?))?|still (?:to do|open|missing|pending)|to-?dos?|left to do|what(?:'s| is) (?:left|next|missing|remaining)|open (?:items?|points?|questions?|tasks?)|not (?:yet )?(?:done|implemented|covered)|follow-?ups?|deferred|outstanding)\W{0,4}(?:\([^)]{0,40}\)\W{0,4})?:?\W{0,4}$/i
const ITEM = /^[ \t]{0,8}(?:[-*+•]|\d{1,3}[.)]|- \[ \])[ \t]+(?!\[[xX]\])(\S.*)$/
const UNCHECKED = /^[ \t]{0,8}[-*+][ \t]+\[ \][ \t]+(\S.*)$/
const SAYS_NEXT =
  /\b(?:next steps? (?:is|are|would be)|(?:the )?remaining (?:work|steps?|tasks?|items?|todos?) (?:is|are)|(?:still|yet) (?:needs?|have|has) to (?:be )?|still (?:needs?|missing|to do|pending|outstanding)\b|(?:is|are) (?:still )?left to do|remains to be|not (?:yet )?(?:committed|pushed|implemented|tested)\b|ready to (?:commit|be committed|merge|push)|next(?:,| up:?) (?:i|we|you)(?:'ll| will| should| need)|as a follow-?up|(?:once|when|until) (?:these|the|this|that) (?:changes? )?(?:land|is merged|are merged))/i

export function saidNext(answer: string): string[] {
  const text = answer.slice(-READ)
  const found: string[] = []
  let isBelow = false
  for (const line of text.split('\n')) {
    const open = UNCHECKED.exec(line)?.[1]
    const item = ITEM.exec(line)?.[1]
    if (HEADING.test(line.trim())) isBelow = true
    else if (open !== undefined) found.push(open)
    else if (isBelow && item !== undefined) found.push(item)
    else if (line.trim() !== '' && !/^\s/.test(line)) isBelow = false
  }
  const said =
    found.length > 0 ? found : sentencesOf(plainText(text, { spoken: true })).filter((one) => SAYS_NEXT.test(one) && !one.endsWith('?'))
  return said
    .map((one) => plainLine(one, LONGEST))
    .filter((one) => /\p{L}/u.test(one))
    .slice(0, MOST)
}

/** Standard offers are no questions. */
const ALWAYS = /\b(?:anything else|something else|any (?:other )?questions|help (?:you )?with anything)\b/i
const LAST = 2

export function askedLast(answer: string): string | undefined {
  const sentences = sentencesOf(plainText(answer.slice(-READ), { spoken: true }))
  const question = sentences.slice(-LAST).findLast((one) => /[?？]["')”’*]*$/.test(one))
  return question === undefined || ALWAYS.test(question) || isCourtesy(question) ? undefined : plainLine(question, LONGEST)
}
