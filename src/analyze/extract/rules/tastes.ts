import type { Match, Rule } from '../fact.ts'
import { fact, literal, named, person, rule } from './grammar.ts'

const speaker = (m: Match, group = 's') => ({ kind: 'speaker', at: m.at(group) }) as const
const OWNER_OF = "(?:(?<s>\\b[Mm]y)|(?<n>\\b{NAME}|\\b(?:Mom|Dad))'s)"
const whose = (m: Match) => (m.has('s') ? speaker(m) : person(m, 'n'))
const OF_ALL = '(?:all-time |absolute |personal |current )*'
const NO_KIND = /\b(?:things?|parts?|ones?|way|memory|moment|aspect|feature|line|quote|bit|about|to|of all)\b/
const FAN = '(?:(?:huge|big|massive|real|total|lifelong|long-?time|die-?hard|avid|great) )*(?:fan|lover|enthusiast)'
/** Only the speaker: about others it is small talk, and the name may be a dog's. */
const I = '(?<!\\b(?:what|which|that|whom|much|things?|ones?|[Tt]he \\p{L}+|a \\p{L}+) )(?<s>\\bI)'
const BEEN = "(?:'m| am|'ve been| have been)"
const KINDS =
  'conference|festival|workshop|summit|meetup|meet-up|wedding|concert|seminar|lecture|retreat|webinar|hackathon|convention|expo|ceremony|graduation|reunion|fair|gala|marathon|exhibition|exhibit|class|course|training|meeting|bootcamp|mass|tournament|parade|funeral|party|show|play|game|match|tour|event|fundraiser|launch|auction|market|screening|premiere|reading|rally|performance|symposium|session|potluck|barbecue|bbq|picnic|panel|discussion|talk|shower'
const AFTER_EVENT =
  '(?=\\s*(?:[.,;:!()–—]|$| -| (?:and|but|because|since|so|when|where|while|as|which|who|that|for|in|on|at|to|from|with|after|before|by|about|last|this|yesterday|today|recently|together|downtown|nearby|earlier|just|a|an|the|few|two|three|four|five|six|called|named|titled|hosted|organized|organised|focused|held|there|online|over|during|featuring|dedicated|near|of)\\b))'
const EVENT = `(?<o>(?:[\\p{L}\\d_'-]+ ){0,5}?(?:(?:${KINDS}) )*(?:${KINDS}))\\b${AFTER_EVENT}`
const VAGUE = /^(?:an? |the )?(?:event|class|session|show|game|course|tour|talk|meeting|play|market)$/i

/** An event with a proper name becomes an entity; others stay literals. */
const event = (m: Match) =>
  VAGUE.test(m.text('o')) ? undefined : /^(?:the )?(?:\p{Lu}|\d{4} )/u.test(m.text('o')) ? named(m, 'event') : literal(m)
const thing = (type: string, confidence: number) => (m: Match) => fact(person(m), type, literal(m), { confidence })

const PREFER_TO =
  "(?<p>[\\p{L}]+(?: [\\p{L}\\d'-]+){1,6}?)(?=\\s*(?:[.,;!]|$| (?:and|but|because|since|so|when|while|as|if|over|than|rather|instead)\\b))"

