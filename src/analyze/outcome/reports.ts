/** The lines of what was said that tell something, with their places in the message. Pure. */
import { cutMarked } from '../../core/marked-text.ts'
import { redactSensitiveText } from '../../core/redact.ts'
import { saysSomething } from '../../ledgers/names/says-something.ts'
import { handedPlan, promptTitle } from '../../ledgers/names/title-of-text.ts'
import { plainLine, plainText, sentencesOf } from '../plain-line.ts'
import { isEmptyTalk } from './courtesy.ts'
import { placeOf } from './place.ts'

export interface Line {
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface ReportLine extends Line {
  readonly tells: boolean
}

const LONGEST = 240
const LEAST_WORDS = 4

/** What somebody says they did or found. */
const TELLS =
  /^(?:(?:ok|okay|perfect|great|done|good|yes|so|now|all good|excellent|and)[,.!:;\s–—-]+)*(?:(?:i|we)(?:['’]ve| have)? (?:now |also |just |already |successfully )?(?:added|fixed|changed|updated|implemented|removed|created|wrote|written|moved|renamed|found|made|ran|refactored|replaced|rewrote|reverted|merged|rebased|resolved|extracted|addressed|verified|confirmed|reviewed|simplified|committed|pushed|opened|cleaned|converted|switched|dropped|deleted|split|consolidated)|added|fixed|changed|updated|implemented|removed|created|wrote|moved|renamed|refactored|replaced|reverted|merged|rebased|resolved|extracted|addressed|simplified|committed|the (?:fix|change|changes|cause|root cause|problem|bug|issue|pr|implementation|feature|command|test|tests|review|branch|plan)\b.{0,80}\b(?:is|are|was|were|has|have|now|comes|happens|passes|does|do|fails)|(?:root )?cause:|this (?:is|was) (?:because|caused)|the \S+ (?:now|no longer)\b|summary:|found\b)/i

/** At most two lines of an answer: the first that tells something, and what follows it; else the first that says something at all. */
export function reportsIn(text: string): ReportLine[] {
  const sentences = sentencesOf(plainText(text, { spoken: true })).filter((one) => /\p{L}/u.test(one) && !isEmptyTalk(one))
  const worthy = sentences.filter((one) => one.split(/\s+/).length >= LEAST_WORDS && saysSomething(one))
  const told = worthy.filter((one) => TELLS.test(one))
  const whole = (one: string) => /[.!?。！？]['")”’]*$/.test(one)
  const chosen = told.length > 0 ? told.slice(0, 2) : [worthy.find(whole) ?? worthy[0]].filter((one) => one !== undefined)
  return chosen.map((one) => ({ ...lineOf(text, one), tells: told.length > 0 }))
}

/** What a prompt asks for: the plan that it hands over, or its first line that says something. Undefined where it says nothing by itself: "yes, go on". */
export function askedIn(text: string): Line | undefined {
  // Whole before it is cut: half a secret is not recognised.
  const safe = redactSensitiveText(cutMarked(text.toWellFormed()), { mode: 'tools' })
  const title = handedPlan(safe) ?? promptTitle(safe)
  if (title === undefined || !saysSomething(title) || isEmptyTalk(title.replace(/\?+$/, ''))) return undefined
  const [first = title] = sentencesOf(title)
  return lineOf(text, saysSomething(first) ? first : title)
}

function lineOf(message: string, sentence: string): Line {
  return { text: plainLine(sentence, LONGEST), ...placeOf(message, sentence) }
}
