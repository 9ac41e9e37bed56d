/** Who is who to whom, and their pets. */
import type { Fact, Match, Named, Rule } from '../fact.ts'
import { isPersonName } from '../names.ts'
import { relationOf } from '../relatives.ts'
import { fact, NAME, person, rule } from './grammar.ts'

const PET =
  '(?:dog|cat|puppy|pup|kitten|kitty|hamster|rabbit|bunny|parrot|parakeet|guinea pig|horse|pony|goldfish|turtle|tortoise|lizard|gecko|snake|ferret|golden retriever|labrador|lab|poodle|beagle|bulldog|corgi|husky|german shepherd|shepherd|terrier|dachshund|chihuahua|border collie|collie|spaniel|pug|tabby|siamese)'
const NAMES = `(?<o>${NAME})(?:,? (?:and|&) (?<o2>${NAME}))?`

/** Both names of `Josh and Mark`, as what they are. */
function everyName(match: Match, type: string): Named[] {
  return ['o', 'o2'].flatMap((group) => {
    const text = match.text(group).replace(/'s$/, '')
    const [start] = match.at(group)
    return match.has(group) && isPersonName(text) ? [{ kind: 'name', type, text, at: [start, start + text.length] } satisfies Named] : []
  })
}

const PLURAL = /s$/

function related(match: Match): Fact[] {
  const word = match.text('r')
  const type = relationOf(word)
  const speaker: Named = { kind: 'speaker', at: match.at('s') }
  if (type === undefined) return []
  const names = everyName(match, 'person')
  // "my friend Emily and Sarah": only a plural speaks of both.
  return (PLURAL.test(word) || word === 'children' ? names : names.slice(0, 1)).flatMap((one) =>
    fact(one, type, speaker, { confidence: 0.95 }),
  )
}

/** What stands for a name in a text that is still to be filled in. */
const PLACEHOLDER = /^(?:your|my|user|the|not|about)|name$|handle$|^(?:xxx|abc|foo)/i
const speaker = (m: Match): Named => ({ kind: 'speaker', at: m.at('s') })

const PRESUPPOSED = { presupposed: true } as const

export const PEOPLE_RULES: readonly Rule[] = [
  rule('my sister Emily', `(?<s>\\b[Mm]y) {CLOSE}(?<r>{RELATIVE})(?:,|,? named|,? called)? ${NAMES}`, related, PRESUPPOSED),
  rule("my sister's name is", `(?<s>\\b[Mm]y) {CLOSE}(?<r>{RELATIVE})(?:'s name is|s' names are) ${NAMES}`, related),
  rule('Emily, my sister', `\\b(?<o>{NAME}), (?<s>my) {CLOSE}(?<r>{RELATIVE})\\b(?!')(?=\\s*(?:[,.;!]|$|\\())(?<o2>)?`, related),
  rule('Emily is my sister', `\\b(?<o>{NAME})(?:'s| is) (?<s>my) {CLOSE}(?<r>{RELATIVE})\\b(?!')(?<o2>)?`, related),
  rule(
    'a friend of mine',
    `\\b(?<o>{NAME}) is an? (?:{CLOSE})?(?<r>friend|colleague|coworker|cousin|neighbor|neighbour) of (?<s>mine)\\b(?<o2>)?`,
    related,
  ),
  rule('know each other', `\\b(?<o>{NAME}) and (?<o2>I|{NAME}) (?:have )?know(?:n)? each other`, (m) => {
    const [first] = everyName(m, 'person')
    const second = m.text('o2') === 'I' ? ({ kind: 'speaker', at: m.at('o2') } as const) : everyName(m, 'person')[1]
    return fact(first, 'KNOWS', second, { confidence: 0.95 })
  }),
  rule('knows', `{S}{ADV} (?:knows?|(?:'ve|'s| have| has) known) ${NAMES}(?= (?:from|through|since|for)\\b)`, (m) =>
    everyName(m, 'person').flatMap((one) => fact(person(m), 'KNOWS', one, { confidence: 0.9 })),
  ),
  rule('married to', `{S}(?:{BE}|'ve been| have been|'s been| has been){ADV} (?<v>married|engaged) to (?<o>{NAME})(?<o2>)?`, (m) =>
    everyName(m, 'person').flatMap((one) =>
      fact(person(m), m.text('v') === 'married' ? 'SPOUSE_OF' : 'ENGAGED_TO', one, { confidence: 0.9, dated: 'since' }),
    ),
  ),
  rule('dating', `{S}(?:{BE}|'ve been| have been|'s been| has been){ADV} (?:dating|seeing) (?<o>{NAME})(?<o2>)?`, (m) =>
    everyName(m, 'person').flatMap((one) => fact(person(m), 'DATING', one, { confidence: 0.85, dated: 'since' })),
  ),
  rule(
    'my cat Luna',
    `(?<s>\\b[Mm]y) (?:[\\p{L}\\d-]+ ){0,3}?${PET}s?(?:,|,? named|,? called)? ${NAMES}`,
    (m) => everyName(m, 'pet').flatMap((one) => fact({ kind: 'speaker', at: m.at('s') }, 'HAS_PET', one, { confidence: 0.95 })),
    PRESUPPOSED,
  ),
  rule("my cat's name is Luna", `(?<s>\\b[Mm]y) (?:[\\p{L}\\d-]+ ){0,2}?${PET}(?:'s name is| is (?:named|called)) ${NAMES}`, (m) =>
    everyName(m, 'pet').flatMap((one) => fact({ kind: 'speaker', at: m.at('s') }, 'HAS_PET', one, { confidence: 0.95 })),
  ),
  rule('Luna, my cat', `\\b(?<o>{NAME}),? (?<s>my) (?:[\\p{L}\\d-]+ ){0,2}?${PET}\\b(?!')(?=\\s*(?:[,.;!]|$))(?<o2>)?`, (m) =>
    everyName(m, 'pet').flatMap((one) => fact({ kind: 'speaker', at: m.at('s') }, 'HAS_PET', one, { confidence: 0.9 })),
  ),
  rule(
    'has a cat named',
    `{S}(?:'ve| have| has|'s)?{ADV} (?:have|has|got|adopted|own|owns|rescued|had gotten|bought)? ?(?:an?|two|three) (?:[\\p{L}\\d-]+ ){0,4}?${PET}s? (?:named|called) ${NAMES}`,
    (m) => everyName(m, 'pet').flatMap((one) => fact(person(m), 'HAS_PET', one, { confidence: 0.95 })),
  ),
  rule('goes by', `{S} (?:goes|go) by (?<o>{NAME})|(?<t>\\b[Mm]y) (?:full |real )?name(?:'s| is) (?<p>{NAME})`, (m) => {
    const subject: Named | undefined = m.has('t') ? { kind: 'speaker', at: m.at('t') } : person(m)
    const name = m.text(m.has('t') ? 'p' : 'o')
    return isPersonName(name) ? fact(subject, 'ALSO_KNOWN_AS', { kind: 'literal', text: name }, { confidence: 0.9 }) : []
  }),
  rule(
    'my mail address',
    `(?<s>\\b[Mm]y) (?:new |work |personal |private )?e-?mail(?: address)?(?: is|:) (?<o>[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+)`,
    (m) =>
      fact({ kind: 'speaker', at: m.at('s') }, 'HAS_EMAIL', { kind: 'literal', text: m.text('o').replace(/\.$/, '') }, { confidence: 0.9 }),
  ),
  rule('my number', `(?<s>\\b[Mm]y) (?:new |work |cell |mobile )?(?:phone )?number is (?<o>\\+?\\d[\\d ().-]{7,18}\\d)`, (m) =>
    fact({ kind: 'speaker', at: m.at('s') }, 'HAS_PHONE', { kind: 'literal', text: m.text('o') }, { confidence: 0.9 }),
  ),
  rule(
    'my handle',
    `(?<s>\\b[Mm]y) (?<k>[Gg]it[Hh]ub|[Tt]witter|[Ii]nstagram|[Tt]elegram|[Ss]lack|[Dd]iscord|[Mm]astodon|[Ll]inked[Ii]n)(?: account)?(?: (?:username|handle|user ?name|login))(?: is|:) @?(?<o>[\\w.-]{3,39})(?![\\w@])`,
    (m) =>
      PLACEHOLDER.test(m.text('o'))
        ? []
        : fact(speaker(m), 'HAS_USERNAME', { kind: 'literal', text: m.text('o').replace(/\.$/, '') }, { confidence: 0.85 }),
  ),
]
