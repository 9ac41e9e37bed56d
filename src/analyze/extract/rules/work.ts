import { fromIn } from '../dates.ts'
import type { Fact, Match, Rule } from '../fact.ts'
import { isKnownPlace, nameKind } from '../name-lexicon.ts'
import { fact, literal, NO_MORE, named, person, rule } from './grammar.ts'

const ROLE =
  '(?:as )?(?:an? |the |their |its )?(?:[\\p{L}-]+ ){0,4}(?:engineer|developer|designer|manager|director|analyst|scientist|researcher|consultant|teacher|professor|lecturer|nurse|doctor|lawyer|writer|editor|accountant|architect|assistant|associate|intern|lead|head|officer|CEO|CTO|CFO|COO|VP|president|specialist|coordinator|technician|administrator|programmer|recruiter|salesperson|representative|chef|barista|librarian|journalist|photographer|therapist|pharmacist|planner|strategist|partner|fellow|postdoc|trainer|coach)'
const INSTITUTION =
  '(?:[a-z-]+ ){0,3}(?:council|university|hospital|school|library|government|city|county|bank|museum|clinic|charity|airline|bakery|restaurant|college|police|army|navy|post office|fire department|court|ministry|zoo)'
const IS_SCHOOL = /\b(?:University|College|School|Institute|Academy)\b/
const WORKS_AT = 'WORKS_AT'
const CLAUSE_END =
  '(?=\\s*(?:[.,;!)]|$| (?:in|last|this|after|for|to|and|but|as|now|today|yesterday|since|because|though|two|three|a (?:week|month|year))\\b))'
