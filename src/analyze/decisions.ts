/** Says by rules whether a text records a decision or an action item. Tuned for precision: a question or an "if" is neither. */
import { withoutCodeBlocks } from './plain-line.ts'

export interface DecisionFlags {
  readonly hasDecision: boolean
  readonly hasAction: boolean
}

/** Both sides of an exchange, or one text. */
export type SpokenText = string | { readonly user: string; readonly assistant: string }

export function decisionFlags(spoken: SpokenText): DecisionFlags {
  const texts = typeof spoken === 'string' ? [spoken] : [spoken.user, spoken.assistant]
  let hasDecision = false
  let hasAction = false
  for (const text of texts) {
    for (const sentence of sentencesWithTrigger(text)) {
      if (isOpen(sentence)) continue
      hasDecision ||= saysDecision(sentence)
      hasAction ||= saysAction(sentence)
      if (hasDecision && hasAction) return { hasDecision, hasAction }
    }
  }
  return { hasDecision, hasAction }
}

/** Only sentences with one of these are looked at closely. */
const TRIGGER =
  /decided|decision|conclu|verdict|agreed|settled|approved|opted|chose|picked|selected|ruled out|rejected|go(?:ing)? with|went with|let['’]s |stick(?:ing)? with|switch(?:ing)? to|we(?:['’]ll| will|['’]re going to| are going to) |plan is|to-?do\b|action (?:item|point)|- \[ \]|\* \[ \]|next steps?\b|remind me|reminder|(?:don['’]t|do not) forget|remember to|follow(?:ing)? up|deadline|\bdue\b|\bby (?:the |end |next |this |tomorrow|tonight|today|noon|eod|cob|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\d)|\bi(?:['’]ll| will|['’]m going to| am going to) /gi

const LONGEST_SENTENCE = 600

