import { cutMarked } from '../../core/marked-text.ts'
import { redactSensitiveText } from '../../core/redact.ts'
import { remembered } from '../../core/remembered.ts'
import { saysSomething } from '../../ledgers/names/says-something.ts'
import { handedPlan, promptTitle } from '../../ledgers/names/title-of-text.ts'
import { plainLine, plainText, sentencesOf } from '../plain-line.ts'
import { isCourtesy, isEmptyTalk } from './courtesy.ts'
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
const SPECIFIC_WORDS = 7

const TELLS =
  /^(?:(?:ok|okay|perfect|great|done|good|yes|so|now|all good|excellent|and)[,.!:;\s–—-]+)*(?:(?:i|we)(?:['’]ve| have)? (?:now |also |just |already |successfully )?(?:added|fixed|changed|updated|implemented|removed|created|wrote|written|moved|renamed|found|made|ran|refactored|replaced|rewrote|reverted|merged|rebased|resolved|extracted|addressed|verified|confirmed|reviewed|simplified|committed|pushed|opened|cleaned|converted|switched|dropped|deleted|split|consolidated)|added|fixed|changed|updated|implemented|removed|created|wrote|moved|renamed|refactored|replaced|reverted|merged|rebased|resolved|extracted|addressed|simplified|committed|the (?:fix|change|changes|cause|root cause|problem|bug|issue|pr|implementation|feature|command|test|tests|review|branch|plan)\b.{0,80}\b(?:is|are|was|were|has|have|now|comes|happens|passes|does|do|fails)|(?:root )?cause:|this (?:is|was) (?:because|caused)|the .{1,60}\b(?:now|no longer)\b|summary:|found\b)/i

/** Checks and commits are known from the calls, more reliably. */
const KNOWN =
  /^(?:\W*(?:done|all (?:done|green|clean|good|five|three|steps)|perfect|great)\b[\s\S]{0,4})?(?:(?:all|both|the|full|everything|build|unit|integration|no)\b.{0,50}\b(?:pass(?:es|ed|ing)?|green|clean|succeeds?|complete)\b|(?:committed|pushed|amended|rebased|force-pushed)(?: and pushed)?(?: as| to| successfully| the| on)?\b.{0,60}$|(?:here['’]s|here is|this is) (?:a |the |my )?(?:quick |final )?(?:summary|what|overview))/i

/** At most two lines. Cached: a turn and its session ask in turn. */
export const reportsIn = remembered((text): readonly ReportLine[] => {
  const sentences = sentencesOf(plainText(text, { spoken: true })).filter((one) => /\p{L}/u.test(one) && !isEmptyTalk(one))
  // The costliest test runs last.
  const long = sentences.filter((one) => one.split(/\s+/).length >= LEAST_WORDS && !one.endsWith(':'))
  const told = long.filter((one) => TELLS.test(one) && !KNOWN.test(one) && saysSomething(one))
  const whole = (one: string) => /[.!?。！？]['")”’]*$/.test(one)
  // "I've fixed the bug" does not say which.
  const specific = told.filter((one) => one.split(/\s+/).length >= SPECIFIC_WORDS)
  const chosen =
    told.length > 0
      ? (specific.length > 0 ? specific : told).slice(0, 2)
      : [long.find((one) => whole(one) && saysSomething(one)) ?? long.find(saysSomething)].filter((one) => one !== undefined)
  return chosen.map((one) => ({ ...lineOf(text, one), tells: told.length > 0 }))
})

/** The handed-over plan, or the first meaningful line. Undefined for prompts like "yes, go on". */
export const askedIn = remembered((text): Line | undefined => {
  // Redact before cutting: half a secret is not recognised.
  const safe = redactSensitiveText(cutMarked(text.toWellFormed()), { mode: 'tools' })
  const title = handedPlan(safe) ?? promptTitle(safe)
  if (title === undefined || !saysSomething(title) || isCourtesy(title.replace(/\?+$/, ''))) return undefined
  const [first = title] = sentencesOf(title)
  return lineOf(text, saysSomething(first) ? first : title)
})

function lineOf(message: string, sentence: string): Line {
  return { text: plainLine(sentence, LONGEST), ...placeOf(message, sentence) }
}
