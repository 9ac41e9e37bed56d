import type { EpisodeMessage } from '../analyzer.ts'
import type { Place } from './fact.ts'
import { nameKind } from './name-lexicon.ts'
import { isPersonName } from './names.ts'
import { ownSpeech } from './own-speech.ts'
import { FROM, fromKind, pattern } from './rules/grammar.ts'

const GATE =
  /\b(?:with|met|meet|saw|see|called|call|asked|ask|told|tell|texted|emailed|invite|invited|visit|visited|remind|thanked|join|joined) [A-Z]/
/** The name must end the phrase: "Harry Potter trivia" is not a person. */
const NAMED = pattern(
  '\\b(?:with|met|meet|saw|see|called|call|asked|ask|told|tell|texted|emailed|invite|invited|visit|visited|remind|thanked|join|joined) (?<n>{NAME})(?:,? and (?<m>{NAME}))?(?=\\s*(?:[.,;:!?]|$| (?:and|on|at|in|about|for|from|to|yesterday|today|tomorrow|last|this|next|who|because|but|so|that|if|when|again|too|later|tonight|there|here|over|before|after)\\b))',
)

/** "With Sarah from Lisbon to Porto" is a journey. */
const FROM_NEXT = pattern(`^${FROM}(?! to\\b)`)

export interface SpokenName {
  readonly text: string
  readonly at: Place
  readonly qualifier?: string | undefined
}

/** Requires a lexicon name: a capital alone proves no person. */
export function* spokenNames(message: EpisodeMessage): Generator<SpokenName> {
  for (const { start, plain } of ownSpeech(message, GATE))
    for (const found of plain.matchAll(NAMED))
      for (const group of ['n', 'm']) {
        const text = found.groups?.[group]
        const at = found.indices?.groups?.[group]
        if (text === undefined || at === undefined || !isPersonName(text) || nameKind(text) !== 'person') continue
        const from = FROM_NEXT.exec(plain.slice(at[1]))?.[0]
        yield { text, at: [start + at[0], start + at[1]], qualifier: from === undefined ? undefined : fromKind(from) }
      }
}