function* sentencesWithTrigger(whole: string): Generator<string> {
  const text = withoutCodeBlocks(whole)
  TRIGGER.lastIndex = 0
  for (let at = 0; ; ) {
    TRIGGER.lastIndex = at
    const match = TRIGGER.exec(text)
    if (match === null) return
    const start = sentenceStart(text, match.index)
    const end = sentenceEnd(text, match.index + match[0].length)
    yield text
      .slice(start, end)
      .replace(/`[^`]*`/g, ' ')
      .replaceAll('’', "'")
      .trim()
    at = Math.max(end, match.index + match[0].length)
  }
}

function sentenceStart(text: string, from: number): number {
  const least = Math.max(0, from - LONGEST_SENTENCE)
  for (let i = from; i > least; i--) if (isEnd(text, i - 1)) return i
  return least
}

function sentenceEnd(text: string, from: number): number {
  const most = Math.min(text.length, from + LONGEST_SENTENCE)
  for (let i = from; i < most; i++) if (isEnd(text, i)) return i + 1
  return most
}

/** A full stop ends a sentence only before a blank: not in `v1.2` or `file.ts`. */
function isEnd(text: string, i: number): boolean {
  const code = text.charCodeAt(i)
  if (code === 10 || code === 0x3002) return true
  if (code !== 46 && code !== 33 && code !== 63) return false
  const next = text.charCodeAt(i + 1)
  return Number.isNaN(next) || next === 32 || next === 10 || next === 13 || next === 34 || next === 41 || next === 42
}

const OPEN_CONDITION =
  /^(?:[-*>\d.)\s]*)(?:and |but |so |or )?(?:if|unless|whether|suppose|assuming|in case|should (?:we|i|you|they)|could (?:we|i|you)|shall (?:we|i)|do (?:we|you)|did (?:we|you)|have (?:we|you)|would (?:we|you)|are we|what|why|how|when(?:ever)? (?:we|you|i|it)|once (?:we|you|it))\b|\b(?:if (?:we|you|i|they|it|that|this)|in case|whether (?:we|to|or)|before we(?:'ve| have)?|until (?:we|it|you)|as if|would have|could have|might have|may have|should have|had (?:we|i))\b/i

/** A question, a condition or a hypothesis settles nothing. */
function isOpen(sentence: string): boolean {
  return /\?["')*\]]*$/.test(sentence) || OPEN_CONDITION.test(sentence)
}

const NEGATED =
  /\b(?:not|never|hardly|nobody|no one|nothing|neither|none|yet to|without)\b[^,;:]{0,20}\b(?:decided|agreed|settled|chosen|picked|selected|approved|concluded|decision)|n't\b[^,;:]{0,24}\b(?:decided?|agreed?|settled?|chosen?|picked|selected|approved|concluded)|\bno (?:final |firm |clear )?(?:decision|conclusion|verdict)|\b(?:to be|still) decided|\bdecision (?:is|was|remains|has) (?:still |not |yet |been )*(?:pending|open|postponed|deferred|needed|unclear|up to|yours)/i

const WHO = '(?:we|i|they|he|she|everyone|everybody|the (?:team|group|board|client|customer|committee|company|user|owner)|both)'
const HAVE = "(?:'ve|'d| have| had| has)?(?: now| just| all| also| both| finally| already| together| then| jointly| both| unanimously)*"
const COMMIT =
  '(?:use|go with|adopt|stick (?:with|to)|switch (?:to|over)|move to|keep|drop|ship|standardi[sz]e on|settle on|skip|stay with|avoid)'

const DECISIONS: readonly RegExp[] = [
  new RegExp(`\\b${WHO}${HAVE} (?:decided|opted|settled on|agreed (?:to|on|that|not)|concluded(?: that)?|ruled out|chose|chosen)\\b`, 'i'),
  new RegExp(`\\b(?:we|i)${HAVE} (?:went with|picked|selected|rejected|approved)\\b`, 'i'),
  /\b[A-Z][a-z]+(?: and [A-Z][a-z]+)?(?: has| have)?(?: finally| already| both)? (?:decided|opted|agreed) (?:to|on|that|against|not|for)\b/,
  /^[^a-z]*(?:so |ok(?:ay)?,? |and |then )?(?:decided|agreed|settled|approved|resolved)\b(?: (?:to|on|that|against|not)\b|\s*[:.!–—-]|, (?:we|let's|so|then)\b)/i,
  /\b(?:it|this|that)(?:'s| is| was| has been) (?:now |all |finally )?(?:decided|settled|agreed|approved)\b/i,
  /^[^a-z]*(?:(?:final|key|our|the|my|design|team) )?(?:decisions?|verdict|conclusion)(?: made| taken)?\*{0,2}\s*(?::|–|—| - )/i,
  /\b(?:the|our|my) (?:final )?(?:decision|verdict|conclusion) (?:is|was) (?:to|that|made|final)\b/i,
  /\blet's (?:go (?:with|for|ahead with)|use|stick (?:with|to)|keep (?!\w+ing\b)|drop|switch to|settle on|adopt|ship|skip|stay with|move to|call it|make it)\b/i,
  new RegExp(`\\bwe(?:'ll| will|'re going to| are going to) (?:definitely |now |just |instead |therefore )*${COMMIT}\\b`, 'i'),
  /\bi(?:'ll| will|'m going to| am going to) (?:go with|stick with|settle on|standardi[sz]e on)\b/i,
  /^[^a-z]*(?:(?:ok(?:ay)?|yes|yeah|yep|great|good|fine|perfect|alright|all right|sounds good|right|cool)[,.!]? +)*(?:then |i'm |we're )?(?:go|going) with\b/i,
  /\bthe plan is to\b/i,
]

function saysDecision(sentence: string): boolean {
  return !NEGATED.test(sentence) && DECISIONS.some((rule) => rule.test(sentence))
}

const WHEN =
  '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|today|noon|midnight|eod|eow|cob|(?:the )?end of|next (?:week|month|quarter|year|mon|tue|wed|thu|fri)|this (?:week|afternoon|evening|mon|tue|wed|thu|fri)|(?:the )?\\d{1,2}(?:st|nd|rd|th|am| ?pm|:\\d\\d)|\\d{4}-\\d\\d|\\d{1,2}[/.]\\d{1,2}|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\\.? \\d)'

const ACTIONS: readonly RegExp[] = [
  /(?:^|[^\w/.-])TODO(?:\b(?!s?["'`)])|s?:)|^[^a-z]*to-?dos?\*{0,2}\s*:/,
  /\bto-?dos?\*{0,2}\s*:|\badd(?:ed)? (?:it |this |that )?to (?:my|the|our) to-?do/i,
  /\baction (?:item|point)s?\b/i,
  /^\s*[-*] \[ \] \S/,
  /^[^a-z]*(?:the |our )?next steps?\*{0,2}\s*(?::|are\b|is to\b)/i,
  /\bremind me (?:to|about|on|in|tomorrow|next)\b|\b(?:set|add) a reminder\b/i,
  /\b(?:don't|do not|must not) forget to\b|(?:^|[.,;] |please )remember to\b/i,
  new RegExp(
    `\\b(?:i|we|you|he|she|they|[a-z]+)(?:'ll| will|'m going to|'re going to| (?:am|are|is) going to| need(?:s)? to| must| has to| have to) [^.?!]*\\bby ${WHEN}`,
    'i',
  ),
  new RegExp(`^[^a-z]*please [^.?!]*\\bby ${WHEN}`, 'i'),
  new RegExp(`\\b(?:due|deadline(?: is| was moved to)?)(?: on| by| at|:)? (?:on )?${WHEN}`, 'i'),
  new RegExp(
    `\\b(?:i|we)(?:'ll| will|'m going to| am going to|'re going to| are going to) (?:send|e-?mail|call|phone|schedule|book|pay|meet|sign|submit|reach out|get back|ping|order|talk to|write to|invite|ask)\\b[^.?!]*\\b${WHEN}`,
    'i',
  ),
  /\b(?:i|we)(?:'ll| will|'m going to| am going to| need to| have to| must) follow up\b|^[^a-z]*(?:please )?follow up (?:with|on)\b/i,
]

/** None open, or all of them done. */
const NO_ACTION =
  /\b(?:no|any|without|zero) (?:further |more |open |other )*(?:action (?:item|point)|to-?do|deadline|next step)|\bnothing (?:to do|due)|\b(?:grep|search|look|scan)(?:ing)? for\b|\b(?:have|has|had) (?:all )?been (?:addressed|done|completed|resolved|fixed|replaced|removed)\b/i

function saysAction(sentence: string): boolean {
  return !NO_ACTION.test(sentence) && ACTIONS.some((rule) => rule.test(sentence))
}
