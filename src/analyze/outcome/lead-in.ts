/** Strips introductions from a request: "can you please", "I got this feedback, let me know what you think:". */
import { saysSomething } from '../../ledgers/names/says-something.ts'

const POLITE =
  /^(?:(?:ok(?:ay)?|so|hey|hi|hello|and|but|now|then|also|please|yeah|yes|hmm+|oh|ah|gah|great|cool)\b[,.!:\s–—-]+|(?:can|could|would) (?:you|we)\b(?: (?:please|also|just|maybe|now|quickly))*\s+|i(?:['’]d| would) like (?:you |us )?to\s+|i want (?:you |us )?to\s+|let['’]s\s+|(?:take a look at|have a look at|look at|check out|check):?\s+(?=.{30}))+/i
const LEADS = /^([^:]{4,200}):\s+(.{20,})$/s
const ANNOUNCED =
  /\b(?:feedback|comments?|errors?|issues?|problems?|following|look at|thoughts?|think|check|question|review|something|things?|task)\b[^:]{0,60}$/i
const SPECIFIC = /[`/\\_#]|\w\.\w|[a-z][A-Z]|\d/

export function withoutLeadIn(request: string): string {
  const bare = request.replace(POLITE, '')
  const leads = LEADS.exec(bare)
  const [, before = '', after = ''] = leads ?? []
  const shorter =
    leads !== null && ANNOUNCED.test(before) && !SPECIFIC.test(before) && saysSomething(after) ? after.replace(POLITE, '') : bare
  return saysSomething(shorter) ? shorter : request
}
