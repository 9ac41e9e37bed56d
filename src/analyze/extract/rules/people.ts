import { relationKind, relationOf } from '../../../graph/relatives.ts'
import type { Fact, Match, Named, Rule } from '../fact.ts'
import { nameKind } from '../name-lexicon.ts'
import { isPersonName, isToldName } from '../names.ts'
import { fact, NAME, person, rule } from './grammar.ts'

const PET =
  '(?:dog|cat|puppy|pup|kitten|kitty|hamster|rabbit|bunny|parrot|parakeet|guinea pig|horse|pony|goldfish|turtle|tortoise|lizard|gecko|snake|ferret|golden retriever|labrador|lab|poodle|beagle|bulldog|corgi|husky|german shepherd|shepherd|terrier|dachshund|chihuahua|border collie|collie|spaniel|pug|tabby|siamese)'
const NAMES = `(?<o>${NAME})(?:,? (?:and|&) (?<o2>${NAME}))?`

function everyName(match: Match, type: string, qualifier?: string): Named[] {
  return ['o', 'o2'].flatMap((group) => {
    const text = match.text(group).replace(/'s$/, '')
    const [start] = match.at(group)
    return match.has(group) && (qualifier === undefined ? isPersonName(text) : isToldName(text))
      ? [{ kind: 'name', type, text, at: [start, start + text.length], qualifier } satisfies Named]
      : []
  })
}

/** A name behind a verb may be a tool, so the lexicon must know it as a person. */
const isKnownName = (one: Named): boolean => one.kind === 'name' && nameKind(one.text) === 'person'

/** Only "I" implies the speaker's partner. */
const partnerOf = (match: Match): string | undefined => (match.text('s') === 'I' ? relationKind('partner') : undefined)

const PLURAL = /s$/

function related(match: Match): Fact[] {
  const word = match.text('r')
  const type = relationOf(word)
  const speaker: Named = { kind: 'speaker', at: match.at('s') }
  if (type === undefined) return []
  const names = everyName(match, 'person', relationKind(word))
  // "my friend Emily and Sarah": only a plural covers both names.
  return (PLURAL.test(word) || word === 'children' ? names : names.slice(0, 1)).flatMap((one) =>
    fact(one, type, speaker, { confidence: 0.95 }),
  )
}

const PLACEHOLDER = /^(?:your|my|user|the|not|about)|name$|handle$|^(?:xxx|abc|foo)/i
const speaker = (m: Match): Named => ({ kind: 'speaker', at: m.at('s') })

const NETWORKS = '[Gg]it[Hh]ub|[Tt]witter|[Ii]nstagram|[Tt]elegram|[Ss]lack|[Dd]iscord|[Mm]astodon|[Ll]inked[Ii]n'
const WHOSE = "(?:(?<s>\\b[Mm]y)|(?<n>{AT}{NAME})['’]s)"
const whose = (m: Match) => (m.has('s') ? speaker(m) : person(m, 'n'))

const PRESUPPOSED = { presupposed: true } as const

export const PEOPLE_RULES: readonly Rule[] = [
  rule('my sister Emily', `(?<s>\\b(?:[Mm]y|[Oo]ur)) {CLOSE}(?<r>{RELATIVE})(?:,|,? named|,? called)? ${NAMES}`, related, PRESUPPOSED),
  rule(
    "my sister's name is",
    `(?<s>\\b(?:[Mm]y|[Oo]ur)) {CLOSE}(?<r>{RELATIVE})(?:'s name is|s' names are| is (?:named|called)| are (?:named|called)) ${NAMES}`,
    related,
  ),
  rule(
    'my manager is Priya',
    `(?<s>\\b(?:[Mm]y|[Oo]ur)) (?:{CLOSE}|new )(?<r>{RELATIVE}) is (?<o>{NAME})(?<o2>)?(?=\\s*(?:[.,;!(]|$| (?:and|who|from|at|on|now)\\b))`,
    (m) => related(m).filter(({ subject }) => subject.kind === 'name' && nameKind(subject.text) !== 'other'),
  ),
  rule(
    'a sister called Emily',
    `(?<s>\\bI)(?:'ve got| have| have got)? (?:an?|one|two|three) {CLOSE}(?<r>{RELATIVE}),? (?:named|called|whose name is) ${NAMES}`,
    related,
  ),
  rule(
    'a friend of mine called Emily',
    `\\b[Aa]n? {CLOSE}(?<r>{RELATIVE}) of (?<s>mine),? (?:named|called) ${NAMES}`,
    related,
    PRESUPPOSED,
  ),
  rule(
    'work with',
    `(?<s>\\bI){ADV} work(?:ed)? (?:closely |together )?with (?<o>{NAME})(?<o2>)?(?=\\s*(?:[.,;!]|$| (?:on|at|in|every|and|since|for)\\b))`,
    (m) =>
      everyName(m, 'person', relationKind('colleague'))
        .filter(isKnownName)
        .flatMap((one) => fact(one, 'COLLEAGUE_OF', speaker(m), { confidence: 0.8 })),
  ),
  rule(
    'report to',
    `(?<s>\\bI){ADV} report(?: directly)? to (?<o>{NAME})(?<o2>)?(?=\\s*(?:[.,;!]|$| (?:and|at|on|in|now|since)\\b))`,
    (m) =>
      everyName(m, 'person', relationKind('boss'))
        .filter(isKnownName)
        .flatMap((one) => fact(one, 'MANAGER_OF', speaker(m), { confidence: 0.9 })),
  ),
  rule(
    'Emily and I are married',
    `{AT}(?<o>{NAME}) and (?<s>I)(?: have)? (?:just )?(?:got|are|were|been) (?<v>married|engaged)\\b(?<o2>)?`,
    (m) =>
      everyName(m, 'person', relationKind('partner')).flatMap((one) =>
        fact(speaker(m), m.text('v') === 'married' ? 'SPOUSE_OF' : 'ENGAGED_TO', one, { confidence: 0.85, dated: 'since' }),
      ),
  ),
  rule('Emily, my sister', `{AT}(?<o>{NAME}), (?<s>my) {CLOSE}(?<r>{RELATIVE})\\b(?!')(?=\\s*(?:[,.;!]|$|\\())(?<o2>)?`, related),
  rule('Emily is my sister', `{AT}(?<o>{NAME})(?:'s| is) (?<s>my) {CLOSE}(?<r>{RELATIVE})\\b(?!')(?<o2>)?`, related),
  rule(
    'a friend of mine',
    `{AT}(?<o>{NAME}) is an? (?:{CLOSE})?(?<r>friend|colleague|coworker|cousin|neighbor|neighbour) of (?<s>mine)\\b(?<o2>)?`,
    related,
  ),
  rule('know each other', `{AT}(?<o>{NAME}) and (?<o2>I|{NAME}) (?:have )?know(?:n)? each other`, (m) => {
    const [first] = everyName(m, 'person')
    const second = m.text('o2') === 'I' ? ({ kind: 'speaker', at: m.at('o2') } as const) : everyName(m, 'person')[1]
    return fact(first, 'KNOWS', second, { confidence: 0.95 })
  }),
  rule('knows', `{S}{ADV} (?:knows?|(?:'ve|'s| have| has) known) ${NAMES}(?= (?:from|through|since|for)\\b)`, (m) =>
    everyName(m, 'person').flatMap((one) => fact(person(m), 'KNOWS', one, { confidence: 0.9 })),
  ),
  rule('married to', `{S}(?:{BE}|'ve been| have been|'s been| has been){ADV} (?<v>married|engaged) to (?<o>{NAME})(?<o2>)?`, (m) =>
    everyName(m, 'person', partnerOf(m)).flatMap((one) =>
      fact(person(m), m.text('v') === 'married' ? 'SPOUSE_OF' : 'ENGAGED_TO', one, { confidence: 0.9, dated: 'since' }),
    ),
  ),
  rule('dating', `{S}(?:{BE}|'ve been| have been|'s been| has been){ADV} (?:dating|seeing) (?<o>{NAME})(?<o2>)?`, (m) =>
    everyName(m, 'person', partnerOf(m)).flatMap((one) => fact(person(m), 'DATING', one, { confidence: 0.85, dated: 'since' })),
  ),
  rule('are dating', `{AT}(?<o>{NAME}) and (?<o2>{NAME}) (?:are|have been|started)(?: now)? dating\\b`, (m) => {
    const [first, second] = everyName(m, 'person')
    return fact(first, 'DATING', second, { confidence: 0.85, dated: 'since' })
  }),
  rule(
    'my cat Luna',
    `(?<s>\\b(?:[Mm]y|[Oo]ur)) (?:[\\p{L}\\d-]+ ){0,3}?${PET}s?(?:,|,? named|,? called)? ${NAMES}`,
    (m) => everyName(m, 'pet').flatMap((one) => fact({ kind: 'speaker', at: m.at('s') }, 'HAS_PET', one, { confidence: 0.95 })),
    PRESUPPOSED,
  ),
  rule(
    "my cat's name is Luna",
    `(?<s>\\b(?:[Mm]y|[Oo]ur)) (?:[\\p{L}\\d-]+ ){0,2}?${PET}(?:'s name is| is (?:named|called)) ${NAMES}`,
    (m) => everyName(m, 'pet').flatMap((one) => fact({ kind: 'speaker', at: m.at('s') }, 'HAS_PET', one, { confidence: 0.95 })),
  ),
  rule('Luna, my cat', `{AT}(?<o>{NAME}),? (?<s>my) (?:[\\p{L}\\d-]+ ){0,2}?${PET}\\b(?!')(?=\\s*(?:[,.;!]|$))(?<o2>)?`, (m) =>
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
    `${WHOSE} (?:new |work |personal |private )?(?:e-?mail|mail address)(?: address)?(?: is|:) (?<o>[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+)`,
    (m) => fact(whose(m), 'HAS_EMAIL', { kind: 'literal', text: m.text('o').replace(/\.$/, '') }, { confidence: 0.9 }),
  ),
  rule('my number', `${WHOSE} (?:new |work |cell |mobile )?(?:phone )?number is (?<o>\\+?\\d[\\d ().-]{7,18}\\d)`, (m) =>
    fact(whose(m), 'HAS_PHONE', { kind: 'literal', text: m.text('o') }, { confidence: 0.9 }),
  ),
  rule('is a handle', `{AT}(?<s>{NAME}) is @(?<o>[\\w.-]{3,39}) on (?:${NETWORKS})\\b`, (m) =>
    PLACEHOLDER.test(m.text('o')) ? [] : fact(person(m), 'HAS_USERNAME', { kind: 'literal', text: m.text('o') }, { confidence: 0.85 }),
  ),
  rule(
    'my handle',
    `(?<s>\\b[Mm]y) (?<k>${NETWORKS})(?: account)?(?: (?:username|handle|user ?name|login))(?: is|:) @?(?<o>[\\w.-]{3,39})(?![\\w@])`,
    (m) =>
      PLACEHOLDER.test(m.text('o'))
        ? []
        : fact(speaker(m), 'HAS_USERNAME', { kind: 'literal', text: m.text('o').replace(/\.$/, '') }, { confidence: 0.85 }),
  ),
]
