/** Detects English questions about the past: what was decided, said, tried, fixed or left. */

interface Cue {
  readonly name: string
  readonly pattern: RegExp
  readonly asking?: true
}

const US = '(?:we|i|us|our|my|me)'
const WHAT = '(?:what(?:ever)?|which|who|when|where|why|how)'
const MONTHS =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const DECIDED =
  '(?:decide[ds]?|agree[ds]?|settle[ds]?|conclude[ds]?|choose|chose|chosen|pick(?:ed)?|go with|went with|reject(?:ed)?|discuss(?:ed)?|talk(?:ed)? about|say|said|told|tell|want(?:ed)?|ask(?:ed)?|prefer(?:red)?|complain(?:ed)?|correct(?:ed)?|mention(?:ed)?|plan(?:ned)?|promise[ds]?)'
const DONE =
  '(?:fix(?:ed)?|solved?|handled?|deal(?:t)?|built|build|changed?|move[ds]?|removed?|dropp?(?:ed)?|renamed?|add(?:ed)?|cut|cancell?ed|revert(?:ed)?|implement(?:ed)?|do|did|done|end(?:ed)? up|find|found|try|tried|use[ds]?|call(?:ed)?|put|get|leave|left|come up with|came up with|commit(?:ted)?|ship(?:ped)?|release[ds]?|swap(?:ped)?|break|broke|hide|hid|keep|kept|write|wrote|set(?: up)?)'

