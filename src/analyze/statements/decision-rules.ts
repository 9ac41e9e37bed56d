import { OPENING, type Rule, rule, WILL } from './rule.ts'

/** A reason may come first: "We block this on the default branch, let's remove that". */
const CLAUSE = '[^?]{8,}[,:] (?:so |then )?'
const WHO = '(?:we|i|everyone|everybody|the (?:team|group|board|client|customer|committee|company)|[A-Z][a-z]+ and (?:i|I|[A-Z][a-z]+))'
const HAVE =
  "(?:'ve|'d| have| had| has)?(?: now| just| all| also| both| finally| already| together| then| jointly| unanimously| ultimately)*"
const SETTLE =
  '(?:use|go with|adopt|migrate to|stick (?:with|to)|switch (?:back )?(?:to|over|from)|move (?:back )?to (?!#|pr\\b|the next)|keep (?!(?:\\w+ing|in (?:mind|touch)|each other|it up|at it|up)\\b)|drop|standardi[sz]e on|settle on|skip|stay with|avoid|get rid of|abandon|cancel|defer|postpone|hold off|leave (?!for|at)|ignore|make (?!it happen)(?:both|them|it|that|the [\\w-]+|this) (?:an? (?!habit|difference)|the|(?!an?\\b)\\w+)|not (?!forget|worry|kid|.*\\b(?:yet|tests?)\\b))'
/** Orders to an agent that settle something. "Add X" and "show X" are wishes, unless they accept a proposal. */
const ADD = '(?:add|log|include|show|print|extend|allow)'
const CHANGE =
  '(?:put|set (?!up\\b)|remove|rename|revert|move (?!(?:on )?to #?\\d)|change|replace|merge|split|store|disable|enable|require|return|rely on|call (?:it|them)|limit|restrict|default|inline|extract)'
const CHORE = '(?!.*\\b(?:tests?|coverage|commit|push|pr|branch|comments?|review|todo|task|linear|issue|back)\\b)'
const WANT = "(?:i|we)(?:'d| would| do| really| also| still| actually| basically| just| only| do just)*(?: want| like)"
/** "I'd like to have notifications", "us to show more": wishes leave the design open. */
const WISHED = '(?!.*\\b(?:more|better|nicer|some(?: sort of| kind of)?|somehow|maybe|perhaps)\\b)'
const SO =
  '(?:to (?:bring .{2,40} back\\b|go back|get rid of|restore|be (?!able|sure|clear|careful|known|seen|remembered|reminded|told|an?\\b|the\\b|part\\b|more\\b|better\\b)|invert|flip|change|rename|move|keep|drop|remove|replace|switch|use|call|hide|avoid|put|send|store|disable|enable|see .{2,80}\\bbut (?:no|not)\\b)|(?!you\\b|to\\b|a (?:summary|list|review|plan|report)\\b|the (?:formula|name)).{2,60}?\\bto (?:be|do|handle|behave|have|show|use|return|print|work|stay|go|happen|default|live|look|say)\\b|the .{2,60}?\\bto be\\b)'
/** "That should be fine", "it should work": guesses. */
const GUESSED =
  '(?!\\b(?:work|help|fix|pass|fail|already|be (?:able|fine|ok(?:ay)?|good|great|enough|there|here|done|ready|easy|possible|safe|sure|careful|working|green|passing|fixed|resolved|merged|updated|installed|running|the same|clear|correct)|have (?:been|worked|a look))\\b)'
/** "This should be fixed": open work, not a design. */
const NOT_YET =
  '(?!(?:fixed|applied|resolved|merged|updated|installed|reviewed|rebased|pushed|committed|tested|checked|verified|addressed|expected|called|used to|supposed|done|run|seen|interested|good|needed|required|related|confused|concerned|implemented|completed|finished|cleaned|investigated|improved|able|possible|reasonable|acceptable|capable|one of|a (?:good|problem|bit|lot|quick|simple|test|separate)|an (?:issue|error)|on (?:it|the|this|main|my|your)|open|different|broken|listed|hidden)\\b)'
const THINKING = '(?:(?:so|then|now|for now|instead|in that case|actually|i (?:think|guess)|(?:as )?for [\\w\\s]{2,30}),? )*'
const NEXT =
  '(?!\\b(?:check|look|see|try|run|fix|test|investigate|debug|review|verify|figure|find|think|discuss|talk|start|begin|continue|proceed|wait|ask|read|go|do (?:it|that|this)|get|take|clean|finish|focus|understand|consider|update|rebase|explore|also check|be able|be careful|be good|be fine)\\b)'

/** "Can you put into CLAUDE.md that we always …": a rule, however it is phrased. */
export const PROJECT_RULE =
  /\b(?:claude|agents|gemini|contributing|conventions|readme)\.md\b.{0,60}?\b(?:we|you|it|agents?|everybody|everyone|people) (?:should |must |have to )?(?:always|never|only)\b/i

