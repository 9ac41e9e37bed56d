import type { Rule } from '../fact.ts'
import { isKnownPlace } from '../name-lexicon.ts'
import { fact, NO_MORE, named, person, rule } from './grammar.ts'

const place = (match: Parameters<Rule['read']>[0]) => named(match, 'location')

const isPlace = (match: Parameters<Rule['read']>[0]) => isKnownPlace(match.text('o').replace(/^the /, ''))

export const PLACE_RULES: readonly Rule[] = [
  rule('lives in', `{S}{ADV} (?:lives?|resides?) in {PLACE}`, (m) =>
    fact(person(m), 'LIVES_IN', place(m), { confidence: 0.95, dated: 'since' }),
  ),
  rule('is living in', `{S}(?:{BE}|'ve been| have been|'s been| has been){ADV} (?:living|based) in {PLACE}`, (m) =>
    fact(person(m), 'LIVES_IN', place(m), { confidence: 0.9, dated: 'since' }),
  ),
  rule('has lived in', `{S}(?:'ve| have|'s| has){ADV} lived in {PLACE}(?=.*\\b(?:for|since|all my life)\\b)`, (m) =>
    fact(person(m), 'LIVES_IN', place(m), { confidence: 0.85, dated: 'since' }),
  ),
  rule(
    'used to live in',
    `{S} (?:used to live|previously lived|no longer lives?|grew up and lived|lived) in {PLACE}`,
    (m) => fact(person(m), 'LIVES_IN', place(m), { confidence: 0.8, former: true, dated: 'until' }),
    { negated: true },
  ),
  rule(
    'does not live in',
    `{S}{ADV} (?:doesn't|don't|does not|do not|never)(?: actually| really)? live(?:d)? in {PLACE}`,
    (m) => fact(person(m), NO_MORE.test(m.sentence) ? 'LIVES_IN' : 'NOT_LIVES_IN', place(m), { confidence: 0.8, former: true }),
    { negated: true },
  ),
  rule('moved to', `{S}{HAVE}(?: (?:just|recently|finally))* (?:moved|relocated) (?:back )?to {PLACE}`, (m) =>
    fact(person(m), 'LIVES_IN', place(m), { confidence: 0.8, dated: 'since' }),
  ),
  rule(
    'we moved to',
    `\\b(?<s>[Ww]e)(?:'ve| have)?(?: (?:just|recently|finally))* (?:moved|relocated) (?:back )?to {PLACE}`,
    // Projects "move to" a database.
    (m) => (isPlace(m) ? fact({ kind: 'speaker', at: m.at('s') }, 'LIVES_IN', place(m), { confidence: 0.8, dated: 'since' }) : []),
  ),
  rule('we live in', `\\b(?<s>[Ww]e)(?:(?:'ve| have) lived| live|'re living| are living) in {PLACE}`, (m) =>
    isPlace(m) ? fact({ kind: 'speaker', at: m.at('s') }, 'LIVES_IN', place(m), { confidence: 0.85, dated: 'since' }) : [],
  ),
  rule('we are moving to', `\\b(?<s>[Ww]e)(?:'re| are|'ll be) (?:moving|relocating) (?:back )?to {PLACE}`, (m) =>
    isPlace(m) ? fact({ kind: 'speaker', at: m.at('s') }, 'MOVING_TO', place(m), { confidence: 0.85, dated: 'from' }) : [],
  ),
  rule('grew up in', `{S} (?:was raised|grew up) in {PLACE}(?=\\s*(?:[.,;!]|$| (?:and|but|with|until|before|so)\\b))`, (m) =>
    fact(person(m), 'COMES_FROM', place(m), { confidence: 0.85 }),
  ),
  rule('is moving to', `{S}(?:{BE}{ADV}|'ll be| will be) (?:moving|relocating) (?:back )?to {PLACE}`, (m) =>
    fact(person(m), 'MOVING_TO', place(m), { confidence: 0.9, dated: 'from' }),
  ),
  rule(
    'says they move to',
    `{AT}(?<s>{NAME}) (?:mentioned|said|says|told (?:me|us))(?: that)? (?:she|he|they)(?:'s|'re| is| are| was| were){ADV} (?:moving|relocating) (?:back )?to {PLACE}`,
    (m) => fact(person(m), 'MOVING_TO', place(m), { confidence: 0.75, dated: 'from' }),
  ),
  rule(
    'says where they work or live',
    `{AT}(?<s>{NAME}) (?:mentioned|said|says|told (?:me|us))(?: that)? (?:she|he|they)(?:{ADV} (?<v>works? at|lives? in)|(?:'s|'re| is| are){ADV} (?<w>working at|living in)) {ORG}`,
    (m) =>
      `${m.text('v')}${m.text('w')}`.endsWith('in')
        ? fact(person(m), 'LIVES_IN', place(m), { confidence: 0.7 })
        : fact(person(m), 'WORKS_AT', named(m, 'company'), { confidence: 0.7 }),
  ),
  rule('was born in', `{S} (?:was|were) born (?:and raised )?in {PLACE}`, (m) =>
    fact(person(m), 'BORN_IN', place(m), { confidence: 0.95 }),
  ),
  rule(
    'comes from',
    `(?<=^|[,;] |\\b(?:and|but|because|that) ){S}{BE} (?:originally )?from {PLACE}(?=\\s*(?:[.,;!]|$| and\\b| but\\b))`,
    (m) => fact(person(m), 'COMES_FROM', place(m), { confidence: 0.85 }),
  ),
]