/** "At McDonald's" is a full name; "at Google's office" goes on. */
const ENDS_ITS_NAME = /^['’]?s?\s*(?:[.,;!)]|$|(?:as|in|and|but|since|now|on|near)\b)/
const company = (match: Parameters<Rule['read']>[0]) => {
  const plain = named(match, 'company')
  if (plain?.kind !== 'name') return plain
  const [start, end] = plain.at
  const rest = match.sentence.slice(end)
  return /^['’]s\b/.test(rest) && ENDS_ITS_NAME.test(rest)
    ? { ...plain, text: `${plain.text}${rest.slice(0, 2)}`, at: [start, end + 2] as const }
    : plain
}

const DAY_FOLLOWS = `(?=(?: ${ROLE})? (?:on|next|this|tomorrow|in|from)\\b)`

/** "I start at Hooli" means a job only with a future date. */
function ahead(match: Match): Fact[] {
  if (IS_SCHOOL.test(match.text('o')) || fromIn(match.sentence, match) === undefined) return []
  return fact(person(match), WORKS_AT, company(match), { confidence: 0.8, dated: 'from' })
}

export const WORK_RULES: readonly Rule[] = [
  rule('works at', `{S}{ADV} works?(?: (?:full|part)[- ]time| remotely)?(?: ${ROLE})? (?:at|for) {ORG}`, (m) =>
    fact(person(m), WORKS_AT, company(m), { confidence: 0.95, dated: 'since' }),
  ),
  rule(
    'is working at',
    `{S}(?:{BE}|'ve been| have been|'s been| has been){ADV} (?:working|employed)(?: ${ROLE})? (?:at|for|by) {ORG}`,
    (m) => fact(person(m), WORKS_AT, company(m), { confidence: 0.9, dated: 'since' }),
  ),
  rule('has worked at', `{S}(?:'ve| have|'s| has){ADV} worked(?: ${ROLE})? (?:at|for) {ORG}(?=.*\\b(?:for|since)\\b)`, (m) =>
    fact(person(m), WORKS_AT, company(m), { confidence: 0.85, dated: 'since' }),
  ),
  rule('is still at', `{S}(?:{BE}) (?:still|back) (?:working )?(?:at|with) {ORG}${CLAUSE_END}`, (m) =>
    isKnownPlace(m.text('o')) ? [] : fact(person(m), WORKS_AT, company(m), { confidence: 0.8 }),
  ),
  rule('has a role at', `{S}{BE}{ADV} ${ROLE} (?:at|for) {ORG}`, (m) =>
    fact(person(m), WORKS_AT, company(m), { confidence: 0.9, dated: 'since' }),
  ),
  rule(
    'my job at',
    `(?<!\\b(?:left|quit|leave|leaving|quitting|lost|resigned from) )(?<s>\\b[Mm]y) (?:new |current )?(?:job|position|role|internship)(?: ${ROLE})? (?:at|with) {ORG}`,
    (m) => fact({ kind: 'speaker', at: m.at('s') }, WORKS_AT, company(m), { confidence: 0.85 }),
  ),
  rule(
    'began at',
    `{S}{HAVE}{ADV} (?:started (?:working|a (?:new )?job|(?:my|his|her) (?:new )?job)|got a (?:new )?job|accepted a (?:job|position)) (?:at|with) {ORG}`,
    (m) => fact(person(m), WORKS_AT, company(m), { confidence: 0.85, dated: 'since' }),
  ),
  rule(
    'started at',
    `{S}{HAVE}{ADV} (?:started|begun|began) (?:work(?:ing)? )?at {ORG}(?=\\s*(?:[.,;!]|$| (?:as|in|last|this|on|a|two|three|and|but|recently|today|yesterday|back)\\b))`,
    (m) => (IS_SCHOOL.test(m.text('o')) ? [] : fact(person(m), WORKS_AT, company(m), { confidence: 0.85, dated: 'since' })),
  ),
  rule(
    'will start at',
    `{S}(?:'ll| will|{BE}(?: going to)?)?{ADV} (?:starts?|starting|begins?|beginning) (?:work(?:ing)? |(?:(?:my|his|her|their|a) )?new (?:job|position|role) )?(?:at|with) {ORG}${DAY_FOLLOWS}`,
    ahead,
  ),
  rule('will join', `{S}(?:'ll join| will join|{BE}{ADV} joining) {ORG}${DAY_FOLLOWS}`, ahead),
  rule('joined as', `{S}{HAVE}{ADV} joined {ORG} ${ROLE.replace('(?:as )?', 'as ')}`, (m) =>
    fact(person(m), WORKS_AT, company(m), { confidence: 0.85, dated: 'since' }),
  ),
  rule(
    'left and joined',
    `{S}{HAVE}(?: (?:just|recently|finally))* (?:left|quit) (?<l>[A-Z][\\p{L}\\d&]+)(?: (?:and|to|then))+ (?:has )?(?:joined?|started at|works? (?:at|for)) {ORG}`,
    (m) => (isKnownPlace(m.text('l')) ? [] : fact(person(m), WORKS_AT, company(m), { confidence: 0.85, dated: 'since' })),
  ),
  rule(
    'works for an institution',
    `{S}{ADV} works?(?: (?:full|part)[- ]time)?(?: ${ROLE})? (?:at|for) (?<o>(?:the|an?|our) ${INSTITUTION})\\b(?! [\\p{L}])`,
    (m) =>
      fact(person(m), WORKS_AT, { kind: 'literal', text: m.text('o').replace(/^(?:an?|our) /, '') }, { confidence: 0.85, dated: 'since' }),
  ),
  rule('is hired by', `{S}{HAVE}{ADV} (?:got|was|been|were) hired (?:${ROLE} )?(?:by|at) {ORG}`, (m) =>
    fact(person(m), WORKS_AT, company(m), { confidence: 0.85, dated: 'since' }),
  ),
  rule('my employer', `(?<s>\\b[Mm]y) (?:new |current )?employer(?:,| is) {ORG}`, (m) =>
    fact({ kind: 'speaker', at: m.at('s') }, WORKS_AT, company(m), { confidence: 0.85 }),
  ),
  rule(
    'left the job at',
    `{S}{HAVE}{ADV} (?:left|quit|resigned from) (?:my|his|her|their) (?:old )?(?:job|position|role|post) (?:at|with) {ORG}`,
    (m) => fact(person(m), WORKS_AT, company(m), { confidence: 0.85, former: true, dated: 'until' }),
  ),
  rule(
    'used to work at',
    `{S} (?:used to work|previously worked|formerly worked|once worked|no longer works?|worked)(?: ${ROLE})? (?:at|for) {ORG}`,
    (m) => fact(person(m), WORKS_AT, company(m), { confidence: 0.8, former: true, dated: 'until' }),
    { negated: true },
  ),
  rule(
    'does not work at',
    `{S}{ADV} (?:doesn't|don't|does not|do not|never)(?: actually| really)? work(?:ed)?(?: ${ROLE})? (?:at|for) {ORG}`,
    (m) => fact(person(m), NO_MORE.test(m.sentence) ? WORKS_AT : 'NOT_WORKS_AT', company(m), { confidence: 0.8, former: true }),
    { negated: true },
  ),
  rule('left', `{S}{HAVE}(?: (?:just|recently|finally))* (?:left|quit) {ORG}${CLAUSE_END}`, (m) =>
    isKnownPlace(m.text('o')) || nameKind(m.text('o')) === 'person'
      ? []
      : fact(person(m), 'LEFT', company(m), { confidence: 0.7, former: true, dated: 'until' }),
  ),
  rule(
    'former role at',
    `{S}{BE} a former (?:[\\p{L}-]+ ){0,3}(?:at|of) {ORG}|(?<t>\\b[Mm]y) (?:old|former|previous|last) (?:job|employer|position|role)(?: at|,| was(?: at)?) (?<p>[A-Z][\\p{L}\\d&]+)`,
    (m) =>
      m.has('t')
        ? fact({ kind: 'speaker', at: m.at('t') }, WORKS_AT, named(m, 'company', 'p'), { confidence: 0.8, former: true })
        : fact(person(m), WORKS_AT, company(m), { confidence: 0.8, former: true }),
  ),
  rule('founded', `{S}{HAVE}{ADV} (?:co-?)?founded {ORG}`, (m) =>
    fact(person(m), 'FOUNDED', company(m), { confidence: 0.9, dated: 'since' }),
  ),
  rule('founder of', `{S}{BE} (?:the |a )?(?:co-?)?founder(?: (?:and|&) [\\p{L} ]{2,20})? of {ORG}`, (m) =>
    fact(person(m), 'FOUNDED', company(m), { confidence: 0.9 }),
  ),
  rule('customer of', `{S}{BE}{ADV} (?:a |an )?(?:[\\p{L}-]+ )?(?:customer|client|subscriber) (?:of|at|with) {ORG}`, (m) =>
    fact(person(m), 'CUSTOMER_OF', company(m), { confidence: 0.85 }),
  ),
  rule('building', `{S}{BE}{ADV} building (?<b>[A-Z][\\p{L}\\d-]+)(?: at (?<o>[A-Z][\\p{L}\\d&]+))?(?![\\p{L}])`, (m) => [
    ...fact(person(m), 'BUILDING', named(m, 'project', 'b'), { confidence: 0.85 }),
    ...(m.has('o') ? fact(person(m), WORKS_AT, company(m), { confidence: 0.8 }) : []),
  ]),
  rule('working on', `{S}(?:{BE}|'ve been| have been|'s been| has been){ADV} working on (?=(?:a|an|my|our|the|his|her) |[A-Z]){NP}`, (m) =>
    /\b(?:projects?|tasks?|things?|problems?|issues?)$/i.test(m.text('o')) && !/ \S+ /.test(m.text('o'))
      ? []
      : fact(person(m), 'WORKING_ON', literal(m), { confidence: 0.75 }),
  ),
  rule('contributes to', `{S}{HAVE}{ADV} contribut(?:e|es|ed) to {ORG}`, (m) =>
    fact(person(m), 'CONTRIBUTED_TO', named(m, 'project'), { confidence: 0.8 }),
  ),
  rule(
    'created',
    `{S}{HAVE}{ADV} (?:created|wrote|built|designed|developed|made|published|composed) (?:an? |the )?(?:[\\p{L}-]+ ){0,3}(?:called|named|titled) (?<o>[A-Z_][\\p{L}\\d_'-]*(?: [A-Z_][\\p{L}\\d_'-]*){0,4})`,
    (m) => fact(person(m), 'CREATED', named(m, 'project') ?? literal(m), { confidence: 0.85 }),
  ),
  rule(
    'uses',
    `(?<s>\\bI|\\b[Mm]y {CLOSE}{RELATIVE},? {NAME})(?:{HAVE} been using|{BE}{ADV} using|{ADV} uses?) {ORG}(?=\\s*(?:[.,;!]|$| (?:for|to|as|on|with|and|since|every|at|regularly|daily|a lot|app|account|premium|right now|already|quite|almost|when|because)\\b))`,
    (m) => fact(person(m), 'USES', named(m, 'entity'), { confidence: 0.8 }),
  ),
]
