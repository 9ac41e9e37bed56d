import { dateIn } from '../dates.ts'
import type { Fact, Match, Named, Rule } from '../fact.ts'
import { isPersonName } from '../names.ts'
import { fact, NAME, person, rule } from './grammar.ts'

const MONTHS =
  '(?:[Jj]anuary|[Ff]ebruary|[Mm]arch|[Aa]pril|[Mm]ay|[Jj]une|[Jj]uly|[Aa]ugust|[Ss]eptember|[Oo]ctober|[Nn]ovember|[Dd]ecember|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)'
const CALENDAR_DAY = `${MONTHS}\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? (?:19|20)\\d\\d)?|(?:the )?\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTHS}(?:,? (?:19|20)\\d\\d)?|(?:19|20)\\d\\d-\\d\\d-\\d\\d`
const DAY = `(?<d>${CALENDAR_DAY})`
const SOON = `(?<d>${CALENDAR_DAY}|(?:this |next |coming )?(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)|tomorrow|today)\\b`
const CLOCK = '(?<t>\\d{1,2}(?::\\d\\d)? ?(?:[ap]\\.?m\\b\\.?)|\\d{1,2}:\\d\\d|noon|midnight)'

const literalDate = (m: Match, ahead: boolean): Fact['object'] | undefined => {
  const date = dateIn(m.text('d'), m, ahead)
  return date === undefined ? undefined : { kind: 'literal', text: date.iso }
}
const whose = (m: Match): Named | undefined => (m.has('s') ? { kind: 'speaker', at: m.at('s') } : person(m, 'n'))
const WHOSE = "(?:(?<n>\\b(?:[Mm]y (?:{CLOSE}{RELATIVE},? {NAME}|{ONLY_ONE})|[Mm]om|[Mm]um|[Dd]ad|{NAME}))'s|(?<s>\\b[Mm]y))"

function clock(said: string): string | undefined {
  if (said === 'noon') return '12:00'
  if (said === 'midnight') return '00:00'
  const [, hour = '', minute = '00', half] = /^(\d{1,2})(?::(\d\d))? ?([ap])?/i.exec(said) ?? []
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return hours < 24 && Number(minute) < 60 ? `${String(hours).padStart(2, '0')}:${minute}` : undefined
}

const EVENT =
  "(?:[\\p{L}\\d'-]+ ){0,4}?(?:appointment|meeting|interview|exam|flight|surgery|wedding|launch|release|concert|party|trip|race|marathon|presentation|deadline|check-?up|review|call|demo|graduation|move|class|session|test|trial|game|match|conference|recital|visit|lunch|dinner|event)"
const event = (m: Match): Named => ({ kind: 'name', type: 'event', text: m.text('e'), at: m.at('e') })

