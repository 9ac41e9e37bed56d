/** The typed part of a prompt, without pasted code, logs, quotes or plans. */
import { cutMarked } from '../../core/marked-text.ts'

const LONGEST = 20_000
/** In a longer text, only both edges are the person's own. */
const SHORT = 700
const EDGE = 350

const FENCED = /(?:```|~~~)[\s\S]*?(?:```|~~~|$)/g
const PASTED =
  /^\s*(?:[>|❯$%⏺⎿└├✓✗•+]|[-+]{3}\s|@@ |diff --git|at \S+ \(|\d{2}:\d{2}:\d{2}|\d{4}-\d\d-\d\d[T ]|\[?(?:error|warn|info|debug|fatal)\b[\]:]|(?:FAIL|PASS|ok|---|===)\s|\S+:\d+:\d+|[{}()[\];]+\s*$)/i

export interface OwnWords {
  readonly text: string
  /** Text was pasted or is very long: the prompt brings its own subject. */
  readonly handsOver: boolean
}

export function ownWords(prompt: string): OwnWords {
  const whole = cutMarked(prompt.slice(0, LONGEST))
  const plain = whole.replace(FENCED, '\n')
  const lines = plain.split('\n')
  const typed = lines.filter((line) => !PASTED.test(line))
  const text = typed.join('\n').trim()
  const isLong = text.length > SHORT
  const own = isLong ? `${text.slice(0, EDGE)}\n${text.slice(-EDGE)}` : text
  return { text: own, handsOver: isLong || whole.length - text.length > SHORT }
}

export function sentencesIn(text: string): { readonly text: string; readonly asks: boolean }[] {
  return text
    .split(/(?<=[.!?…])\s+|\n+/u)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ text: part, asks: asks(part) }))
}

const BEFORE_IT = '(?:and |but |so |ok(?:ay)?,? |hm+,? |also,? |question:? |q:? |wait,? |now,? )*'
const ASKS = new RegExp(
  `^${BEFORE_IT}(?:what|which|who|whose|whom|why|how|did|does|do|is|are|was|were|has|have|had|should|would|could|can|isn't|aren't|didn't|don't|doesn't)\\b`,
  'i',
)
/** "When I run it, …" is a statement; "when did we run it" is a question. */
const ASKS_WHEN = new RegExp(
  `^${BEFORE_IT}(?:when|where)(?:'s|'re|'d| did| do| does| was| were| is| are| has| have| had| will| would| should| can| could)\\b`,
  'i',
)

function asks(sentence: string): boolean {
  return /\?["'”’)\]]*$/.test(sentence) || ASKS.test(sentence) || ASKS_WHEN.test(sentence)
}
