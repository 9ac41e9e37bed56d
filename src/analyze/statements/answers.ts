/**
 * Decisions by answer: "option 2", "the second one", "yes", "no, leave it". The subject comes from the answered message. A yes to a step of
 * the work settles nothing.
 */
import { bareWords } from '../../core/text.ts'
import { type Proposal, proposalIn } from './options.ts'

export interface Answer {
  readonly start: number
  readonly end: number
  readonly about: string
  readonly rule: 'option' | 'agreed' | 'refused' | 'told which'
  readonly confidence: number
}

const LONGEST_ANSWER = 400
const ASKS_BACK =
  /\?|^\W*(?:what|why|how|where|who|when|which|can (?:you|we|i)|could|would|is|are|do(?:es)? (?!(?:option|number|\d|[a-e]\b|both|all|the|it))|did|hm+|wait)\b/i

const LEAD =
  "(?:(?:ok(?:ay)?|yes|yeah|yep|yup|sure|hmm+|right|great|good|cool|perfect|then|so|please|just|and|for now|i think|i say|i'd say|i'd|i would|i'll|we'll|let us|let's|lets|do|go|going|try|take|use|pick|choose|prefer|like|with|for|to)[,.!:]? +)*"
const PICKED = new RegExp(
  `^${LEAD}(?:(?:the )?(?:option|approach|number|nr\\.?|no\\.|alternative|choice|variant|#)\\s*)?(\\d{1,2}|[a-e])(?=$|[.,;:!)\\s])(?:\\)|\\.(?=\\s|$))?(?! (?:times|files?|lines?|tests?|minutes?|hours?|days?|seconds?|more|of|and|new|bit|good|lot|little|few|new|test|branch|commit|pr|quick|brief|small|comment)\\b)`,
  'i',
)
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'] as const
const ORDINAL = new RegExp(
  `^${LEAD}(?:(?:remove|drop|keep|delete|use|take) )?the (first|second|third|fourth|fifth|former|latter|last)(?: (?:one|option|approach|two|three|variant|version|way|choice|alternative))?(?=$|[.,;:!)]| (?:please|then|and|but|is|seems|sounds|looks|for|because|since|as|now|here|-|–|—)(?:\\s|$))`,
  'i',
)

