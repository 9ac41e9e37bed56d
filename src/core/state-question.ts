/**
 * Whether a text asks where the work stands: "where were we?", "what is left?", "continue". Its words are not worth a search. Only whole
 * sentences count: "continue the loop until i > 3" is a request. English only.
 */
import { goesOn } from './goes-on.ts'

export interface StateQuestion {
  /**
   * `past`: names an earlier session or time. `open`: asks for open work, within a session its own. `go-on`: only "continue", a question
   * only at the start.
   */
  readonly kind: 'past' | 'open' | 'go-on'
  readonly time?: string
}

const MOST_WORDS = 25
const LONGEST = 200
/** "With this yesterday again" has three. */
const MOST_TAILS = 4

const WE = '(?:we|i|you|u)'
const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
const DATED = `(?:yesterday(?: (?:morning|afternoon|evening|night))?|today|this (?:morning|afternoon|evening|week|month)|last (?:night|week|month|weekend|${DAY})|(?:on )?${DAY}|over the weekend|(?:\\d+|an?|two|three|a few|a couple of) (?:days?|weeks?|hours?) ago)`
const SESSION = '(?:the |our |my |your )?(?:last|previous|prior|earlier|latest) (?:session|conversation|chat|time)s?'
const EARLIER = `(?:(?:in|from|during|of|since|at|on) )?(?:${SESSION}|${DATED}|the other day)`
const LOOSE = '(?:before(?: (?:lunch|the weekend|the break))?|earlier|previously|recently|lately|so far)'
const HERE =
  '(?:here|again|now|exactly|(?:in|on|with|for|of) (?:this|it|that|things|everything)|(?:in|on|with|for|of) (?:this|the|our) (?:project|repo|repository|branch|code ?base|work|task))'

const LEFT =
  '(?:leave|left|stop|stopped|pause|paused|end|ended|quit|finish|finished|break|broke)(?: (?:it|this|that|things|work))?(?: (?:off|up|at))?'
const WHERE_LEFT = `where(?:ver)?(?: did| had| have)?(?: ${WE})? ${LEFT}`
const GO_ON =
  '(?:continue|resume|proceed|carry on|go on|keep (?:going|on|working)|pick (?:it |this |things |that )?(?:back )?up|start again|get back(?: to it)?|get going again|jump back in)'
const WORK = '(?:the |our |my |your )?(?:work(?:ing)?|job|task|session|project|stuff|things?|it|this|that)'
const WHAT_WE = `what(?:ever)? ${WE} (?:were|was|are|had been|have been|did|started|began)(?: (?:doing|working on|at|up to|on|with|started))?`
const DONE =
  '(?:do|did|done|doing|get done|got done|been doing|been working on|been up to|up to|work(?:ed|ing)?(?: on)?|accomplish(?:ed)?|achieved?|finish(?:ed)?|completed?|build|built|changed?|get (?:through|finished)|in the middle of|busy with)'
const OPEN =
  '(?:still )?(?:left(?: (?:over|open|undone|unfinished|uncommitted|to do))?|next(?: up)?|open|pending|outstanding|remaining|unfinished|undone|uncommitted|incomplete|missing|failing|broken|(?:left )?(?:to do|to be done|to finish)|todo|to-do|not (?:yet )?(?:done|committed|finished)|on (?:the|our|my) (?:list|agenda|plate))'

