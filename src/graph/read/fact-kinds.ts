/** Detects the kinds of facts that a question asks for, and names their relation types. English; pure. */

export interface FactKind {
  readonly name: string
  /** The first is the main type: only it is told with its past values. */
  readonly types: readonly string[]
  readonly asks: RegExp
}

export const FACT_KINDS: readonly FactKind[] = [
  {
    name: 'work',
    types: ['WORKS_AT', 'HAS_ROLE', 'HAS_TITLE', 'BUILDING', 'WORKING_ON', 'FOUNDED'],
    asks: /\b(?:works?|worked|working|jobs?|employ(?:s|ed|ers?|ees?|ment)|profession|career|occupation|company|companies|for a living|founde[rd]s?)\b/i,
  },
  {
    name: 'projects',
    types: ['BUILDING', 'WORKING_ON', 'CREATED', 'CONTRIBUTED_TO', 'FOUNDED'],
    asks: /\b(?:building|built|builds|working on|works? on|side projects?|projects?|creat(?:es?|ed)|contribut(?:es?|ed|ing))\b/i,
  },
  {
    name: 'home',
    types: ['LIVES_IN', 'MOVING_TO', 'COMES_FROM', 'BORN_IN'],
    asks: /\b(?:lives?|lived|living|resid(?:es?|ed|ing)|based|home ?town|city|country|where(?:'s| is)|(?:moving|moves?|moved) (?:to|from|away|out|house)|relocat(?:es?|ed|ing))\b|\bis\s+(?:\w+ )?moving\b/i,
  },
  {
    name: 'origin',
    types: ['COMES_FROM', 'BORN_IN'],
    asks: /\b(?:comes? from|originally|origins?|grew up|where (?:was|were)\b.{0,40}? born|birthplace)\b/i,
  },
  {
    name: 'birthday',
    types: ['BORN_ON', 'ANNIVERSARY_ON'],
    asks: /\b(?:birthdays?|bday|(?<!\bwhere (?:was|were)\b.{0,40})born|birth ?date|date of birth|how old|anniversar(?:y|ies))\b/i,
  },
  { name: 'pets', types: ['HAS_PET'], asks: /\b(?:pets?|dogs?|cats?|pupp(?:y|ies)|kittens?)\b/i },
  {
    name: 'taste',
    types: ['PREFERS', 'DISLIKES', 'INTERESTED_IN'],
    asks: /\b(?:prefer(?:s|red|ences?)?|likes?|loves?|fav(?:ou?rite)?s?|dislikes?|hates?|enjoys?|interest(?:s|ed)|hobb(?:y|ies)|passions?|gifts?|presents?|tastes?)\b/i,
  },
  {
    name: 'schedule',
    types: ['HAS_SCHEDULE', 'SCHEDULED_FOR', 'OCCURRED_ON', 'STARTED_ON', 'ENDED_ON', 'HAS_DEADLINE'],
    asks: /\b(?:schedules?d?|when(?:'s| is| are| was| were| does| do| did| will)|what time|deadline|medications?|meds|appointments?|every (?:day|week|morning|evening))\b/i,
  },
  {
    name: 'tools',
    types: ['USES', 'CUSTOMER_OF', 'HAS_STATUS'],
    asks: /\b(?:uses?|used|using|stack|databases?|tools?|switch(?:ed)?|migrat(?:ed?|ion))\b/i,
  },
  {
    name: 'habits',
    types: ['TYPICALLY_CONTACTS_AT', 'PREFERS_CHANNEL', 'COMMUNICATION_FREQUENCY'],
    asks: /\b(?:usually|typically|how often|best (?:way|time)|reach(?:ed)?|contact(?:s|ed)?|get hold of)\b|\bwhen (?:does|do)\b.{0,40} (?:text|call|write|message|ring|phone)\b/i,
  },
  {
    name: 'school',
    types: ['STUDIES_AT', 'ATTENDED'],
    asks: /\b(?:stud(?:y|ies|ied|ying)|schools?|universit(?:y|ies)|college|degree|graduat(?:es?|ed|ion)|attend(?:s|ed)?)\b/i,
  },
  { name: 'things', types: ['OWNS'], asks: /\b(?:owns?|owned|drives?|car)\b/i },
  {
    name: 'married',
    types: ['SPOUSE_OF', 'MARRIED_TO', 'ENGAGED_TO', 'DATING', 'PARTNER_OF'],
    asks: /\b(?:married|engaged|dating|spouse|partner|wife|husband|girlfriend|boyfriend|fianc[eé]e?)\b/i,
  },
  { name: 'boss', types: ['MANAGER_OF', 'REPORTS_TO'], asks: /\b(?:manage[rs]?|managed|boss|supervisor|reports? to)\b/i },
  { name: 'parents', types: ['PARENT_OF'], asks: /\b(?:parents?|mother|father|mom|mum|dad)\b/i },
  { name: 'children', types: ['CHILD_OF'], asks: /\b(?:child(?:ren)?|kids?|sons?|daughters?)\b/i },
  { name: 'siblings', types: ['SIBLING_OF'], asks: /\b(?:siblings?|sisters?|brothers?)\b/i },
  {
    name: 'relatives',
    types: ['PARENT_OF', 'CHILD_OF', 'SIBLING_OF', 'SPOUSE_OF', 'GRANDPARENT_OF', 'GRANDCHILD_OF', 'RELATIVE_OF'],
    asks: /\b(?:family|relatives?|related)\b/i,
  },
  {
    name: 'acquaintances',
    types: ['KNOWS', 'FRIEND_OF', 'COLLEAGUE_OF', 'ROOMMATE_OF', 'NEIGHBOR_OF'],
    asks: /\b(?:friends?|colleagues?|co-?workers?|room ?mates?|flat ?mates?|neighbou?rs?|teammates?|know (?:each other|from))\b|\bwho(?:m)? (?:does|do|did) .{1,40} know\b/i,
  },
]

export function kindsAsked(text: string): readonly FactKind[] {
  const plain = text.replaceAll('’', "'")
  const asked = FACT_KINDS.filter(({ asks }) => asks.test(plain))
  // "Where is Tyler working" asks for work, not for home.
  const named = asked.filter(({ name }) => name !== 'home' && name !== 'schedule')
  const byItself = (kind: FactKind) => OWN_WORDS[kind.name]?.test(plain) ?? true
  return named.length === 0 ? asked : asked.filter((kind) => named.includes(kind) || byItself(kind))
}

/** For kinds that bare "where is" and "when is" ask for too. */
const OWN_WORDS: Readonly<Record<string, RegExp>> = {
  home: /\b(?:lives?|lived|living|resid(?:es?|ed|ing)|based|home ?town|city|country|mov(?:ing|es?|ed) (?:to|from|away|out|house)|relocat(?:es?|ed|ing))\b/i,
  schedule: /\b(?:schedules?d?|deadline|medications?|meds|appointments?)\b/i,
}
