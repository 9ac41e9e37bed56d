/** Whether a text asks about the owner: "where do I live", "what's my job"; not "where do I put it" or "my branch". English only. */

/** Terms of code: "my email field", "my address type". */
const NO_CODE =
  '(?![\\w-]*[-_./]\\w| (?:field|column|type|class|component|validat\\w+|regex|schema|table|test|function|hook|form|input|parser|module|service|object|property|prop|variable|param\\w*|scripts?|queue|runner|config\\w*|id)s?\\b)'
const NOW = '(?:(?:currently|now|still|actually|usually|also|previously|originally) )?'

const OWNER = [
  `where (?:do|did) i ${NOW}(?:live|reside)\\b`,
  `where (?:am|was) i ${NOW}(?:living|based)\\b`,
  `where i ${NOW}(?:live|lived|am living|am based)\\b`,
  `where (?:do|did) i ${NOW}work(?! (?:on|with|from|around|through|in the|out))\\b`,
  `where i ${NOW}(?:work|worked)(?! (?:on|with|from|around|through|in the|out))\\b`,
  `where (?:am|was) i ${NOW}(?:working|employed)(?! (?:on|with|from|in the))\\b`,
  `(?:who|whom|which company|what company) (?:do|did|am) i ${NOW}work(?:ing)? (?:for|at)\\b`,
  'what do i do (?:for (?:a living|work)|at work)\\b',
  `(?:what|which)(?: \\w+){0,2} (?:do|did) i ${NOW}(?:like|love|hate|dislike|prefer|enjoy)\\b`,
  `(?<=^|[,;.?!] |\\b(?:and|so|but) )do i ${NOW}(?:like|love|hate|dislike|prefer|enjoy)\\b(?! (?:need|have|want)\\b)`,
  '(?<=^|[,;.?!] |\\b(?:and|so|but) )do i (?:have|own) (?:any |an? )?(?:pets?|dogs?|cats?|kids?|children|siblings?|sisters?|brothers?)\\b',
  `(?:since when|how long)(?: do| did| have| am)? i ${NOW}(?:live|lived|been living|work(?:ed)?|been working|reside)\\b(?! (?:on|with)\\b)`,
  '(?:when|where) was i born\\b',
  'am i (?:allergic|vegetarian|vegan|married|engaged)\\b',
  '(?:how old am i|my age|my birth(?:day| ?date))\\b',
  `my (?:current |new |old |last |former |previous )?(?:jobs?|employers?|profession|occupation|job title)\\b${NO_CODE}`,
  `my (?:home ?town|home address|home city|city|country)\\b${NO_CODE}`,
  `my (?:pets?|dogs?|cats?|puppy|kitten)\\b${NO_CODE}`,
  `my (?:all-time )?favou?rite \\w+\\b`,
  `my (?:hobby|hobbies)\\b${NO_CODE}`,
  `(?:what(?:'s| is| was)|which is|who(?:'s| is| was| are)|when(?:'s| is| was)|where(?:'s| is| was)) my (?!(?:next|first|last|current|best|other|own)\\b)[a-z]+\\b${NO_CODE}`,
]
const WHO_I_AM = [
  'who am i(?=[?.! ]*$)',
  '(?:what|anything|everything|all|something) (?:that )?(?:do |did )?(?:you|we) (?:know|remember|have) (?:about|of|on) me\\b',
]
const ASKED = new RegExp(`(?<![\\w'])(?:${[...OWNER, ...WHO_I_AM].join('|')})`, 'i')
const ASKS_WHO = new RegExp(`(?<![\\w'])(?:${WHO_I_AM.join('|')})`, 'i')

const PROJECT = '(?:the|this|our) (?:project|repo|repository|app|service|codebase|team|site|backend|frontend)'
/** "Which database do we use"; not "should we use it", which asks for advice. */
const OF_PROJECT = new RegExp(
  `\\b(?:which|what)(?: [\\w-]+){0,4} (?:do|does|did|are|is|were|was) (?:we|${PROJECT}) (?:[a-z]+ )?(?:us(?:e|es|ing)|running on|on)\\b`,
  'i',
)

/** "Are we on mysql?", "does the project still use npm?". Answered only if facts of the project name the tool. */
const WHETHER_PROJECT = new RegExp(
  `(?<=^|[,;.?!] |\\b(?:and|so|but) )(?:(?:are|were|aren't|is|was|isn't) (?:we|${PROJECT}) ${NOW}(?:using|running on|on)|(?:do|does|did|don't|doesn't) (?:we|${PROJECT}) ${NOW}use)\\b(?! (?:it|this|that|them|these|those|one)\\b)`,
  'i',
)

export function asksForProject(text: string): boolean {
  return OF_PROJECT.test(text) || asksWhetherProject(text)
}

export function asksWhetherProject(text: string): boolean {
  return WHETHER_PROJECT.test(text.replaceAll('’', "'"))
}

export function withoutWhether(text: string): string {
  return text.replaceAll('’', "'").replace(WHETHER_PROJECT, ' ')
}

export function asksForOwner(text: string): boolean {
  return ASKED.test(text.replaceAll('’', "'"))
}

export function asksWhoOwnerIs(text: string): boolean {
  return ASKS_WHO.test(text.replaceAll('’', "'"))
}