const ASKS = [
  WHERE_LEFT,
  `where (?:were|was|are|r) ${WE}(?: at)?`,
  `what (?:did|have|had|has) ${WE}(?: (?:last|just|even|all))? ${DONE}`,
  `what (?:were|was) ${WE}(?: (?:last|just|even))? ${DONE}`,
  `what (?:was|were|is|are) the last (?:things?|tasks?|steps?|bit|piece of work)(?: that)?(?: ${WE})?(?: (?:were|was|had been|have))?(?: ${DONE})?`,
  `what (?:were|was) ${WE} (?:going|about|planning|supposed|meant|gonna) (?:to )?(?:do|work on|tackle)(?: next)?`,
  '(?:what (?:were|was) )?(?:the |our |my |your )?(?:next steps?|open (?:points|items|tasks)|todos?|plan for next time)',
  `${GO_ON}(?: ${WORK})?(?: (?:from|at|with))? ${WHERE_LEFT}`,
  `${GO_ON}(?: (?:from|with|on))?(?: ${WORK})?(?: (?:from|with|on|of))? ${WHAT_WE}`,
  `(?:a |quick |short )*(?:recap|summary|overview)(?: of ${WHAT_WE})?`,
  '(?:catch|bring|get) (?:me|us) (?:back )?up(?: to (?:speed|date))?',
  'refresh my memory',
  `how far (?:did|have|had) ${WE} (?:get|got|gotten|come|made it)`,
  `(?:did|have|had) ${WE} (?:get )?(?:finish|finished|complete|completed|wrap up|wrapped up|done)(?: with)? ${WHAT_WE}`,
  `what(?:'s| is| was| were| are|s)?(?: (?:the|our|my|your|there|all))? ${OPEN}(?: (?:steps?|tasks?|items?|points?|things?))?(?: (?:for|to) (?:us|me|you|do|be done|work on))?(?: to do)?`,
  'what (?:else )?(?:still )?remains(?: open)?(?: (?:to be done|to do|to finish|undone))?',
  'what (?:do|should|shall|must|can) (?:we|i) (?:still )?(?:have to |need to |want to )?(?:do|work on|tackle)(?: (?:next|still))',
  `(?:what(?:'s| is|s) (?:the|our) )?(?:current )?(?:status|state|progress)(?: (?:update|report|check))?(?: of(?: the)? (?:things|play|work|affairs|project|branch|repo))?`,
  `(?:where|how) (?:do|are) (?:things|we|${WORK}) (?:stand|standing|going)`,
  `(?:(?:is|are|was|were) )?(?:there )?(?:any|some)thing(?: else)?(?: (?:that is|that was))? ${OPEN}`,
]
/** Count only with an earlier time or session. */
const ASKS_OF_EARLIER = [
  `${GO_ON}(?: (?:with )?${WORK})?`,
  `(?:re ?cap|summari[sz]e|sum up|review|go over|show)(?: me)?`,
  `(?:did|have|had) ${WE} (?:get )?(?:finish|finished|complete|completed|wrap up|wrapped up|done)(?: with)?(?: (?:it|this|that|everything|all))?`,
]

/** Precede or surround a question without being part of it. */
const BEFORE =
  /^(?:(?:ok(?:ay)?|so|and|but|well|right|alright|all right|hey|hi|hello|hiya|yo|good (?:morning|afternoon|evening)|morning|claude|codex|cursor|gemini|there|again|now|then|hm+|um+|please|pls|quick(?: question)?|question|today|back again|thanks|first(?: of all)?)[\s,.!:;–-]+)+/
