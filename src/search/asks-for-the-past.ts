/**
 * Whether a question asks about the past: then a replaced decision is an answer too. "What did we decide" asks about the present. English
 * only; search, reader and forks use it.
 */

const CHANGE =
  '(?:change|switch|move|replace|migrate|drop|abandon|ditch|revert|rename|swap|convert|remove|reverse|overturn|give up|go back|get rid|stop)'
const CHANGED =
  '(?:changed|switched|moved|replaced|migrated|dropped|abandoned|ditched|reverted|renamed|swapped|converted|removed|reversed|overturned|superseded|left behind|given up|gave up|gone back|went back|got rid|gotten rid|stopped)'
/** "The switch" and "a changed file" are names, not changes. */
const NO_ARTICLE = '(?<!\\b(?:the|a|an|any|each|every|this|these|all|of|for) )'
const DECIDED =
  '(?:decisions?|choices?|plans?|approach(?:es)?|defaults?|designs?|ideas?|setup|polic(?:y|ies)|rules?|conventions?|values?|settings?|behaviou?rs?|names?|thinking|position|solution|way)'

const CHANGING =
  '(?:changing|switching|moving|replacing|migrating|dropping|abandoning|ditching|reverting|renaming|swapping|converting|removing|giving up|going back|getting rid|stopping)'
const THEY = '(?:we|i|he|she|they|you|us|team|somebody|someone|it)'
const THE_CHANGE = '(?:the|our) (?:switch|change|move|migration|rewrite|transition|rename|refactor|redesign)'

const CUES: readonly RegExp[] = [
  /\b(?:why'd|how come)\b|\bwhy the (?:switch|move|change|migration)\b/i,
  /\bwhy\b[^?!.]{0,40}?\b(?:did|didn't|was|were|wasn't|weren't|had|hadn't|have|has)\b/i,
  /\bwhy\b[^?!]*\b(?:instead of|rather than|and not|no longer|not\b.*\bany ?more)\b/i,
  new RegExp(`\\breasons?\\b[^?!]*\\b(?:${CHANGED}|${CHANGING})\\b`, 'i'),
  /\b(?:what|which)\b[^?!]*\b(?:made|caused|led|prompted) (?:us|me|him|her|them|you|the team) (?:to )?\w+/i,
  /\bwhen (?:was|were|did)\b|\bsince when\b|\bwhat(?:ever)? (?:has |had )?(?:happened|became|become) (?:to|of|with)\b/i,
  /\balternatives? (?:to|did|had|have|we|were)\b/i,
  /\b(?:did|have|had|haven't|didn't) (?:we|i)\b(?: \w+){0,2}? (?:try|tried|consider(?:ed)?|reject(?:ed)?|ruled? out)\b/i,
  new RegExp(`\\b(?:did|didn't)\\b(?: [^\\s?!.]+){1,6}? ${NO_ARTICLE}${CHANGE}\\b`, 'i'),
  new RegExp(`\\b(?:decided|chose|wanted|agreed|had) to ${CHANGE}\\b`, 'i'),
  new RegExp(`\\b(?:has|have|had|haven't|hasn't|was|were|'ve|'s)\\b(?: [^\\s?!.]+){0,8}? ${NO_ARTICLE}${CHANGED}\\b`, 'i'),
  new RegExp(`\\b(?:what|who|when|how|since|after|until|before|why|${THEY}) (?:ever |then |once |later )?(?:${THEY} )?${CHANGED}\\b`, 'i'),
  new RegExp(`\\bhow (?:the|our|this|that)\\b[^?!.]{1,60}? ${NO_ARTICLE}${CHANGED}\\b`, 'i'),
  /\bhow (?:did|has|have)\b[^?!.]*\b(?:evolved?|come to be|develop(?:ed)?|end(?:ed)? up|(?:get|got|go|gone|come) from)\b/i,
  new RegExp(`\\b${THE_CHANGE.replace('the|our', 'the|our|that')} (?:away )?(?:from|to)\\b`, 'i'),
  /\b(?:history|evolution|timeline|chronology) of\b|\bover time\b|\b(?:decision|change) history\b/i,
  // Words for the past. Before a participle or a noun, some only describe it.
  /\b(?:originally|at first|to begin with|in the beginning|back then|back when|in the past|at the time|formerly|historically|in those days)\b/i,
  /\b(?:previously|initially)\b(?! (?!we\b|i\b|used\b|had\b|chose|decided|agreed|set\b|planned)\w+(?:ed|en|n|t) \w)/i,
  /\b(?:we|i|it|they|that|there|you|he|she|what) used to\b|\bdid\b[^?!.]{1,60}\buse to\b/i,
  /\b(?:was|were|has|have)\b(?: \w+){1,3} always\b|\b(?:did|have|had) (?:we|i|it) (?:ever|once)\b|\bwas there (?:ever|once|a time)\b|\bearly days\b/i,
  /\b(?:did|was|were)\b[^?!]*\b(?:start(?:ed)? (?:with|out|from)|until|in v?1(?:\.0)?\b|last year|(?:the|our) old)\b/i,
  new RegExp(`\\b(?:original|initial|previous|prior|former|earlier|old|older|first|past) (?:\\w+ )?${DECIDED}\\b`, 'i'),
  /\b(?:did|was|were|had)\b[^?!]*\b(?:original|initial|previous|earlier|old|older|first) (?:version|iteration|draft|implementation|days|one)s?\b/i,
  /\b(?:no longer|not any ?more|any ?more)\b[^?!.]*\?/i,
  // "What did we use earlier", "what was there before SQLite"; not "what must run before the deploy".
  new RegExp(
    `\\b(?:[Dd]id|[Ww]as|[Ww]ere|[Hh]ad|used)\\b(?![^?!]*\\b(?:decided?|agreed?|settled?)\\b)[^?!]*\\b(?:earlier|until then|beforehand|before(?= (?:that|this|then|it|\\p{Lu})| we (?:had|went|chose|got)\\b| ${THE_CHANGE}\\b|\\s*(?:[?!.,;]|$)))`,
    'u',
  ),
  /\b(?:did|was|were|had)\b[^?!]*\b(?:us(?:e|ed|ing)|have|had|on|called|named|there|in place|live[ds]?|stored?|kept|keep)\b[^?!]*\b(?:before|prior to)\b/i,
  /\bcame before\b/i,
  /\bbefore \p{Lu}\S*[^?!]*\b(?:was|were|did|had)\b/u,
]

export function asksForThePast(queries: readonly string[]): boolean {
  return queries.some((query) => CUES.some((cue) => cue.test(query.replaceAll('’', "'"))))
}