export const TASTE_RULES: readonly Rule[] = [
  rule(
    'favourite',
    `${OWNER_OF} ${OF_ALL}favou?rite (?<k>[\\p{L}][\\p{L} '-]{2,40}?)(?:'s| is| are| has always been)(?: still| definitely| now)? {NP}`,
    (m) => (NO_KIND.test(m.text('k')) ? [] : fact(whose(m), 'PREFERS', literal(m), { confidence: 0.95 })),
  ),
  rule(
    'favourite changed',
    `${OWNER_OF} ${OF_ALL}favou?rite (?<k>(?:[\\p{L}]+ )?(?:colou?r|food|drink|dish|band|singer|artist|song|movie|film|book|author|genre|show|game|sport|team|season|animal|number|language|editor|theme|restaurant|place|city))(?: has| just)? (?:changed|switched)(?: from [\\p{L} -]{2,30}?)? to {NP}`,
    (m) => (NO_KIND.test(m.text('k')) ? [] : fact(whose(m), 'PREFERS', literal(m), { confidence: 0.95 })),
  ),
  rule(
    'is my favourite',
    `(?<=^|[,;] |\\b(?:and|but|so|because|that) )(?<o>(?:the )?[A-Z_][\\p{L}\\d_'-]*(?: [\\p{L}\\d_'-]+){0,3}) (?:is|are|has always been) (?<s>my) ${OF_ALL}favou?rite (?<k>[\\p{L} -]{3,40})`,
    (m) => (NO_KIND.test(m.text('k')) ? [] : fact(speaker(m), 'PREFERS', literal(m), { confidence: 0.85 })),
  ),
  rule(
    'prefers a channel',
    `{S}{ADV} (?:prefers? to be (?:contacted|reached|messaged)|is best (?:contacted|reached)) (?:on|by|via|through|over) (?<o>(?:[A-Z][\\p{L}]+(?: [A-Z][\\p{L}]+)?|e-?mail|phone|text|chat))\\b`,
    (m) => fact(person(m), 'PREFERS_CHANNEL', { kind: 'literal', text: m.text('o') }, { confidence: 0.85 }),
  ),
  rule(
    'prefers',
    `(?<![Ss]ometimes ){S}{ADV} prefers? (?!to be (?:contacted|reached|messaged|called|texted)\\b)(?:to ${PREFER_TO}|(?=\\p{L}+ing (?:on|in|at|with|to|from)\\b)${PREFER_TO.replace('<p>', '<q>')}|{NP})`,
    (m) => fact(person(m), 'PREFERS', literal(m, m.has('p') ? 'p' : m.has('q') ? 'q' : 'o'), { confidence: 0.9 }),
  ),
  rule(
    'long interested in',
    `${I}(?:'ve| have) (?:always|long) been{ADV} (?:interested in|into|passionate about|fascinated (?:by|with)|obsessed with) {NP}`,
    thing('INTERESTED_IN', 0.85),
  ),
  rule('passionate about', `${I}${BEEN}{ADV} (?:into|passionate about|fascinated by|obsessed with) {DOING}`, thing('INTERESTED_IN', 0.8)),
  rule('loves doing', `${I}{ADV} (?:love|enjoy) (?=[\\p{L}]+ing\\b){DOING}`, thing('INTERESTED_IN', 0.75)),
  rule(
    'is a fan of',
    `${I}(?:${BEEN}|'ve always been| have always been){ADV} (?:an? |such a )?${FAN} of {NP}`,
    thing('INTERESTED_IN', 0.85),
  ),
  rule(
    'dislikes',
    `${I}{ADV} (?:(?:don't|do not)(?: really| particularly)? (?:like|enjoy)|hate|dislike|can't stand|cannot stand) {NP}`,
    thing('DISLIKES', 0.85),
    { negated: true },
  ),
  rule('is no fan of', `${I}${BEEN} not (?:really )?(?:an? )?${FAN} of {NP}`, thing('DISLIKES', 0.85), { negated: true }),
  rule('allergic to', `{S}{BE}{ADV} (?:severely |badly |highly )?allergic to {NP}`, thing('ALLERGIC_TO', 0.9)),
  rule('owns', `{S}{ADV} (?:owns?|drives?) (?=(?:an?|two|three|four|five) ){NP}`, thing('OWNS', 0.85)),
  rule('attended', `${I}(?:'ve| have)?{ADV} (?:attended|went to) (?:the |an? |my (?:[\\p{L}-]+ )*[\\p{L}]+'s |our )${EVENT}`, (m) =>
    fact(person(m), 'ATTENDED', event(m), { confidence: 0.85, dated: 'since' }),
  ),
  rule(
    'attended a school',
    `{S}{HAVE}{ADV} (?:attended|graduated from|studied at) (?<o>(?:the )?(?:[A-Z][\\p{L}.&'-]*(?: of)? ){0,4}(?:University|College|School|Institute|Academy)(?: of [A-Z][\\p{L}]+(?:,? [A-Z][\\p{L}]+)?)?)`,
    (m) => fact(person(m), 'ATTENDED', named(m, 'company'), { confidence: 0.9 }),
  ),
]
