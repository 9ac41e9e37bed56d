/** Where somebody works, what they founded, build and use. */
import type { Rule } from '../fact.ts'
import { fact, literal, named, person, rule } from './grammar.ts'

const ROLE =
  '(?:as )?(?:an? |the |their |its )?(?:[\\p{L}-]+ ){0,4}(?:engineer|developer|designer|manager|director|analyst|scientist|researcher|consultant|teacher|professor|lecturer|nurse|doctor|lawyer|writer|editor|accountant|architect|assistant|associate|intern|lead|head|officer|CEO|CTO|CFO|COO|VP|president|specialist|coordinator|technician|administrator|programmer|recruiter|salesperson|representative|chef|barista|librarian|journalist|photographer|therapist|pharmacist|planner|strategist|partner|fellow|postdoc|trainer|coach)'
const WORKS_AT = 'WORKS_AT'
/** "at Christmas", "for Sarah": neither is an employer. */
const company = (match: Parameters<Rule['read']>[0]) => named(match, 'company')

export const WORK_RULES: readonly Rule[] = [
  rule('works at', `{S}{ADV} works?(?: (?:full|part)[- ]time| remotely)?(?: ${ROLE})? (?:at|for) {ORG}`, (m) =>
    fact(person(m), WORKS_AT, company(m), { confidence: 0.95, dated: 'since' }),
  ),
  rule(
    'is working at',
    `{S}(?:{BE}|'ve been| have been|'s been| has been){ADV} (?:working|employed)(?: ${ROLE})? (?:at|for|by) {ORG}`,
    (m) => fact(person(m), WORKS_AT, company(m), { confidence: 0.9, dated: 'since' }),
  ),
  rule('has a role at', `{S}{BE}{ADV} ${ROLE} (?:at|for) {ORG}`, (m) =>
    fact(person(m), WORKS_AT, company(m), { confidence: 0.9, dated: 'since' }),
  ),
  rule('my job at', `(?<s>\\b[Mm]y) (?:new |current )?(?:job|position|role|internship)(?: ${ROLE})? (?:at|with) {ORG}`, (m) =>
    fact({ kind: 'speaker', at: m.at('s') }, WORKS_AT, company(m), { confidence: 0.85 }),
  ),
  rule(
    'began at',
    `{S}{HAVE}{ADV} (?:started (?:working|a (?:new )?job|(?:my|his|her) (?:new )?job)|got a (?:new )?job|accepted a (?:job|position)) (?:at|with) {ORG}`,
    (m) => fact(person(m), WORKS_AT, company(m), { confidence: 0.85, dated: 'since' }),
  ),
  rule(
    'used to work at',
    `{S} (?:used to work|previously worked|formerly worked|once worked|no longer works?|worked)(?: ${ROLE})? (?:at|for) {ORG}`,
    (m) => fact(person(m), WORKS_AT, company(m), { confidence: 0.8, former: true, dated: 'until' }),
    { negated: true },
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