const CUES: readonly Cue[] = [
  {
    name: 'decided before',
    pattern: new RegExp(`\\b(?:did|didn't|have|haven't|had|hadn't|'ve|do) ${US}(?:\\s+\\w+){0,3}? ${DECIDED}\\b`, 'i'),
    asking: true,
  },
  {
    name: 'decided before',
    pattern: new RegExp(`\\b${US} (?:\\w+ ){0,2}?(?:decided|agreed|settled|concluded|discussed|talked about)\\b`, 'i'),
  },
  {
    name: 'done before',
    pattern: new RegExp(`\\b${WHAT}\\b[^?!]{0,80}?\\b(?:did|didn't|had|couldn't|was|were) ${US}\\b(?! just)`, 'i'),
    asking: true,
  },
  {
    name: 'done before',
    pattern: new RegExp(`\\b(?:did|have|had|were|was) ${US} (?:ever|already|previously|once|originally)\\b`, 'i'),
    asking: true,
  },
  {
    name: 'done before',
    pattern: new RegExp(
      `^(?:.{0,60}[:;,-] )?${WHAT}(?:'s)?\\b[^?!]{0,100}?\\b${US} (?:\\w+ )?${DONE}\\b[^?!]*\\b(?:in the end|at first|back then|finally|before)\\b`,
      'i',
    ),
  },
  {
    name: 'done before',
    pattern: new RegExp(`\\b${US} (?:had |have |'ve |'d )?already \\w+(?:ed|t|n)\\b`, 'i'),
    asking: true,
  },
  {
    name: 'how it came',
    pattern: /^who (?:asked|wanted|decided|suggested|requested|proposed|reported|wrote|added|chose|broke|fixed)\b/i,
    asking: true,
  },
  {
    name: 'a conclusion',
    pattern:
      /\b(?:what was the (?:conclusion|outcome|decision|reason|reasoning|result|verdict|fix|plan|idea)|what(?:'s| is| was) (?:the|our) (?:rule|convention|policy|conclusion|agreement|decision)|in the end\?|overriding directive|according to (?:me|us)|all the times)\b/i,
  },
  {
    name: 'how it came',
    pattern:
      /\b(?:root cause|what (?:was|were) (?:it|the|that|those|my|mis)|what (?:had )?(?:caused|fixed|happened|broke|went wrong)|what all did|how come|cause and fix|how did .{3,80} (?:evolve|change|go|come|end up|become|get)|reason)\??/i,
    asking: true,
  },
  { name: 'how it came', pattern: /[,:-] ?(?:root cause|reason|how come|how|why|what was it|what caused it|cause and fix)\s*\??$/i },
  {
    name: 'how it came',
    pattern: /\bwhy (?:was|were|wasn't|weren't|couldn't|could|did|didn't|had)\b(?! (?:you|this|that|it|he|she|they)\b)/i,
    asking: true,
  },
  {
    name: 'how it came',
    pattern: new RegExp(
      `\\b${WHAT} (?:[\\w'-]+ ){0,4}?(?:did|was|were|had|didn't|wasn't|weren't)\\b(?! (?:you|it|this|that|he|she|they)\\b)`,
      'i',
    ),
    asking: true,
  },
  { name: 'a reason', pattern: /\bwhy\b[^?!]*\b(?:instead of|and not|rather than)\b/i },
  { name: 'how it came', pattern: /\bhow (?:could|can|would) [^?!]*\bhave \w+/i, asking: true },
  {
    name: 'an earlier time',
    pattern:
      /\b(?:last time|the other day|the last session|(?:a |an )?(?:earlier|previous|prior|older|other|last) (?:session|conversation|chat|discussion)s?|back then|previously|a while (?:ago|back)|some time ago|in the past|historically|used to)\b/i,
    asking: true,
  },
  {
    name: 'an earlier time',
    pattern:
      /\b(?:yesterday(?:'s)?|last (?:night|week|month|year|summer|winter|spring|autumn|fall|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:\d+|an?|two|three|four|five|six|few|couple of) (?:day|week|month|year)s? ago)\b/i,
    asking: true,
  },
  {
    name: 'an earlier time',
    pattern: new RegExp(
      `\\b(?:(?:in|on|around|mid|early|late|since|of|end of|first week of|from the|between the) (?:mid |early |late )?${MONTHS}\\b|${MONTHS} \\d{1,2}\\b|\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTHS}\\b)`,
      'i',
    ),
    asking: true,
  },
  {
    name: 'memory itself',
    pattern:
      /\b(?:do you remember|remember (?:when|how|why|that time|what)|remind me|what do (?:you|we) (?:know|remember|have) (?:about|of|on)|from memory|in (?:your|our) (?:memory|history|notes)|look (?:it |this )?up in|we left off|i left off|where (?:were|was|are) (?:we|i) (?:at|with|on|up)|where we (?:are|were)|what(?:'s| is| was) (?:still )?(?:open|left|pending) (?:from|on|in|of))\b/i,
  },
  {
    name: 'memory itself',
    pattern:
      /\b(?:anything|something|nothing) (?:on file|on record|in memory|noted|written down) (?:about|on|of)\b|\b(?:continue|resume|pick up|carry on|go on)\b.{0,60}\b(?:yesterday|last (?:week|time|session|night)|the other day)\b/i,
  },
  {
    name: 'done before',
    pattern: new RegExp(
      `\\b(?:did|have|had|was|were)(?:n['’]t)?(?: not)? (?:we|i|that|this|it) (?:\\w+ ){0,2}?${DONE}\\b[^?!]*\\b(?:before|already|earlier|once|in the past|at some point)\\b`,
      'i',
    ),
    asking: true,
  },
  {
    name: 'memory itself',
    pattern:
      /\b(?:have|had|did) (?:we|i) (?:\w+ )?(?:see|seen|have|had|hit|run into|try|tried|do|done|use|used|do this|talk|talked|discuss|discussed)\b.*\b(?:before|already|ever)\b/i,
    asking: true,
  },
]

/** Resumes work, so it concerns this project: "continue where we left off", "where were we?". */
export const CONTINUES =
  /\b(?:leave|left) (?:it |this |that |things )?off\b|\bwhere (?:were|are|was) (?:we|i)\b|\b(?:continue|resume|pick up|carry on|go on|keep going)\b(?=[^.?!]*\b(?:where|left|last|previous|earlier|yesterday|before|the other day)\b)/i

export const REQUEST =
  /^(?:(?:and|but|so|ok(?:ay)?|hm+|also|now|then|well|hey|hi|oh|ah|please|yes|yeah|no|great|good|nice|alright|wait),? )*(?:\w+, )?(?:can|could|would|will|should|shall|may|might) (?:you|we|i|it|this)\b/i

export function recallCue(sentence: { readonly text: string; readonly asks: boolean }): string | undefined {
  const isRequest = REQUEST.test(sentence.text)
  for (const { name, pattern, asking } of CUES) {
    if (asking && (!sentence.asks || isRequest)) continue
    const found = pattern.exec(sentence.text)
    if (found !== null) return `${name}: “${found[0].trim()}”`
  }
  return undefined
}
