import { remembered } from '../../core/remembered.ts'
import type { Sentence } from '../statements/sentences.ts'
import type { Fact, Match, Place, Rule } from './fact.ts'
import { isHearsay, isMoney, isNegated, isOpen, isQuestion } from './refusals.ts'
import { FACT_RULES } from './rules/all.ts'

export interface FoundFact extends Fact {
  readonly rule: string
}

export interface Circumstances {
  readonly timestamp: number
  readonly timezone: string
}

/** Rules match `plain` (quotations and code blanked) and read the original `text`. */
export function factsOfSentence(text: string, { plain }: Sentence, when: Circumstances): readonly FoundFact[] {
  return factsIn(JSON.stringify([text, plain, when.timestamp, when.timezone]))
}

/** Cached because two analyses ask for the same episodes in turn. */
const factsIn = remembered((key): readonly FoundFact[] => {
  const [text, plain, timestamp, timezone] = JSON.parse(key) as [string, string, number, string]
  return readFacts(text, plain, { timestamp, timezone })
}, 100_000)

/** Many people type "i live in Lisbon". */
const SMALL_I = /\bi(?<![\w.'/-]i)(?=(?:'(?:m|ve|d|ll|re))?,? )/g

function readFacts(said: string, blanked: string, when: Circumstances): FoundFact[] {
  const straight = said.replaceAll('’', "'").replace(SMALL_I, 'I')
  const plain = blanked.replace(SMALL_I, 'I')
  if (isMoney(plain)) return []
  const stated = !isQuestion(plain) && !isOpen(plain)
  const negated = isNegated(plain)
  const hearsay = isHearsay(plain)
  const found: FoundFact[] = []
  for (const rule of FACT_RULES) {
    if (!rule.presupposed && (!stated || (negated && !rule.negated) || (hearsay && !rule.name.startsWith('says')))) continue
    // `matchAll` clones the pattern for each sentence, which is slow.
    rule.pattern.lastIndex = 0
    for (let one = rule.pattern.exec(plain); one !== null; one = rule.pattern.exec(plain)) {
      if (one[0] === '') rule.pattern.lastIndex += 1
      for (const fact of rule.read(matchOf(one, straight, when))) found.push({ ...fact, rule: rule.name })
    }
  }
  return onceEach(found)
}

function matchOf(found: RegExpMatchArray, sentence: string, when: Circumstances): Match {
  const groups = (found as RegExpMatchArray & { indices?: { groups?: Record<string, Place | undefined> } }).indices?.groups ?? {}
  const at = (group: string): Place => groups[group] ?? [found.index ?? 0, found.index ?? 0]
  return {
    ...{ sentence, timestamp: when.timestamp, timezone: when.timezone, at },
    has: (group) => groups[group] !== undefined && found.groups?.[group] !== '',
    text: (group) => sentence.slice(...at(group)),
  }
}

function onceEach(facts: readonly FoundFact[]): FoundFact[] {
  const seen = new Set<string>()
  return facts.filter(({ subject, type, object, former }) => {
    const key = JSON.stringify([keyOf(subject), type, keyOf(object), former ?? false])
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function keyOf(half: Fact['object']): string {
  return half.kind === 'literal' || half.kind === 'name' ? half.text.toLowerCase() : half.kind === 'relative' ? half.word : half.kind
}

export type { Rule }
