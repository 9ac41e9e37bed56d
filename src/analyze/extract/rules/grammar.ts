/** Building blocks of rule patterns: `{S}` is the subject, `{PLACE}`, `{ORG}`, `{NAME}` are names, `{NP}` is a plain noun phrase. */

import { ONLY_ONE_WORDS, onlyOne, RELATIVE_WORDS, relationKind } from '../../../graph/relatives.ts'
import type { Fact, Match, Named, Rule } from '../fact.ts'
import { nameKind } from '../name-lexicon.ts'
import { isPersonName, isProperName, isToldName, trimmedName } from '../names.ts'

const WORD = "[A-Z][\\p{L}]+(?:['-]\\p{L}{2,})?"
export const NAME = `(?!(?:I|The|My|We|She|He|It|They|You|And|But|So|This|That)\\b)${WORD}(?: (?!I\\b)${WORD}){0,2}`
const ADVERBS =
  '(?: (?:currently|now|also|still|actually|just|recently|really|mostly|usually|always|both|already|even|only|finally|personally|generally|definitely|absolutely|particularly|especially|truly|totally|mainly|primarily|mostly|lately|very|much|quite|pretty|so|too))*'
const CLOSE = `(?:(?:older|younger|elder|big|little|twin|best|close|closest|good|old|dear|longtime|long-time|childhood|college|late|new|current|former|previous|ex|baby|high school|mutual|work) )*`
export const FROM =
  "(?: (?:from|at) (?:the )?[A-Z][\\p{L}\\d&'-]+(?: (?!I\\b)[A-Z][\\p{L}\\d&'-]+)?| (?:from|on|of|in) (?:the|our) (?:[\\p{L}\\d-]+ ){1,2}?(?:team|project|squad|department))"
const THING =
  "(?:[\\p{L}\\d_][\\p{L}\\d'&/+#._-]* ){0,7}?[\\p{L}\\d_][\\p{L}\\d'&/+#_-]*(?: and [\\p{L}\\d'-]+(?: [\\p{L}\\d'-]+)?(?=[.,;!]|$| (?:right now|lately|these days|too)\\b))?"
const ENDS =
  '\\s*(?:[.,;:!()–—]|$| -| (?:and|but|because|since|so|when|whenever|while|as|if|though|although|which|who|where|that|than|rather|instead|lately|too|however|especially|particularly|it|is|are|was|now|right now|these days|anymore|every|last|this|yesterday|today|recently)\\b)'
const WEAK_END = ' (?:for|in|on|at|to|from|with|over|after|before|like|more|by|about|next|during|or|through|using|via|until)\\b'
const PARTS: Readonly<Record<string, string>> = {
  S: `(?<s>\\bI|\\b[Mm]y (?:${CLOSE}(?:${RELATIVE_WORDS}),? ${NAME}|(?:${ONLY_ONE_WORDS})\\b)|\\b(?:[Mm]om|[Mm]um|[Dd]ad)\\b|{AT}${NAME}${FROM}?)(?:,)?(?: who)?`,
  BE: "(?:'m| am|'s| is|'re| are)",
  HAVE: "(?:'ve| have|'s| has)?",
  ADV: ADVERBS,
  NAME,
  CLOSE,
  RELATIVE: `(?:${RELATIVE_WORDS})`,
  ONLY_ONE: `(?:${ONLY_ONE_WORDS})`,
  PLACE: "(?<o>(?:the )?[A-Z][\\p{L}.'-]*(?:(?: |, )(?!I\\b)[A-Z][\\p{L}.'-]*| of(?= [A-Z])){0,4})",
  ORG: "(?<o>(?:the )?[A-Z][\\p{L}\\d.&'+-]*(?: (?:(?:of|&|for|de) (?:the )?)?(?!I\\b)[A-Z][\\p{L}\\d.&'+-]*){0,4})",
  NP: `(?<o>${THING})(?=${ENDS}|${WEAK_END})`,
  DOING: `(?<o>${THING})(?=${ENDS})`,
}

export function pattern(source: string): RegExp {
  const named = source.replace(/\{([A-Z_]+)\}/g, (part, name: string) => PARTS[name] ?? part)
  // `\b` is ASCII only, so it would fail before Ł. `Tyler::Worker` is code.
  const whole = named.replaceAll('{AT}', `(?<![${LETTERS}\\d_.:/#@$-])`)
  return new RegExp(latin(whole), 'dg')
}

const LETTERS = 'A-Za-zÀ-ɏͰ-ӿḀ-ỿ'
const CAPITALS = 'A-ZÀ-ÖØ-ÞĀ-ɏΑ-ΩЀ-ЯḀ-ỿ'

