/** English patterns, tuned for precision. Each reads one sentence with quotations and code blanked. */
import { DECISION_RULES } from './decision-rules.ts'
import type { SaidText } from './extractor.ts'
import { OPENING, type Rule, rule, WILL } from './rule.ts'

/** A cheap check. Stricter for agents, who write most and state little. */
export const triggerOf = (by: SaidText['by']): RegExp => (by === 'agent' ? AGENT_TRIGGER : TRIGGER)

const AGENT_TRIGGER =
  /revert|back to |decided |agreed |opted |settled on|ruled out|chose |went with|decision:|i (?:was|am|stand) |mistake[:,]|\bi mis|mixed up|correction:|you['’]re (?:\w+ )?right/i
const TRIGGER =
  /\bwant|need|(?:['’]d|would) like|on purpose|intentional|deliberate|too? much|overkill|redundant|unnecessary|worth |\bidea is|instead|revert|undo|\bback |rather than|should|\bit is\b|later\b|final answer|don['’]t |\bdo not |decided|decision|agreed|settled on|opted|chose |ruled out|went with|go(?:ing)? (?:with|for) |let['’]s |stick(?:ing)? (?:with|to)|['’]ll |\bwill |going to |plan is|to-?do\b|action (?:item|point)|remind me|reminder|forget to|remember to|follow(?:ing)? up|deadline|\bdue |\bby |prefer|rather |favou?rite|\bi (?:really )?like |don['’]t like|do not like|\bhate |dislike|can['’]t stand|\blove |\balways\b|\bnever |from now on|in (?:the )?future|as a (?:general )?rule|actually|wrong|incorrect|mistak|misread|misunderstood|mixed up|\bnot (?:right|correct|true|accurate)|\bmeant |correction|^no\b|, not |\bpromise|see you |count me in|works for me|need(?:s)? to |have to |has to |must |the (?:right|best|better|correct) |\b(?:keep|store|save|document) (?:our|all|every|any)\b|live with |changed my mind|^(?:\w+[,.!]? )?not (?:as|in|on|with|by|to|from|for|inside|under|per) |\.md\b/i

const WEEKDAY = '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|wed|thurs?|fri|sat|sun)s?'
const MONTHS =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const CLOCK = '(?:\\d{1,2}(?::\\d\\d)? ?[ap]\\.?m\\b|\\d{1,2}:\\d\\d|noon|midnight)'
const WHEN = `(?:${WEEKDAY}|tomorrow|tonight|today|${CLOCK}|eod|eow|cob|(?:the )?end of (?:the |this |next )?(?:day|week|month|quarter|year|${MONTHS})|(?:next|this) (?:week|month|quarter|year|weekend|morning|afternoon|evening|${WEEKDAY})|(?:the )?\\d{1,2}(?:st|nd|rd|th)|\\d{4}-\\d\\d-\\d\\d|\\d{1,2}[/.]\\d{1,2}(?:[/.]\\d{2,4})?|${MONTHS}\\.? \\d{1,2}|\\d{1,2} ${MONTHS})\\b`
const ON_WHEN = `(?:(?:on|at|by|until|before|for) )?(?:the )?${WHEN}`
const TASK =
  '(?:send|forward|e-?mail|mail|text|call|phone|schedule|book|pay|sign|submit|draft|write|prepare|review|check (?:with|on|in)|look into|reach out|get back|ping|order|talk to|speak (?:to|with)|ask|invite|finish|update|share|upload|print|bring|buy|pick up|return|follow up|set up|take care of|confirm|fix|circulate|drop off|have (?:it|this|that|the \\w+) (?:done|ready|finished))'
const REMINDED =
  '(?:water|feed|charge|lock|rotate|renew|cancel|back up|turn (?:on|off)|switch (?:on|off)|take (?:out|the)|(?!prepare (?:emotionally|mentally|yourself))'
const MEET =
  '(?:meet(?: up)?|talk|speak|chat|sync(?: up)?|catch up|get together|have (?:a )?(?:call|lunch|dinner|breakfast|coffee|drinks|meeting)|do (?:lunch|dinner|breakfast|brunch|coffee|drinks)|grab (?:a )?(?:lunch|dinner|coffee|drinks?|bite|beer)|hop on a call|go (?:to|see|out))'

const AGAIN =
  "(?:(?:(?:please )?remember(?: that)?|again|once (?:more|again)|(?:as|like) i (?:said|told you)|i(?:'ve| have)?(?: already| just)? (?:told you|said)(?: (?:before|already|many times))?(?: that)?)[,:.!]* )*"

const DONE =
  '(?:use|do|run|add|write|commit|push|put|make|ask|call|create|include|send|keep|leave|change|delete|skip|mention|touch|amend|force|assume|import|mock|book|schedule|forward|reply|cc|deploy|merge|release|publish|ship|rebase|squash|install|upgrade|bump|update|check|test|verify|explain|tell|show|start|end|format|lint|return|throw|catch|log|print|validate|handle|avoid|store|save|hard-?code|rename|move|edit|modify|remove|overwrite|disable|enable|reuse|answer|respond|build|compile|restart|stop|kill|drop|trust|guess|invent|copy|wrap|document|comment|name|prefix|pin|stage|review|rely|refactor|break)'

export const RULES: readonly Rule[] = [
  ...DECISION_RULES,

  rule(
    'preference_stated',
    'prefer',
    0.95,
    `\\bi(?:'d| would)?(?: really| much| generally| usually| strongly| definitely| personally| also| still| always)* prefer\\b`,
  ),
  rule('preference_stated', 'prefer so', 0.8, `${OPENING}(?:please |always )?prefer [\\w-]+ `, { to: 'agent' }),
  rule(
    'preference_stated',
    'like',
    0.7,
    `^i (?:really )?like (?!(?:to|it|this|that|these|those|them|the|your|you|how|what|where|when|our|both|option|approach|idea)\\b)[\\w-]+`,
    { to: 'agent' },
  ),
  rule('preference_stated', 'ever want', 0.85, `${OPENING}i (?:always|never) want \\w`, { to: 'agent' }),
  rule('preference_stated', 'we never use', 0.75, `${OPENING}we (?:don't|do not|never) use [\\w-]+ `, { to: 'agent' }),
  rule(
    'preference_stated',
    'not ours',
    0.8,
    `${OPENING}(?:don't|do not) (?:add|write|leave|put|use) (?:any )?(?:comments?|emojis?|docstrings?|semicolons?|tests?)\\b(?! (?:yet|now|here|again|any ?more)\\b)`,
    { to: 'agent' },
  ),
  rule('preference_stated', 'rather', 0.85, `\\bi(?:'d| would)(?: really| much| personally)* rather (?!be able)`),
  rule(
    'preference_stated',
    'dislike',
    0.85,
    `\\bi(?: really| just| also)* (?:don't (?:really |quite )?like|do not like|dislike|hate|can't stand) (?!to (?:say|admit|bother|ask|be)|it when you|not |(?:commit )?[0-9a-f]{7,40}\\b|#\\d)`,
  ),
  rule('preference_stated', 'favourite', 0.9, `\\bmy (?:favou?rite|preferred|preference) (?:[\\w-]+ ){0,4}?(?:is|are|would be)\\b`),
  rule(
    'preference_stated',
    'love',
    0.7,
    `${OPENING}i(?: really| just| also| absolutely)* love (?!(?:you|this|that|these|those|it|the|to|how|when|what|your|him|her|them|my|all|being|seeing|getting|our|having)\\b)[^,;]{3,60}[.!]?$`,
    { to: 'people' },
  ),
  rule(
    'preference_stated',
    'standing',
    0.8,
    `${OPENING}${AGAIN}(?:(?:when(?:ever)? you|stop \\w+ing) [^,]{3,60}, |(?:in|for|on) (?:this|the|our|my) [\\w-]+,? )?(?:(?:you (?:should|must)|make sure (?:to|(?:that )?you)|be sure to|i want you to|i'd like you to|we) )?(?:always|never) ${DONE}\\b`,
  ),
  rule(
    'preference_stated',
    'not ever',
    0.8,
    `${OPENING}(?:(?:you (?:should|must) not|don't|do not) (?:you )?ever ${DONE}\\b|${DONE}\\b [^,;?]{3,80}, (?:always|every time|each time)[.!]?$|(?:don't|do not) ${DONE}\\b [^;?]{3,80},? ever(?: again)?[.!]?$)`,
  ),
  rule(
    'preference_stated',
    'from now on',
    0.85,
    `\\bfrom now on\\b(?=.*\\w)|${OPENING}(?:(?:don't|do not|always|never) )?${DONE}\\b [^;?]{2,100},? from now on[.!]?$|${OPENING}(?:in (?:the )?future|going forward|as a (?:general )?rule)[, ]+(?:please |always |never |i |don't |do not |let's |we (?:should|want)|${DONE} )`,
  ),

  rule(
    'correction',
    'actually',
    0.85,
    `${OPENING}actually,? (?:it|that|this|they|he|she|the [\\w-]+|those|these|there|i|we|you|my [\\w-]+)(?:'s| is| was|'re| are| were|'m| am|n't| do| did| don't| didn't| isn't| wasn't| meant| mean)(?! (?:fine|ok|okay|good|great|nice|cool|the|a) ?(?:one|idea)?[.!]?$)`,
  ),
  rule(
    'correction',
    'is wrong',
    0.85,
    `(?<!\\b(?:something|anything|nothing|what|everything)) *\\b(?:that|this|it|which|(?!something|anything|nothing|what|everything|you)[\\w-]+)(?:'s| is| are| was| were) (?:just |still |completely |actually |also )*(?:wrong|incorrect|mistaken|not (?:right|correct|true|accurate|quite right|what (?:i|we) (?:meant|asked|wanted|said)))\\b(?! that)`,
  ),
  rule(
    'correction',
    'not but',
    0.85,
    `${OPENING}(?:it|that|this|he|she|they)(?:'s| is|'re| are| was| were) (?:not|n't) (?!(?:always|just|only|all|about|like|even)\\b)[^,;]{2,60}[,;] (?:but|it's|it is|it was|they're|that's|he's|she's) `,
  ),
  rule(
    'correction',
    'this not that',
    0.8,
    `${OPENING}(?:no[,.]? )?(?:it|that|this|the [\\w-]+(?: [\\w-]+)?)(?:'s| is| was|'re| are| should be) [^,;]{2,60}, not (?!sure|bad|really|yet|only|just|now|that )\\w`,
  ),
  rule('correction', 'i meant', 0.9, `${OPENING}i (?:actually )?meant (?!to (?!say)|well)`),
  rule(
    'correction',
    'i was wrong',
    0.95,
    `\\bi (?:was|am|stand) (?:just |so |completely |actually )*(?:wrong|mistaken|incorrect|corrected)\\b|\\b(?:my|that was my|was a) mistake\\b[:,]|\\bi (?:misread|misspoke|misremembered|misdiagnosed|mistakenly|mixed up|misunderstood)\\b`,
    { by: 'anyone' },
  ),
  rule('correction', 'label', 0.95, `^correction: \\S+ \\S+`, { by: 'anyone' }),
  rule(
    'correction',
    'no',
    0.75,
    `^(?:no|nope)[,.]? (?:wait[,.]? )?(?:it|that|this|the [\\w-]+|we|they|he|she|there|those|you)(?:'s| is| are| was| were| isn't| aren't| wasn't| (?:removed|added|changed|moved|have|has|had|do|does|did|don't|doesn't|didn't|already|only|want|should|never)) |^(?:no|nope)[,.]? (?:don't|do not|use|keep|revert|leave|put|i (?:want|said|mean|meant|was|did|don't)) `,
  ),

  rule(
    'correction',
    'you are right',
    0.75,
    `^(?:you're|you are) (?:absolutely |completely |totally )?right(?: - | – | — |: )(?!let me|i'll|i will|i should|to |.*\\b(?:could|would|feels|might)\\b|.*:$)\\S+ \\S+ \\S+`,
    { by: 'agent' },
  ),

  rule(
    'commitment',
    'meet',
    0.9,
    `\\b(?:let's|we${WILL}|we(?:'re| are)|i${WILL}|shall we) (?:plan to |all |both )*${MEET}\\b.*\\b${ON_WHEN}`,
    { to: 'people' },
  ),
  rule(
    'commitment',
    'meet with others',
    0.8,
    `\\b(?:let's|we${WILL}|we(?:'re| are)|i${WILL}) (?:plan to |all |both )*(?:meet(?: up)?|get together|have (?:a )?(?:call|lunch|dinner|breakfast|coffee|meeting))\\b.*\\b${ON_WHEN}`,
    { to: 'agent' },
  ),
  rule('commitment', 'see you', 0.9, `\\bsee you(?: (?:all|both|guys|there|then))? ${ON_WHEN}`, { to: 'people' }),
  rule(
    'commitment',
    'be there',
    0.85,
    `\\b(?:i|we)(?:'ll| will) (?:definitely )?(?:be there|be at|be in|join|attend|come|pick (?:you|him|her|them|it) up|meet (?:you|him|her|them))\\b.*\\b${ON_WHEN}|\\b(?:i|we)(?:'ll| will) (?:definitely )?be there\\b`,
    { to: 'people' },
  ),
  rule('commitment', 'promise', 0.9, `\\bi promise (?:to|that|you|i)\\b|\\byou have my word\\b|\\bcount me in\\b`, { to: 'people' }),
  rule('commitment', 'works for me', 0.85, `\\b${ON_WHEN}.{0,24}\\bworks (?:for (?:me|us)|great|well|fine)\\b`, { to: 'people' }),
  rule(
    'commitment',
    'deliver',
    0.85,
    `\\b(?:we)${WILL} (?:deliver|launch|release|ship|have (?:it|this|that|the \\w+) (?:done|ready|finished|out))\\b.*\\b(?:by|on|before) (?:the )?${WHEN}`,
    { to: 'people' },
  ),

  rule('action_item', 'todo', 0.9, `^(?:to-?dos?|action (?:item|point)s?|follow-?ups?): \\S+ \\S+`),
  rule(
    'action_item',
    'remind',
    0.9,
    `${OPENING}(?:please |pls )?remind me (?:to|about|that|on|in|tomorrow|next)\\b|\\b(?:don't|do not|must not|mustn't) forget to ${REMINDED}${TASK})\\b|${OPENING}remember to ${REMINDED}${TASK})\\b|${OPENING}(?:please |pls )?(?:set|add) a reminder (?:to|for|about)\\b|${OPENING}(?:please |pls )?follow up (?:with|on) \\w+`,
  ),
  rule(
    'action_item',
    'i will',
    0.8,
    `${OPENING}(?:(?:then|and|so|after that),? )*(?:i|we)${WILL}(?: also| just| then| try to| quickly| personally)* ${TASK}\\b`,
    { to: 'people' },
  ),
  rule(
    'action_item',
    'by when',
    0.85,
    `\\b(?:i|we|you|he|she|they|[A-Z][a-z]+)(?:'ll| will|${WILL}| need(?:s)? to| must| has to| have to|'ve got to) (?!be |meet |see )[^.?!]*\\bby (?:the )?${WHEN}`,
    { to: 'people' },
  ),
  rule(
    'action_item',
    'own by when',
    0.8,
    `\\b(?:i|we)(?:${WILL}| need to| must| have to|'ve got to) (?!be |meet |see )[^.?!]*\\bby (?:the )?${WHEN}`,
    { to: 'agent' },
  ),
  rule(
    'action_item',
    'please by',
    0.85,
    `${OPENING}(?:please|kindly|make sure to) (?!see |find |note |let me know )[^.?!]*\\b(?:by|before) (?:the )?${WHEN}`,
    { to: 'people' },
  ),
  rule(
    'action_item',
    'due',
    0.8,
    `(?<!\\b(?:nothing|none|no \\w+) )\\b(?:is|are|was moved to|deadline(?: is)?|due date(?: is)?|due)(?: on| by| at|:)? ?due (?:on |by )?(?:the )?${WHEN}|\\bdeadline (?:is|for [^,.]{2,60} is) (?:on )?(?:the )?${WHEN}|^deadline: ${WHEN}`,
    { to: 'people' },
  ),
  rule(
    'action_item',
    'need to send',
    0.75,
    `${OPENING}(?:i|we)(?: still| also)*(?: need to| have to| must|'ve got to| should) (?:still |also )*${TASK}\\b`,
    { to: 'people' },
  ),
  rule(
    'action_item',
    'later',
    0.75,
    `\\b(?:i|we)(?:'ll| will| need to| have to| must| should)(?: still| also| then)* (?!be\\b|see\\b)\\w+ [^.?!]*\\b(?:(?:later|afterwards|another time)[.!]?$|in a (?:follow-?up|separate|later|future) (?:pr|commit|change|issue|session)\\b|tomorrow\\b|later today\\b|next (?:week|month|sprint)\\b)`,
    { to: 'agent' },
  ),
]
