/** Detects sentences that state nothing, and statements before a question. */
import type { Rule } from './rule.ts'

const OPEN =
  /^(?:[^a-z]*)(?:and |but |so |or |also |then )?(?:if|unless|whether|suppose|assuming|assume|say|in case|imagine|maybe|perhaps|could|can|should|would|shall (?!we (?:meet|talk))|do(?! not\b)|does|did|have (?:we|you)|are (?:we|you)|is (?:it|this|that|there)|what|why|how|which|who|when(?:ever)?|where|once|like)\b|\b(?:if (?:we|you|i|they|it|that|this|so|not|the|there)|in case|whether|before we(?:'ve| have)?|as if|would have|could have|might|should have|had (?:we|i)|let's say|for example|e\.g\.|such as|not sure|wondering|i guess|what if|how about|probably|supposed to|maybe|perhaps)\b/i

const UNDECIDED =
  /\b(?:not|never|haven't|hasn't|hadn't|didn't|nobody|no one|nothing|neither|none|yet to|without)\b[^,;:]{0,20}\b(?:decided|agreed|settled|chosen|picked|opted)\b|\b(?:to be|still) decided\b|\bagreed? (?:to disagree|with (?:you|this|that|the))/i

/** Also true for lead-ins: "I want it to be like:". */
export function isOpen(plain: string): boolean {
  if (plain.includes('?') || plain.endsWith(':')) return true
  const said = plain.replace(ASIDE, ' ')
  return OPEN.test(said) || UNDECIDED.test(said)
}

/** Valid before a question or concession: "let's store it there, can you give an example?" */
const TOLD_FIRST: ReadonlySet<string> = new Set([
  'lets',
  'lets change',
  'lets do',
  'go with',
  'undo',
  'told otherwise',
  'do not',
  'no need',
])
const FIRST_PART = /^(.{12,}?)(?:,|\s[-–—])\s+(?!(?:if|unless|in case|when|once|maybe|perhaps|or|but|right|ok|yes|no|yeah)\b)/i

export function toldFirst(plain: string): string | undefined {
  const part = FIRST_PART.exec(plain)?.[1]
  return part === undefined || isOpen(part) ? undefined : part
}

export const isToldFirst = ({ name, type }: Rule): boolean => type === 'decision' && TOLD_FIRST.has(name)

/** Ignored parts: brackets, fulfilled conditions ("if that's the case we need …"), times of a rule ("when you write tests, always …"). */
const ASIDE =
  /\([^()]{0,160}\)|^when(?:ever)? you [^,?]{3,60},(?= (?:always|never)\b)|\bif (?:that|this|it)(?:'s| is) (?:the case|so|true)\b,?|\bif so\b,?/gi

const POINTING =
  /\b(?:let'?s|we'?ll|i'?ll|i'?d|it'?s|that'?s|you'?re|we'?re|i'?m|don'?t|isn'?t|i|we|you|it|its|this|that|these|those|they|them|he|she|one|ones|both|all|any|some|there|here|then|now|for|just|so|ok(?:ay)?|yes|yeah|yep|no|and|but|or|also|too|please|thanks|instead|go|going|with|do|does|did|will|would|is|are|was|be|the|a|an|to|of|on|in|at|as|not|use|keep|make|leave|skip|try|think|want|like|rather|prefer|actually|option|options|approach|first|second|third|last|former|latter|version|way|idea|thing|things|stuff|better|me|my|your|send|share|check|bring|know|take|get|look|never|mind|later|add|put|change|remove|move|fix|catch|back|issue|point|because|could|should|start|review|next|into|happen|after|wrong|right|correct|incorrect|true|mistaken|mistake|still|only|really|cool|great|good|perfect|sure|fine|well|ah|oh|hmm+|wait|sorry|agreed|decided|settled|went|chose|call|let|s|ll|d|re|m|t|ve)\b|[#\d]+/gi

/** Two single letters are names: "it's not X, it's Y". One refers to a list: "let's go with B". */
const LETTERS = /(?<!\p{L})[B-HJ-Z](?!\p{L}).*(?<!\p{L})[B-HJ-Z](?!\p{L})/u

/** Meaningless without the answered message: "let's go with that one". */
export function isPointing(plain: string): boolean {
  const left = plain.replace(POINTING, ' ')
  return !/[\p{L}_]{2}/u.test(left) && !LETTERS.test(left)
}