/** Replaces `\p{L}` by Latin, Greek and Cyrillic ranges: full Unicode compiles a hundred times slower. */
function latin(source: string): string {
  let inClass = false
  return source.replace(/\\p\{L\}|\\.|[[\]]|A-Z(?!a-z)/g, (part) => {
    if (part === '[' || part === ']') inClass = part === '['
    if (part === 'A-Z') return inClass ? CAPITALS : part
    return part === '\\p{L}' ? (inClass ? LETTERS : `[${LETTERS}]`) : part
  })
}

/** Undefined if `{S}` is not a person. */
export function person(match: Match, group = 's'): Named | undefined {
  const said = match.text(group)
  const at = match.at(group)
  if (said === 'I') return { kind: 'speaker', at }
  const relative = new RegExp(`^(?:[Mm]y )?(${ONLY_ONE_WORDS})$`, 'i').exec(said)
  if (relative?.[1] !== undefined && onlyOne(relative[1]) !== undefined) return { kind: 'relative', word: relative[1], at }
  const related = RELATED.exec(said)
  const from = related === null ? FROM_BEHIND.exec(said) : null
  const start = related?.[0].length ?? 0
  const name = said.slice(start, from?.index)
  // A relation or the verb proves a person ("Will works"). A bare name may be a town, a company or a sentence's first word.
  const isTold = related !== null || THEY_DO.test(match.sentence.slice(at[1]))
  if (!(isTold ? isToldName(name) : isPersonName(name))) return undefined
  if (related === null && !(isTold && !isPersonName(name)) && nameKind(name) === 'other') return undefined
  const qualifier = related !== null ? relationKind(related[1] ?? '') : from === null ? undefined : fromKind(from[0])
  return { kind: 'name', type: 'person', text: name, at: [at[0] + start, at[0] + start + name.length], qualifier }
}

const THEY_DO =
  /^ (?:works|lives|resides|prefers|uses|owns|drives|knows|used to|moved|has (?:worked|lived|been)|is (?:working|living|based))\b/

const RELATED = new RegExp(`^[Mm]y ${CLOSE}(${RELATIVE_WORDS}),? `)
const FROM_BEHIND = new RegExp(latin(`${FROM}$`))

export function fromKind(said: string): string {
  return `from ${said
    .trim()
    .replace(/^(?:from|at|on|of|in) (?:(?:the|our) )?/, '')
    .toLowerCase()}`
}

export function named(match: Match, type: string, group = 'o'): Named | undefined {
  const said = match.text(group)
  const text = trimmedName(said)
  const start = match.at(group)[0] + said.indexOf(text)
  return isProperName(text) ? { kind: 'name', type, text, at: [start, start + text.length] } : undefined
}

const EMPTY =
  /^(?:it|its|this|that|these|those|them|they|he|she|you|your|yours|him|her|his|their|our|us|me|how|when|what|why|where|who|which|to|being|seeing|having|getting|doing|going|making|knowing|hearing|the|something|anything|everything|nothing|someone|everyone|things?|stuff|all|some|any|one|ones|both|lots?|so|such|just|really|not|more|most|much|many|a lot|last|next|recently|lately|yesterday|today|there|here|and|or|but|as|at|in|on|of|for|with|from|by|about|idea|way|even|also|too|very|only|learning|trying|finding|taking|using|looking|keeping|giving|working|watching how|reading about|talking|sharing|exploring|visiting|checking|buying|starting|adding|creating|incorporating|attending|joining|improving|implementing|understanding)\b/i

const UNFINISHED = /\b(?:to|of|in|on|at|for|with|from|by|into|about|my|the|a|an|and|or)$/i
const POINTING = /\b(?:it|this|that|these|those|them|him|her|you|your|myself|ourselves|here|there|more about|such)\b/i

export function literal(match: Match, group = 'o'): { readonly kind: 'literal'; readonly text: string } | undefined {
  const text = match
    .text(group)
    .replace(/^(?:an? |my |some )/i, '')
    .replace(/["“”`]|^['‘]+|['’.,;]+$/g, '')
    .trim()
  return text.length < 3 ||
    text.length > 80 ||
    EMPTY.test(text) ||
    POINTING.test(text) ||
    UNFINISHED.test(text) ||
    /^[\d\s_.,-]+$/.test(text)
    ? undefined
    : { kind: 'literal', text }
}

/** "Not any more" states that it was true before. */
export const NO_MORE = /\b(?:any ?more|any longer)\b/i

type Half = Fact['object'] | undefined

export function fact(subject: Named | undefined, type: string, object: Half, more: Omit<Fact, 'subject' | 'type' | 'object'>): Fact[] {
  return subject === undefined || object === undefined ? [] : [{ subject, type, object, ...more }]
}

export function rule(name: string, source: string, read: Rule['read'], more: Pick<Rule, 'presupposed' | 'negated'> = {}): Rule {
  return { name, pattern: pattern(source), read, ...more }
}