const YES =
  /^(?:yes|yep|yup|yeah|yea|ok(?:ay)?|sure|absolutely|definitely|agreed|exactly|correct|sounds (?:good|great|right)|makes sense|good (?:idea|point|call)|perfect|great|go (?:ahead|for it)|do (?:it|that|this)|please do|let's do (?:it|that|this)|lgtm|fine by me|works for me)\b[\s,.!:]*/i
const NO =
  /^(?:no|nope|nah)\b[\s,.!]*(?:thanks?[\s,.!]*)?(?:let's |we |i )?(?:don't|do not|not|leave|keep|skip|no need|prefer|rather|stay|want (?!you\b|to (?:know|see|understand|check)\b)|(?:then |so )?(?:it|that)(?:'s| is) (?:good|fine|ok(?:ay)?|enough|horrible|terrible|awful|ugly|overkill|wrong|bad|too \w+|not (?:good|needed|necessary|what))\b|(?:it|that|they|this|those|these) should\b(?! (?:work|be (?:fine|ok(?:ay)?|good|able))\b))/i

const YES_PLEASE = /^(?:yes|yep|yup|yeah|sure)[, ]+(?:please(?: do)?|do (?:it|that|this)|let's do (?:it|that|this)|go ahead)[.!]$/i

/** Asks for one step now: a no does not bind later work. */
const ONCE =
  /\b(?:right )?now\?[*_)]*$|\bon (?:your|this) (?:repo|machine|computer|system)\b|^\W*(?:(?:do you )?want me to|would you like me to|should i|shall i|can i|may i)(?: (?:go ahead and|also|now))* (?:commit|push|run|open|create (?:a|the) (?:pr|pull|commit|issue|ticket|branch)|post|check|look|investigate|show|explain|continue|proceed to|start)\b/i

const DESIGN =
  /\b(?:add|move|remove|rename|replace|use|keep|switch|disable|enable|include|merge|split|drop|change|make|store|skip|default|adopt|convert|extract|consolidate|unify|simplify|deprecate|delete|introduce|support|approach|design|instead|put|set|preserve|retain|restore|move on|for now|defer|cleanup included|inline|expose|hide|go with|implement (?:this|that|it|option|the (?:approach|change|design)))\b/i
const CHORE =
  /\b(?:commit|push|pull request|pr|run (?:it|the|this|them|tests?)|tests?|coverage|look (?:into|at)|investigate|(?<!\bthe )check|review|file (?:a|an)|ticket|issue|explain|show|continue|proceed|start|begin|fix(?:es)?|debug|close|mark|comment|docs?|documentation|changelog|plan|lint|read|write (?:it|this|that) (?:up|down)|clarif|examine|search|verify|rebase|update (?:the|this|that) (?:comment|docs?|plan|tests?))\b/i

/** Undefined if `text` does not answer `before`. */
export function answerTo(before: string, text: string): Answer | undefined {
  const start = text.length - text.trimStart().length
  const said = text.trim().replaceAll('’', "'")
  if (said === '' || said.length > LONGEST_ANSWER) return undefined
  const first = firstSentence(said)
  const proposal = proposalIn(before)
  const span = { start, end: start + first.length }
  const several = pickedSeveral(first, proposal)
  if (several !== undefined) return { ...span, about: several, rule: 'option', confidence: 0.9 }
  const picked = pickedOption(first, proposal)
  if (picked !== undefined) return { ...span, about: picked, rule: 'option', confidence: 0.9 }
  const later = pickedLater(said, proposal)
  if (later !== undefined) return { ...later, start: start + later.start, end: start + later.end, rule: 'option', confidence: 0.85 }
  if (proposal === undefined || !proposal.asksWhich) return undefined
  const { options } = proposal
  const question = POINTS.test(proposal.question)
    ? `${lastBefore(before, proposal.question)} ${proposal.question}`.trim()
    : proposal.question
  if (NO.test(said) && !ASKS_BACK.test(first) && !ONCE.test(proposal.question))
    return { ...span, about: question, rule: 'refused', confidence: 0.85 }
  const yes = YES.exec(said)
  if (yes !== null) {
    // "Yes please. Is there a test for it?" agrees and moves on; "yes, but why?" does not.
    const rest = YES_PLEASE.test(first) ? '' : said.slice(yes[0].length)
    if (ASKS_BACK.test(rest)) return undefined
    const only =
      rest === '' ||
      /^(?:please(?: do(?: (?:it|that|this|so))?)?|thanks?|let's do (?:it|that|this)|do (?:it|that|this)|let's add (?:it|this|that)|go ahead)[.!]*$/i.test(
        said.slice(yes[0].length),
      )
    const choices = / or /.test(question) || /^\W*(?:which|what)\b/i.test(question)
    const proposed = only && !choices && TO_BUILD.test(proposal.question) ? proposedAround(before, proposal.question) : undefined
    if (proposed !== undefined) return { ...span, about: `${proposed} ${proposal.question}`, rule: 'agreed', confidence: 0.75 }
    if (only && !choices && DESIGN.test(question) && !CHORE.test(withoutCode(question)))
      return { ...span, about: question, rule: 'agreed', confidence: 0.8 }
    if (!only && DESIGN.test(said) && !CHORE.test(said)) return { ...span, about: question, rule: 'agreed', confidence: 0.8 }
    return undefined
  }
  if (!TOLD.test(first) || CHORE.test(first) || ASKS_BACK.test(first)) return undefined
  const whether = options.size > 1 ? question : LEFT.test(first) ? alternativeIn(before) : undefined
  return whether === undefined ? undefined : { ...span, about: whether, rule: 'told which', confidence: 0.75 }
}

const LEFT =
  /^(?:(?:you |we )?can |just |please |let's |i'd )*(?:leave|keep|skip|drop|remove|delete|move|both|neither)(?: (?:it|that|this|them|those|both|as is|there|out|alone|where (?:it is|they are)|please))*[.!]*$/i

function alternativeIn(before: string): string | undefined {
  return before
    .slice(-AROUND)
    .replaceAll('’', "'")
    .replace(/[*_]{2,}/g, '')
    .split(/(?<=[.!?])\s+|\n+/)
    .findLast((one) => one.length <= BEFORE && /\w\W+or\b.*\?\W*$/i.test(one) && !CHORE.test(withoutCode(one)))
    ?.trim()
}

/** Asks to build the proposal: "Would you like me to implement this fix?" */
const TO_BUILD =
  /\b(?:implement|do|make|apply|build|proceed with|go ahead with) (?:it|this|that|these|those|the|both)\b(?: (?:\w+ )?(?:fix|change|refactor(?:ing)?|approach|design|solution|improvement|idea|proposal|suggestion|simplification)s?)?(?: now)?[?*_]*$/i
/** Proposals: "Replace X with Y", "X should be removed", "- Create X". */
const PUT_FORWARD =
  /^(?:add|replace|use|move|remove|rename|make|create|change|switch|extract|introduce|store|keep|drop|split|merge|convert|consolidate|pass)s?\b(?=.*\b(?:with|to|from|into|in|for|by|instead|rather|of|on|as)\b).{12,}|\bshould (?:be (?:removed|moved|replaced|renamed|stored|kept|dropped|split|merged)|use|only|not)\b|\binstead of\b|\brather than\b|\bi(?:'d| would) (?:go with|recommend|suggest|lean)\b/i
/** `--search` in code is not the verb. */
const withoutCode = (text: string): string => text.replace(/`[^`\n]*`/g, '_')

const AROUND = 900
const ITEM = /^[\s>]*(?:[-*•+]|\d{1,2}[.)])?\s*(?:\*\*|__)?/

function proposedAround(whole: string, question: string): string | undefined {
  const text = whole
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .replaceAll('’', "'")
    .replace(/[*_]{2,}/g, '')
  const at = text.lastIndexOf(question)
  if (at === -1) return undefined
  const lines = (part: string) =>
    part
      .split(/\n+|(?<=[.!?:])\s+/)
      .map((line) => line.replace(ITEM, '').trim())
      .filter((line) => line !== '' && PUT_FORWARD.test(line) && !OF_THE_WORK.test(line))
  const found = lines(text.slice(at + question.length, at + AROUND))[0] ?? lines(text.slice(Math.max(0, at - AROUND), at)).at(-1)
  return found?.slice(0, BEFORE)
}
const OF_THE_WORK = /\b(?:tests?|coverage|commit (?:it|this|these|the)|push|docs?|documentation|comments?|changelog)\b/i

const POINTS = /\b(?:this|that|these|those|it|them|such)\b/i
const BEFORE = 300

function lastBefore(whole: string, question: string): string {
  const text = whole.replaceAll('’', "'").replace(/[*_]{2,}/g, '')
  const at = text.lastIndexOf(question)
  const paragraphs = (at === -1 ? text : text.slice(0, at)).trim().split(/\n\s*\n/)
  return (paragraphs.at(-1) ?? '').slice(-BEFORE)
}

/** Instructions that answer a which-question: "remove it completely, no need to deprecate it". */
const TOLD =
  /^(?:(?:please|just|let's|i'd|i would|we should|(?:you |we )?can|rather) +)*(?:remove|remote|keep|drop|delete|use|move|leave|rename|replace|make (?!an?\b)|add (?!an?\b|another|some|one\b)|put|merge|split|skip|store|prefer|stay|stick|switch|revert|disable|enable|only|both|neither|none|all (?:of them|two|three|four|five))\b/i

const LABEL = '(?:(?:option|approach|number|nr\\.?|no\\.|#) ?)?(\\d{1,2}|[a-e])\\)?'
const SEVERAL = new RegExp(
  `^${LEAD}(?:options )?${LABEL}(?:(?:,| and| &| \\+| plus)+ ${LABEL})(?:(?:,| and| &| \\+| plus)+ ${LABEL})?(?= please| then|[.,;:!]|$)`,
  'i',
)
const ALL = new RegExp(`^${LEAD}(both|all(?: of (?:them|these))?)(?: of (?:them|these))?(?: please)?[.!]*$`, 'i')

function pickedSeveral(first: string, proposal: Proposal | undefined): string | undefined {
  if (proposal === undefined || proposal.options.size < 2) return undefined
  const { options } = proposal
  const labels = SEVERAL.exec(first)
    ?.slice(1)
    .filter((label) => label !== undefined)
  const words = labels?.map((label) => options.get(label.toLowerCase())) ?? (ALL.test(first) ? [...options.values()] : [])
  return words.length < 2 || words.some((one) => one === undefined || NO_OPTION.test(one)) ? undefined : words.join('; ')
}

const NO_OPTION = /^\W*(?:something else|other\b|continue|proceed|commit|push|wait|stop|review)\b/i

function pickedOption(first: string, proposal: Proposal | undefined): string | undefined {
  if (proposal === undefined || proposal.options.size < 2) return undefined
  const { options } = proposal
  const label = PICKED.exec(first)?.[1]?.toLowerCase()
  if (label !== undefined) {
    const words = options.get(label)
    return isQuoted(first, words) || ASKED_OF_IT.test(first) || NO_OPTION.test(words ?? '') ? undefined : words
  }
  const ordinal = ORDINAL.exec(first)?.[1]?.toLowerCase()
  if (ordinal === undefined) return undefined
  const all = [...options.values()]
  if (ordinal === 'former') return all[0]
  if (ordinal === 'latter' || ordinal === 'last') return all.at(-1)
  return all[ORDINALS.indexOf(ordinal as (typeof ORDINALS)[number])]
}

/** "2) is that not slower?" asks about an option. "1. - this shows the files, yeah?" takes it. */
const ASKED_OF_IT =
  /^\W*(?:\d{1,2}|[a-e])(?:[.):]|\s*[-–—:,])[\s\W]*(?:what|why|how|where|who|when|which|can|could|would|will|should|is|isn't|are|aren't|do|does|doesn't|don't|did)\b.*\?\W*$/is

/** A repeated option is discussed, not picked: "3. Use a queue. Is that not slower?" */
function isQuoted(first: string, option = ''): boolean {
  const begins = bareWords(option).split(' ').slice(0, 4).join(' ')
  return begins.includes(' ') && bareWords(first).includes(begins)
}

/** "Sorry, I missed this. 1 is correct": a pick in its own sentence. */
const PICKED_IN_WORDS =
  /(?<=[.!]\s+|\n\s*)(?:(?:so|then|but|and|i think|i say|i'd say),? +)*(?:option |approach |number |#)?(\d{1,2}|[a-e])\)? (?:is|seems|sounds|looks) (?:the |like the |like a )?(?:correct|right|fine|good|better|best|preferable|way to go)\b[^.!?\n]*[.!]?(?=\s|$)/i

function pickedLater(said: string, proposal: Proposal | undefined): Pick<Answer, 'start' | 'end' | 'about'> | undefined {
  const found = proposal === undefined || proposal.options.size < 2 ? null : PICKED_IN_WORDS.exec(said)
  const about = proposal?.options.get(found?.[1]?.toLowerCase() ?? '')
  return found === null || about === undefined ? undefined : { start: found.index, end: found.index + found[0].trimEnd().length, about }
}

/** "1. this happened twice" is one sentence. */
function firstSentence(text: string): string {
  const line = text.split('\n', 1)[0] as string
  const end = /(?<!(?:^|\s)\w{1,2})[.!?](?=\s|$)/.exec(line)
  return end === null ? line.trimEnd() : line.slice(0, end.index + 1)
}