const POLITE =
  /^(?:(?:can|could|would|will) (?:you|we) (?:please |quickly |just )?|(?:please |just )?(?:tell|remind|show) me(?: again)?(?: of| about|,|:)? ?|(?:do you (?:know|remember)|i forgot|i (?:don't|do not) (?:remember|know|recall)) |let'?s (?:just |please )?|let us |i(?:'d| would) like to |i want to |we (?:can|should|need to) |shall we |should we |time to )/
const AFTER = /(?:[\s,]+(?:please|pls|thanks|thank you|thx|claude|then|though|for me|ok(?:ay)?|right))+$/
/** Small talk beside a question. */
const SMALL_TALK =
  /^(?:i(?:'m| am) back|we(?:'re| are) back|back(?: again)?|good (?:morning|afternoon|evening)|hi|hello|hey|thanks|ok(?:ay)?|new session|it(?:'s| is) me(?: again)?|fresh start|new day)$/
/** Cheap test of the beginning: other prompts cost no more. */
const BEGINS =
  /^(?:where\w*|what\w*|how far|how (?:do|are)|did|have|had|is|are|was|were|there|any\w*|some\w*|the|our|my|your|a|quick|short|next|open|todos?|plan|current|status|state|progress|continue|resume|proceed|carry|go|keep|pick|start|get|jump|re ?cap|summar\w+|summary|sum|overview|review|show|catch|bring|refresh|weiter)\b/
/** Cheap test of the end, without its time: compiling the patterns is slow. */
const ENDS = new Set(
  `we i you u leave left stop stopped pause paused end ended quit finish finished break broke it this that things thing stuff work off up at do did done
  doing been working worked on to accomplish accomplished achieve achieved complete completed build built change changed through of with next steps step
  last task tasks bit points point items item todos todo to-do time recap summary overview speed date memory get got gotten come started began were was
  are is have over open undone unfinished uncommitted pending outstanding remaining incomplete missing failing broken committed list agenda plate me us
  remains tackle status state progress update report check play affairs project branch repo stand standing going job session working everything all`.split(
    /\s+/,
  ),
)
const MOST_WORDS_OF_SENTENCE = 16

/** Lazy: compiling takes longer than matching. */
const patterns = once(() => ({
  tail: new RegExp(` (?:${EARLIER}|${LOOSE}|last time|${HERE})$`),
  names: new RegExp(`\\b(?:${SESSION}|${DATED}|last time|the other day)$`),
  time: new RegExp(`\\b${DATED}$`),
  dated: new RegExp(`\\b${DATED}\\b`),
  anywhere: new RegExp(`\\b(?:${SESSION}|${DATED}|last time|the other day)\\b`),
}))
const whole = once(() => ({
  asks: new RegExp(`^(?:${ASKS.join('|')})$`),
  ofEarlier: new RegExp(`^(?:${ASKS_OF_EARLIER.join('|')})$`),
}))

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

export function stateQuestion(text: string): StateQuestion | undefined {
  const plain = text.trim()
  if (plain.length > LONGEST || plain.split(/\s+/).length > MOST_WORDS) return undefined
  let found: StateQuestion | undefined
  for (const part of plain.split(/(?<=[.!?…])\s+|\n+|\s*[;]\s+/u)) {
    const sentence = bare(part)
    if (sentence === '' || SMALL_TALK.test(sentence)) continue
    const asked = askedBy(sentence) ?? (goesOn(part) ? { kind: 'go-on' as const } : undefined)
    if (asked === undefined) return undefined
    if (found === undefined || found.kind === 'go-on') found = asked
  }
  return found
}

/** Whether a text names an earlier session or time anywhere. For texts that name nothing else. */
export function earlierNamed(text: string): StateQuestion | undefined {
  const sentence = bare(text.slice(0, LONGEST))
  const { anywhere, dated } = patterns()
  const time = dated.exec(sentence)?.[0].replace(/^on /, '')
  return anywhere.test(sentence) ? { kind: 'past', ...(time === undefined ? {} : { time }) } : undefined
}

function askedBy(sentence: string): StateQuestion | undefined {
  let words = sentence.replace(POLITE, '').replace(POLITE, '')
  if (!BEGINS.test(words) || words.split(' ').length > MOST_WORDS_OF_SENTENCE) return undefined
  const { tail, names, time } = patterns()
  let isEarlier = false
  let said: string | undefined
  for (let i = 0; i < MOST_TAILS; i++) {
    const end = tail.exec(words)
    if (end === null) break
    isEarlier ||= names.test(end[0])
    said ??= time.exec(end[0])?.[0].replace(/^on /, '')
    words = words.slice(0, end.index)
  }
  const last = words.slice(words.lastIndexOf(' ') + 1)
  if (!isEarlier && !ENDS.has(last)) return undefined
  const { asks, ofEarlier } = whole()
  const isAsked = (one: string) => asks.test(one) || (isEarlier && ofEarlier.test(one))
  // "remind me where we are": word order of an indirect question.
  const direct = words
    .replace(/^where (we|i|you) (are|were|was)/, 'where $2 $1')
    .replace(/^what (we|i|you) (were|was|did|have|had)\b(?: do\b)?/, (_, who: string, verb: string) =>
      verb === 'did' ? `what did ${who} do` : `what ${verb} ${who}`,
    )
  if (!isAsked(words) && !isAsked(direct)) return undefined
  return { kind: isEarlier ? 'past' : 'open', ...(said === undefined ? {} : { time: said }) }
}

function bare(sentence: string): string {
  const plain = sentence
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/["“”*_`]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s.!?…,:;–-]+$/u, '')
    .trim()
  const shorter = `${plain} `.replace(BEFORE, '').trim().replace(AFTER, '').trim()
  return shorter === '' ? plain.replace(AFTER, '') : shorter
}

const ABOUT = '(?:we|i|you|it|they|this|that|the|our|my)'
const ASKS_HISTORY = [
  '(?:show|give|tell|list)?(?: me)? ?(?:the |a )?(?:full |whole |short )?(?:history|timeline|chronology) of ',
  `(?:list |show (?:me )?|find )?(?:every|each|all(?: of)?(?: the)?) (?:time|times|occasion|occasions|session|sessions)(?: (?:that|when|where|in which))? ${ABOUT}\\b`,
  '(?:list |show (?:me )?|find )?all the times ',
  `how (?:often|many times) (?:did|do|have|has|had|was|were|is|are) ${ABOUT}\\b`,
  '(?:in )?(?:which|what) sessions\\b',
]
const HISTORY = new RegExp(`^(?:${ASKS_HISTORY.join('|')})`, 'i')
const LONGEST_HISTORY = 300

/** Asks for all occurrences in order: "history of the retry queue", "how often did we …". English only. */
export function asksForHistory(text: string): boolean {
  const plain = text.trim().replace(/\s+/g, ' ')
  return plain.length <= LONGEST_HISTORY && HISTORY.test(plain)
}
