/**
 * What a decision, a task, a promise, a preference and a correction sound like in English. Tuned for precision: what is not plainly said is not
 * found. A rule looks at one sentence in which quotations and code are blanked. Pure.
 */
import type { StatementType } from '../../core/statement-type.ts'
import type { SaidText } from './extractor.ts'

export interface Rule {
  readonly name: string
  readonly type: StatementType
  readonly pattern: RegExp
  readonly confidence: number
  /** Who says it: without it, a person. */
  readonly by?: SaidText['by'] | 'anyone'
  /** To whom: without it, anybody. */
  readonly to?: SaidText['to']
}

/** Only sentences with one of these are looked at closely: of agents, who write most and state little, few. */
export const triggerOf = (by: SaidText['by']): RegExp => (by === 'agent' ? AGENT_TRIGGER : TRIGGER)

const AGENT_TRIGGER =
  /revert|back to |decided |agreed |opted |settled on|ruled out|chose |went with|decision:|i (?:was|am|stand) |mistake[:,]|\bi mis|mixed up|correction:|you['’]re (?:\w+ )?right/i
const TRIGGER =
  /\bwant|need|\bidea is|instead|revert|undo|\bback |rather than|should|\bit is\b|later\b|final answer|don['’]t |\bdo not |decided|decision|agreed|settled on|opted|chose |ruled out|went with|go(?:ing)? (?:with|for) |let['’]s |stick(?:ing)? (?:with|to)|['’]ll |\bwill |going to |plan is|to-?do\b|action (?:item|point)|remind me|reminder|forget to|remember to|follow(?:ing)? up|deadline|\bdue |\bby |prefer|rather |favou?rite|don['’]t like|do not like|\bhate |dislike|can['’]t stand|\blove |\balways |\bnever |from now on|in (?:the )?future|actually|wrong|incorrect|mistak|misread|misunderstood|mixed up|\bnot (?:right|correct|true|accurate)|\bmeant |correction|^no\b|, not |\bpromise|see you |count me in|works for me|need(?:s)? to |have to |has to |must |the (?:right|best|better|correct) /i

const WEEKDAY = '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|wed|thurs?|fri|sat|sun)s?'
const MONTHS =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const CLOCK = '(?:\\d{1,2}(?::\\d\\d)? ?[ap]\\.?m\\b|\\d{1,2}:\\d\\d|noon|midnight)'
const WHEN = `(?:${WEEKDAY}|tomorrow|tonight|today|${CLOCK}|eod|eow|cob|(?:the )?end of (?:the |this |next )?(?:day|week|month|quarter|year|${MONTHS})|(?:next|this) (?:week|month|quarter|year|weekend|morning|afternoon|evening|${WEEKDAY})|(?:the )?\\d{1,2}(?:st|nd|rd|th)|\\d{4}-\\d\\d-\\d\\d|\\d{1,2}[/.]\\d{1,2}(?:[/.]\\d{2,4})?|${MONTHS}\\.? \\d{1,2}|\\d{1,2} ${MONTHS})\\b`
const ON_WHEN = `(?:(?:on|at|by|until|before|for) )?(?:the )?${WHEN}`
const OPENING = `^(?:(?:and|but|so|also|then|ok(?:ay)?|yes|yeah|yep|sure|right|great|good|fine|perfect|alright|cool|no|nope|hmm+|ah|oh|whoops|oops|well|sorry|wait|hey|hi|please|thanks|btw|fyi)[,.!: ]+)*`
/** "We block this on the default branch, let's remove that": what comes first says why. */
const CLAUSE = '[^?]{8,}, (?:so |then )?'
const WHO =
  '(?:we|i|they|he|she|everyone|everybody|the (?:team|group|board|client|customer|committee|company)|[A-Z][a-z]+ and (?:i|I|[A-Z][a-z]+))'
const HAVE =
  "(?:'ve|'d| have| had| has)?(?: now| just| all| also| both| finally| already| together| then| jointly| unanimously| ultimately)*"
const WILL = "(?:'ll| will|'m going to| am going to|'re going to| are going to)"
const SETTLE =
  '(?:use|go with|adopt|stick (?:with|to)|switch (?:back )?(?:to|over|from)|move (?:back )?to|keep (?!(?:\\w+ing|in (?:mind|touch)|each other|it up|at it|up)\\b)|drop|standardi[sz]e on|settle on|skip|stay with|avoid|get rid of|abandon|cancel|defer|postpone|hold off|leave (?!for|at)|ignore|make (?!it happen)(?:both|them|it|that|the [\\w-]+|this) (?:an? (?!habit|difference)|the|(?!an?\\b)\\w+)|not (?!forget|worry|kid))'
/** What a person who builds something settles by saying it to an agent. */
const CHANGE =
  '(?:add|put|set (?!up\\b)|remove|rename|revert|move|change|replace|merge|split|store|disable|enable|extend|require|return|show|print|allow|rely on|call (?:it|them)|limit|restrict|default|inline|extract|log|include)'
/** A step of the work, which settles nothing about what is built. */
const CHORE = '(?!.*\\b(?:tests?|coverage|commit|push|pr|branch|comments?|review|todo|task|linear|issue|back)\\b)'
const TASK =
  '(?:send|forward|e-?mail|mail|text|call|phone|schedule|book|pay|sign|submit|draft|write|prepare|review|check (?:with|on|in)|look into|reach out|get back|ping|order|talk to|speak (?:to|with)|ask|invite|finish|update|share|upload|print|bring|buy|pick up|return|follow up|set up|take care of|confirm|fix|circulate|drop off|have (?:it|this|that|the \\w+) (?:done|ready|finished))'
/** What people remind each other of: advice is no task. */
const REMINDED =
  '(?:water|feed|charge|lock|rotate|renew|cancel|back up|turn (?:on|off)|switch (?:on|off)|take (?:out|the)|(?!prepare (?:emotionally|mentally|yourself))'
const MEET =
  '(?:meet(?: up)?|talk|speak|chat|sync(?: up)?|catch up|get together|have (?:a )?(?:call|lunch|dinner|breakfast|coffee|drinks|meeting)|do (?:lunch|dinner|breakfast|brunch|coffee|drinks)|grab (?:a )?(?:lunch|dinner|coffee|drinks?|bite|beer)|hop on a call|go (?:to|see|out))'

/** What the person who builds something says it must be. */
const WANT = "(?:i|we)(?:'d| would| do| really| also| still| actually| just| only| do just)*(?: want| like)"
const SO =
  '(?:to (?:be (?!able|sure|clear|careful)|invert|flip|change|rename|move|keep|drop|remove|replace|switch|use|have|call|show|hide|avoid|store|disable|enable|see .{2,80}\\bbut (?:no|not)\\b)|(?!you\\b|to\\b|a (?:summary|list|review|plan|report)\\b|the (?:formula|name)).{2,60}?\\bto (?:be|behave|have|show|use|return|print|work|stay|go|happen|default|live|look|say)\\b|the .{2,60}?\\bto be\\b)'

/** "That should be fine", "it should work": a guess, not a wish. */
const GUESSED =
  '(?!\\b(?:work|help|fix|pass|fail|already|be (?:able|fine|ok(?:ay)?|good|great|enough|there|here|done|ready|easy|possible|safe|sure|careful|working|green|passing|fixed|resolved|merged|updated|installed|running|the same|clear|correct)|have (?:been|worked|a look))\\b)'
/** "This should be fixed": work that is left, not how it is to be. */
const NOT_YET =
  '(?!(?:fixed|resolved|merged|updated|installed|reviewed|rebased|pushed|committed|tested|checked|verified|addressed|expected|called|used to|supposed|done|run|seen|interested|good|needed|required|related|confused|concerned|implemented|completed|finished|cleaned|investigated|improved|able|possible|reasonable|acceptable|capable|one of|a (?:good|problem|bit|lot|quick|simple|test|separate)|an (?:issue|error)|on (?:it|the|this|main|my|your)|open|different|broken|listed|hidden)\\b)'
/** What somebody does next, which settles nothing. */
const NEXT =
  '(?!\\b(?:check|look|see|try|run|fix|test|investigate|debug|review|verify|figure|find|think|discuss|talk|start|begin|continue|proceed|wait|ask|read|go|do (?:it|that|this)|get|take|clean|finish|focus|understand|consider|update|rebase|explore|also check|be able|be careful|be good|be fine)\\b)'

const rule = (type: StatementType, name: string, confidence: number, source: string, more: Pick<Rule, 'by' | 'to'> = {}): Rule => ({
  ...{ type, name, confidence, pattern: new RegExp(source, 'i') },
  ...more,
})

export const RULES: readonly Rule[] = [
  rule('decision', 'decided', 0.95, `\\b${WHO}${HAVE} (?:decided|opted|agreed) (?:to|on|that|against|not|for|in favou?r)\\b`, {
    by: 'anyone',
  }),
  rule(
    'decision',
    'settled',
    0.9,
    `\\b(?:we|i)${HAVE} (?:settled on|ruled out|chose|went with|opted for)\\b (?!(?:up|this|that|it|them|those|these|one|my|me|him|her|us|our|his|friends)\\b)`,
    { by: 'anyone' },
  ),
  rule(
    'decision',
    'was decided',
    0.9,
    `\\b(?:it|this|that) (?:was|has been|is) (?:now |finally |already )*(?:decided|agreed|settled) (?:that|to|on|against|not)\\b`,
    {
      by: 'anyone',
    },
  ),
  rule('decision', 'label', 0.9, `^\\W{0,3}(?:(?:final|team|design) )?decision(?: made)?: ?\\W{0,3}\\w+ \\S+ \\S+`, { by: 'anyone' }),
  rule(
    'decision',
    'lets',
    0.85,
    `(?:${OPENING}(?:(?:so|then|now|for now|instead|i think|i say|in that case|actually),? )*|${CLAUSE})let's (?:just |instead |also |please |rather |simply |definitely |for now )*${SETTLE}`,
  ),
  rule(
    'decision',
    'lets change',
    0.7,
    `(?:${OPENING}(?:(?:so|then|now|instead|i think|actually),? )*|${CLAUSE})let's (?:just |instead |also |please |rather |simply |completely |entirely )*${CHANGE}\\b${CHORE}`,
    { to: 'agent' },
  ),
  rule(
    'decision',
    'we will',
    0.8,
    `${OPENING}(?:(?:so|then|for now|instead|i think),? )*we${WILL} (?:definitely |now |just |instead |therefore |also |only )*${SETTLE}`,
  ),
  rule(
    'decision',
    'go with',
    0.85,
    `${OPENING}(?:then |i'm |we're |i'd |i would |i'll |i will |we )*(?:go|going) with (?!(?:my|me|him|her|us|our|his|you|friends)\\b)`,
  ),
  rule(
    'decision',
    'lets go',
    0.75,
    `(?:^|\\b)let's go (?!(?:ahead|through|back|over|on|and|to|for|with|do|step|check|see|now|then|deeper|one|home|out|down|up|in|into|look|further|find|get|there|again|first|by|try|fix|a|the|this|that|it|team|guys|please|make|create|write)\\b)[\\w./-]{2,}(?: [\\w./-]+)?[.!]?$`,
    { to: 'agent' },
  ),
  rule('decision', 'plan', 0.8, `\\b(?:the|our) (?:final )?(?:plan|decision|agreement|conclusion) (?:is|was) (?:to|that|now to)\\b`, {
    to: 'people',
  }),
  rule(
    'decision',
    'reverted',
    0.85,
    `^(?:done[.!:,]* |ok(?:ay)?[.!:,]* |perfect[.!:,]* )*(?:i(?:'ve| have)? |we(?:'ve| have)? |now )*(?:the |these |those |all )?(?:[\\w.*/-]+ ){0,4}?(?:(?:is|are|was|were|has been|have been) )?(?:now |actually |also |fully |both )*\\W{0,2}(?:reverted|rolled back|switched back)\\b(?! commit)`,
    { by: 'agent' },
  ),
  rule('decision', 'want it so', 0.8, `${OPENING}(?:(?:so|then|now|instead|i think|in that case),? )*${WANT} ${SO}`, { to: 'agent' }),
  rule(
    'decision',
    'do not want',
    0.75,
    `\\b(?:i|we) (?:really )?(?:don't|do not) want (?!you to|to (?:say|bother|sound|lose|miss|wait|be (?:rude|mean)))\\S`,
    {
      to: 'agent',
    },
  ),
  rule('decision', 'always want', 0.8, `\\bwe (?:always|only|never) (?:want|need)\\b`, { to: 'agent' }),
  rule(
    'decision',
    'no need',
    0.75,
    `(?:\\b(?:we (?:really |actually )?(?:don't|do not|won't|no longer)|i (?:don't|do not) think (?:we|it|that|this)(?: really| actually)?) needs? (?!to (?:worry|wait|panic|commit|push|include|run|review|check))|${OPENING}no need (?:to|for) )\\w`,
    {
      to: 'agent',
    },
  ),
  rule('decision', 'make sure', 0.7, `\\bwe need to (?:make sure|ensure) (?:that )?\\w`, { to: 'agent' }),
  rule('decision', 'idea is', 0.75, `\\b(?:the|my|our) (?:idea|intention|goal|intent|point) (?:is|was) (?:that|to)\\b`, { to: 'agent' }),
  rule(
    'decision',
    'we should',
    0.7,
    `\\b(?:we|it|they) should(?:n't| not| never| always| only| just| now| also| rather| instead)+ (?!be (?:able|fine|ok|good)|work|have)\\w`,
    { to: 'agent' },
  ),
  rule('decision', 'we should rather', 0.75, `\\bwe should (?!have\\b).{3,120}\\b(?:instead of|rather than)\\b`, { to: 'agent' }),
  rule(
    'decision',
    'i think we should',
    0.7,
    `\\bi think (?:[^,?]{3,50} )?we should (?:just |also |really |actually |simply )*${NEXT}\\w${CHORE}`,
    {
      to: 'agent',
    },
  ),
  rule(
    'decision',
    'answered it should',
    0.75,
    `^(?:yes|yeah|yep|yup|no|nope|nah)[,.! ]+(?:but |and |i think )*(?:it|that|this|they|those|these|the [\\w-]+|we) should(?:n't| not)? ${GUESSED}\\w`,
    { to: 'agent' },
  ),
  rule(
    'decision',
    'must be',
    0.7,
    `${OPENING}(?:(?:so|then|i think|for [\\w ]{2,30}),? )*(?:the|this|that|these|those|each|every|all|it|they)\\b[^,?]{0,80}? (?:should|(?:needs?|has|have) to|must) (?:always |only |never |still )*be ${NOT_YET}(?:[\\w-]{3,}(?:ed|able|ible|al|ory|own|en|ent|ive|fault|only)|off|on|one|per|a|an)\\b${CHORE}`,
    { to: 'agent' },
  ),
  rule(
    'decision',
    'right thing',
    0.75,
    `${OPENING}(?:(?:i think|i agree|so|then|yes),? )*(?:that|this|it)(?:'s| is| sounds like| seems like| feels like) the (?:right|best|better|correct) (?:thing to do|approach|way(?: to go)?|call|choice|option|solution|place)\\b`,
    { to: 'agent' },
  ),
  rule(
    'decision',
    'should be so',
    0.7,
    `${OPENING}(?:(?:so|then|i think),? )*(?:there should(?: only)? be (?:only|just|exactly|one)\\b|we should(?: at least| probably| really| definitely)+ ${CHANGE}\\b${CHORE}|.{3,80} should .{3,100}, not \\w)`,
    { to: 'agent' },
  ),
  rule(
    'decision',
    'do not',
    0.7,
    `${OPENING}(?:do not|don't) (?:fall ?back|add|use|set|store|show|print|log|include|return|remove|rename|rely|require|default|change (?!any|the (?:code|files?|tests?))|hard-?code|cache|retry|skip|expose|export|merge|split|duplicate|support|allow)\\b${CHORE}`,
    { to: 'agent' },
  ),
  rule(
    'decision',
    'instead of',
    0.8,
    `${OPENING}(?:(?:please|just|let's|then|and|so),? )*(?:instead of .{2,120}?[,_.] *(?:please |just |let's |then |we (?:should|will|can) )*[^\\W_]|(?:use|do|show|print|put|call|make|return|store|write|keep|have|name|run|pass|take|render|display) .{2,160}\\b(?:instead(?: of\\b|[.!]?$)|rather than\\b))`,
    { to: 'agent' },
  ),
  rule('decision', 'instead', 0.75, `\\b(?:i|we) want .{2,160}\\binstead\\b`, { to: 'agent' }),
  rule(
    'decision',
    'undo',
    0.8,
    `${OPENING}(?:(?:please|just|let's|then|and|so|actually),? )*(?:revert|undo|roll back|go back to|switch back to|bring back|put back) (?!(?:and|to the (?:plan|review|pr|issue)|commit)\\b)\\w|${OPENING}(?:(?:please|just|then|and|so|actually),? )*(?:let's )?(?:put|bring|switch|move|change) (?!me\\b|you\\b)[\\w\\s-]{2,50} back\\b(?! to (?:the (?:plan|review|pr|issue|user)|me))`,
    { to: 'agent' },
  ),
  rule(
    'decision',
    'put off',
    0.75,
    `\\b(?:we|i)(?:'ll| will|'d rather| can| could| should|(?:'d| would)? (?:want|like) to) (?:look at|do|handle|address|tackle|fix|revisit|deal with|come back to|worry about|leave|build|add|implement) (?:it|this|that|those|them|the [\\w-]+)?.{0,40}\\b(?:later|another time|separately|(?:in|as) a (?:follow-?up|separate|future))\\b`,
    { to: 'agent' },
  ),
  rule('decision', 'it is', 0.8, `${OPENING}(?:final answer: \\S|.{3,60}\\bit is(?: then)?[.!]?$)`, { to: 'agent' }),

  rule(
    'preference_stated',
    'prefer',
    0.95,
    `\\bi(?:'d| would)?(?: really| much| generally| usually| strongly| definitely| personally| also| still| always)* prefer\\b`,
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
    `${OPENING}(?:you should |you must |make sure to |i want you to )?(?:always|never) (?:use|do|run|add|write|commit|push|put|make|ask|call|create|include|send|keep|leave|change|delete|skip|mention|touch|amend|force|assume|import|mock|book|schedule|forward|reply|cc)\\b`,
  ),
  rule(
    'preference_stated',
    'from now on',
    0.85,
    `\\bfrom now on\\b(?=.*\\w)|${OPENING}(?:in (?:the )?future|going forward|as a (?:general )?rule)[, ]+(?:please |always |never |i |don't |do not |let's |we (?:should|want))`,
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

const OPEN =
  /^(?:[^a-z]*)(?:and |but |so |or |also |then )?(?:if|unless|whether|suppose|assuming|assume|say|in case|imagine|maybe|perhaps|could|can|should|would|shall (?!we (?:meet|talk))|do(?! not\b)|does|did|have (?:we|you)|are (?:we|you)|is (?:it|this|that|there)|what|why|how|which|who|when(?:ever)?|where|once|like)\b|\b(?:if (?:we|you|i|they|it|that|this|so|not|the|there)|in case|whether|before we(?:'ve| have)?|as if|would have|could have|might|should have|had (?:we|i)|let's say|for example|e\.g\.|such as|not sure|wondering|i guess|what if|how about|probably|supposed to|maybe|perhaps)\b/i

const UNDECIDED =
  /\b(?:not|never|haven't|hasn't|hadn't|didn't|nobody|no one|nothing|neither|none|yet to|without)\b[^,;:]{0,20}\b(?:decided|agreed|settled|chosen|picked|opted)\b|\b(?:to be|still) decided\b|\bagreed? (?:to disagree|with (?:you|this|that|the))/i

/** A question, a condition or a hypothesis states nothing; nor does what only leads to what follows: "I want it to be like:". */
export function isOpen(plain: string): boolean {
  if (plain.includes('?') || plain.endsWith(':')) return true
  const said = plain.replace(ASIDE, ' ')
  return OPEN.test(said) || UNDECIDED.test(said)
}

/** What stands in brackets, and a condition that is met: "if that's the case we need …". */
const ASIDE = /\([^()]{0,160}\)|\bif (?:that|this|it)(?:'s| is) (?:the case|so|true)\b,?|\bif so\b,?/gi

const POINTING =
  /\b(?:let'?s|we'?ll|i'?ll|i'?d|it'?s|that'?s|you'?re|we'?re|i'?m|don'?t|isn'?t|i|we|you|it|its|this|that|these|those|they|them|he|she|one|ones|both|all|any|some|there|here|then|now|for|just|so|ok(?:ay)?|yes|yeah|yep|no|and|but|or|also|too|please|thanks|instead|go|going|with|do|does|did|will|would|is|are|was|be|the|a|an|to|of|on|in|at|as|not|use|keep|make|leave|skip|try|think|want|like|rather|prefer|actually|option|options|approach|first|second|third|last|former|latter|version|way|idea|thing|things|stuff|better|me|my|your|send|share|check|bring|know|take|get|look|never|mind|later|add|put|change|remove|move|fix|catch|back|issue|point|because|could|should|start|review|next|into|happen|after|wrong|right|correct|incorrect|true|mistaken|mistake|still|only|really|cool|great|good|perfect|sure|fine|well|ah|oh|hmm+|wait|sorry|agreed|decided|settled|went|chose|call|let|s|ll|d|re|m|t|ve)\b|[#\d]+/gi

/** Two things that are called by a letter each: "it's not X, it's Y". One alone points at a list: "let's go with B". */
const LETTERS = /(?<!\p{L})[B-HJ-Z](?!\p{L}).*(?<!\p{L})[B-HJ-Z](?!\p{L})/u

/** Says nothing without the message that it answers: "let's go with that one". */
export function isPointing(plain: string): boolean {
  const left = plain.replace(POINTING, ' ')
  return !/[\p{L}_]{2}/u.test(left) && !LETTERS.test(left)
}