/** "Can you please replace them with one link instead?": a polite order. */
export const ASKED_INSTEAD =
  /\b(?:can|could|would|will) you (?:please |also |just |then )*(?:replace|use|change|move|rename|switch|keep|store|put|make|write|return|call) .{2,160}\b(?:instead(?: of\b.*)?|rather than\b.*)[?.!]?$/i

export const DECISION_RULES: readonly Rule[] = [
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
  rule(
    'decision',
    'agreed',
    0.85,
    `${OPENING}agreed[:,] (?:so |then )?we(?:${WILL})? (?!(?:need|should|must|have|had|can|can't|could|might|may|are|were|was|want|would|don't|didn't|know|see|saw|think|all)\\b)[a-z]+\\b`,
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
    `(?:${OPENING}(?:(?:so|then|now|instead|i think|actually),? )*|${CLAUSE})let's (?:just |instead |also |please |rather |simply |completely |entirely )*${CHANGE}\\b${CHORE}|^(?:yes|yeah|yep|yup|sure|ok(?:ay)?|right|agreed|good|great)\\b[,.!: ]+let's (?:just |also |please )*${ADD}\\b${CHORE}`,
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
    `(?:${OPENING}${THINKING}|${CLAUSE})(?:then |i'm |we're |i'd |i would |i'll |i will |we )*(?:(?:go|going) with|(?:i|we)${WILL} (?:definitely |just |probably )*(?:go with|stick (?:with|to)|opt for|settle on)) (?!(?:my|me|him|her|us|our|his|you|friends)\\b)`,
  ),
  rule(
    'decision',
    'lets go',
    0.75,
    `(?:^|\\b)let's go (?!(?:ahead|through|back|over|on|and|to|for|with|do|step|check|see|now|then|deeper|one|home|out|down|up|in|into|look|further|find|get|there|again|first|by|try|fix|a|the|this|that|it|team|guys|please|make|create|write)\\b)[\\w./-]{2,}(?: [\\w./-]+)?[.!]?$`,
    { to: 'agent' },
  ),
  rule(
    'decision',
    'lets do',
    0.7,
    `${OPENING}let's (?:just )?do (?!(?:it|that|this|these|those|them|so|a|an|the|some|both|all|one|more|something|another|what|our|as|#?\\d+|[a-e])\\b)[\\w-]+(?: \\S+){0,9}$${CHORE}`,
    { to: 'agent' },
  ),
  rule(
    'decision',
    'told otherwise',
    0.75,
    `^(?:no|nope|nah)[,.]? (?:please |just |let's |then )*(?:remove|revert|undo|drop|delete|keep|use|rename|store|move|put|make)\\b${CHORE}`,
    { to: 'agent' },
  ),
  rule(
    'decision',
    'on purpose',
    0.8,
    `\\bwe(?:'ve| have)? (?:\\w+ )?(?:removed|dropped|disabled|changed|left|kept|skip(?:ped)?|do|did|don't|didn't|chose|made|moved|store|allow|ignore)\\b.{2,80}\\b(?:on purpose|intentionally|deliberately)\\b`,
    { to: 'agent' },
  ),
  rule(
    'decision',
    'too much',
    0.7,
    `^(?:(?:yes|yeah|ok(?:ay)?|hmm+|well|but|so|no)[,. ]+)*(?:i (?:think|feel|guess)|i'd say|imo|to me)(?: that| like)? .{2,60} (?:is|are|feels|seems|would be)(?: a bit| kind of| just| really)? (?:too? much|overkill|redundant|unnecessary|not (?:needed|necessary|worth)|over-?engineered)\\b`,
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
  rule('decision', 'want it so', 0.8, `${OPENING}(?:(?:so|then|now|instead|i think|in that case),? )*${WISHED}${WANT} ${SO}`, {
    to: 'agent',
  }),
  rule(
    'decision',
    'only want',
    0.75,
    `\\b(?:i|we)(?:'d| would)?(?: really)? (?:(?:only|just) want|only need) (?!to (?:know|see|understand|check|be|ask|make sure|test|try|say|do|get)\\b|you\\b|(?:a|an|the|some) (?:summary|list|review|plan|report|answer|quick|look)\\b)\\w${CHORE.replace('tests?|', '')}`,
    { to: 'agent' },
  ),
  rule(
    'decision',
    'want such',
    0.75,
    `${OPENING}(?:(?:so|then|now|i think),? )*${WISHED}${WANT} an? .{3,80}\\b(?:along ?side|next to|without|separate(?:d)? from|independent of|instead of|rather than|but (?:no|not|only))\\b${CHORE}`,
    { to: 'agent' },
  ),
  rule('decision', 'live with', 0.75, `${OPENING}(?:i|we) (?:can|could) live with \\w`, { to: 'agent' }),
  rule(
    'decision',
    'keep where',
    0.75,
    `${OPENING}(?:please |let's )?(?:keep|store|save|document) (?:our|all|every|any)\\b(?: [\\w./-]+){1,6} (?:in|under|inside|within|out of|away from|separate from) \\S+`,
    { to: 'agent' },
  ),
  rule(
    'decision',
    'not but',
    0.75,
    `${OPENING}not (?:as|in|on|with|by|to|from|for|inside|under|per) [^,;?]{2,60}, but (?:rather )?(?:as|in|on|with|by|to|from|for|inside|under|per|only)\\b`,
    {
      to: 'agent',
    },
  ),
  rule(
    'decision',
    'do not want',
    0.75,
    `\\b(?:i|we) (?:really )?(?:don't|do not) want (?!you to|to (?:say|bother|sound|lose|miss|wait|forget|feel|end up|have to|go through|make (?:the|that|this|a) (?:same )?mistake|be (?:rude|mean)))\\S`,
    {
      to: 'agent',
    },
  ),
  rule('decision', 'always want', 0.8, `\\bwe (?:always|only|never) (?:want|need)\\b`, { to: 'agent' }),
  rule(
    'decision',
    'no need',
    0.75,
    `(?:\\b(?:we (?:really |actually )?(?:don't|do not|won't|no longer)|i (?:don't|do not) think (?:we|it|that|this)(?: really| actually)?) needs? (?!to (?:worry|wait|panic|commit|push|include|run|review|check (?!for\\b|if\\b|whether\\b)))|${OPENING}no need (?:to|for) )\\w`,
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
    `${OPENING}(?:(?:so|then|i think|for [\\w ]{2,30}),? )*(?:the|this|that|these|those|each|every|all|it|they)\\b[^,?]{0,48}? (?:should|(?:needs?|has|have) to|must) (?:always |only |never |still )*be ${NOT_YET}(?:[\\w-]{3,}(?:ed|able|ible|al|ory|own|en|ent|ive|fault|only)|off|on|one|per|a|an)\\b${CHORE}`,
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
    `${OPENING}(?:(?:so|then|i think),? )*(?:there should(?: only)? be (?:only|just|exactly|one)\\b|we should(?: at least| probably| really| definitely| also| just)* (?:${CHANGE}|${ADD})\\b${CHORE}|.{3,80} should .{3,100}, not \\w)`,
    { to: 'agent' },
  ),
  rule(
    'decision',
    'do not',
    0.7,
    `${OPENING}(?:do not|don't) (?:fall ?back|add|use|set|store|show|print|log|include|return|remove|rename|rely|require|default|give (?!up\\b)|call|name|mention|change (?!any|the (?:code|files?|tests?))|hard-?code|cache|retry|skip|expose|export|merge|split|duplicate|support|allow)\\b(?! (?:it|that|this|them|those|these)(?: (?:now|yet|again|here|any ?more|please|then))*(?:[.!,]|$))${CHORE}`,
    { to: 'agent' },
  ),
  rule(
    'decision',
    'instead of',
    0.8,
    `${OPENING}(?:(?:please|just|let's|then|and|so),? )*(?:instead of .{2,120}?[,_.] *(?:please |just |let's |then |we (?:should|will|can) )*(?!(?:i|we|you|he|she|they|it)\\b)[^\\W_]|(?:use|do|show(?! me\\b)|print(?! me\\b)|put|call|make|return|store|write|keep|have|name|run|pass|take|render|display) .{2,160}\\b(?:instead(?: of\\b|[.!]?$)|rather than\\b)|use [\\w@/.-]{2,40}(?: [\\w@/.-]{2,40})?,? (?:and )?not (?!only|just|yet|sure|the same)[\\w@/.-]{2,})`,
    { to: 'agent' },
  ),
  rule('decision', 'instead', 0.75, `\\b(?:i|we)(?:'d| would)?(?: really)? (?:want|like) .{2,160}\\b(?:instead|rather than)\\b`, {
    to: 'agent',
  }),
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
  rule('decision', 'changed mind', 0.8, `\\bi(?:'ve| have)? changed my mind\\b.{20,}`, { to: 'agent' }),
  rule('decision', 'asked instead', 0.75, ASKED_INSTEAD.source, { to: 'agent' }),
  rule('decision', 'project rule', 0.8, PROJECT_RULE.source, { to: 'agent' }),
  rule(
    'decision',
    'it is',
    0.8,
    `${OPENING}(?:final answer: \\S|(?!.*\\b(?:how|what|where|who|as|that)\\b).{3,60}\\bit is(?: then)?[.!]?$)`,
    { to: 'agent' },
  ),
]