export const DAY_RULES: readonly Rule[] = [
  rule('birthday', `${WHOSE} birthday(?:'s| is| falls)(?: on)? ${DAY}`, (m) =>
    fact(whose(m), 'BORN_ON', literalDate(m, false), { confidence: 0.95 }),
  ),
  rule(
    'born on',
    `{S} (?:was|were) born (?:(?:in [A-Z][\\p{L}]+(?:,? [A-Z][\\p{L}]+)? )?(?:on |in )?${DAY}|(?:on|in) (?<y>(?:19|20)\\d\\d)\\b)`,
    (m) => fact(person(m), 'BORN_ON', m.has('y') ? { kind: 'literal', text: m.text('y') } : literalDate(m, false), { confidence: 0.95 }),
  ),
  rule('birthday today', `(?:[Tt]oday(?:'s| is)|[Ii]t'?s) ${WHOSE} birthday(?= today|[.!,]|$)`, (m) => {
    const date = dateIn('today', m, false)
    return /today/i.test(m.sentence) && date !== undefined
      ? fact(whose(m), 'BORN_ON', { kind: 'literal', text: date.iso.slice(5) }, { confidence: 0.85 })
      : []
  }),
  rule(
    'anniversary',
    `(?:(?<s>\\b(?:[Mm]y|[Oo]ur))|(?<n>{AT}{NAME})'s) (?:[\\p{L}\\d]+ )?(?:wedding )?anniversary(?:'s| is| falls)(?: on)? ${DAY}`,
    (m) => fact(whose(m), 'ANNIVERSARY_ON', literalDate(m, false), { confidence: 0.9 }),
  ),
  rule(
    'scheduled for',
    `\\b(?:[Mm]y|[Oo]ur|[Tt]he) (?<e>${EVENT}) (?:(?:is|are|has been|was) (?:now |currently )?(?:scheduled|planned|set|booked|moved) (?:for|on|to)|(?:is|are) on) (?:the )?${SOON}`,
    (m) => fact(event(m), 'SCHEDULED_FOR', literalDate(m, true), { confidence: 0.85 }),
  ),
  rule(
    'has scheduled',
    `\\b(?:I|[Ww]e)(?:'ve| have)? (?:have |got )?an? (?<e>${EVENT}) (?:(?:is )?scheduled |booked |coming up )?(?:for|on) (?:the )?${SOON}`,
    (m) => fact(event(m), 'SCHEDULED_FOR', literalDate(m, true), { confidence: 0.8 }),
  ),
  rule(
    'took place on',
    `\\b(?:[Mm]y|[Oo]ur|[Tt]he) (?<e>${EVENT}) (?<v>was|took place|happened|started|began|ended|finished) on (?:the )?${DAY}`,
    (m) => fact(event(m), TOOK_PLACE[m.text('v')] ?? 'OCCURRED_ON', literalDate(m, false), { confidence: 0.85 }),
  ),
  rule(
    'needs at',
    `(?<s>\\b(?:I|[Mm]y (?:[\\p{L}-]+ ){1,2}?${NAME}|${NAME})) (?:needs?|takes?|gets?|has to take|have to take) (?:(?:his|her|their|its|my|a|an|the) )?(?<k>(?:[\\p{L}-]+ ){0,2}?(?:medication|medicine|meds|pills?|insulin|injection|shots?|drops|vitamins?|inhaler|walk|food|feeding|breakfast|dinner))(?: (?:every (?:day|morning|evening|night)|daily|twice a day))?(?: at)? ${CLOCK}`,
    (m) => {
      const at = clock(m.text('t'))
      const said = m.text('s')
      const name = said.replace(new RegExp(`^[Mm]y .*?(?=${NAME}$)`, 'u'), '')
      const end = m.at('s')[1]
      const subject: Named | undefined =
        said === 'I'
          ? { kind: 'speaker', at: m.at('s') }
          : isPersonName(name)
            ? { kind: 'name', type: 'person', text: name, at: [end - name.length, end] }
            : undefined
      return at === undefined
        ? []
        : fact(subject, 'HAS_SCHEDULE', { kind: 'literal', text: `${m.text('k')} at ${at}` }, { confidence: 0.85 })
    },
  ),
  rule(
    'usually texts at',
    `{S} (?:usually|typically|normally|generally|mostly|tends to) (?:texts?|calls?|rings?|messages?|phones?|writes?|e-?mails?|contacts?)(?: (?:me|us|back))*(?: (?:at|around|about|by|before|after))+ ${CLOCK}`,
    (m) => {
      const at = clock(m.text('t'))
      const who = m.text('s') === 'I' ? undefined : person(m)
      return at === undefined ? [] : fact(who, 'TYPICALLY_CONTACTS_AT', { kind: 'literal', text: at }, { confidence: 0.8 })
    },
  ),
  rule(
    'texts every day',
    `(?<s>\\b(?:[Mm]y (?:{CLOSE}{RELATIVE},? ${NAME}|{ONLY_ONE})|[Mm]om|[Mm]um|[Dd]ad|{AT}${NAME}))(?: (?:usually|typically|normally|always|generally))? (?:texts|calls|messages|phones|writes|e-?mails)(?: (?:me|us))? (?<w>daily|weekly|(?:once|twice) a (?:day|week|month)|every (?:other )?(?:day|morning|evening|night|week|weekend|month|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day))\\b`,
    (m) => fact(person(m), 'COMMUNICATION_FREQUENCY', { kind: 'literal', text: m.text('w') }, { confidence: 0.8 }),
  ),
  rule(
    'every week',
    `{S}(?:'ve| have)?{ADV} (?:have|has|go to|goes to|attend|attends|take|takes|do|does|teach|teaches|practice|practices|play|plays) (?<k>(?:[\\p{L}'-]+ ){0,5}?[\\p{L}'-]+)(?: on)? (?<w>every (?:other )?(?:day|morning|evening|night|week|weekend|month|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)(?: (?:morning|afternoon|evening|night))?s?|(?:Mondays|Tuesdays|Wednesdays|Thursdays|Fridays|Saturdays|Sundays)(?: and [A-Z]\\p{L}+days)?)(?: at ${CLOCK})?`,
    (m) => {
      const at = m.has('t') ? clock(m.text('t')) : undefined
      const what = m.text('k').replace(/^(?:an?|the|my) /, '')
      if (/^(?:it|this|that|them|to|some|something|a lot|not|so)\b|\b(?:and|but|that|which)\b/.test(what)) return []
      return fact(
        person(m),
        'HAS_SCHEDULE',
        { kind: 'literal', text: `${what} ${m.text('w')}${at === undefined ? '' : ` at ${at}`}` },
        { confidence: 0.8 },
      )
    },
  ),
]

const TOOK_PLACE: Readonly<Record<string, string>> = { started: 'STARTED_ON', began: 'STARTED_ON', ended: 'ENDED_ON', finished: 'ENDED_ON' }
