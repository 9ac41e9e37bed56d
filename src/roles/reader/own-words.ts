/** What a person typed in a prompt, without what they pasted into it: code, logs, quoted lines, plans. Pure. */
import { cutMarked } from '../../core/marked-text.ts'

/** Nobody types more before a question. */
const LONGEST = 20_000
/** Of a longer text the beginning and the end are the person's own; between them is what they hand over. */
const SHORT = 700
const EDGE = 350

const FENCED = /(?:```|~~~)[\s\S]*?(?:```|~~~|$)/g
/** A line of a log, a diff, a table, a stack, a shell, or of code. */
const PASTED =
  /^\s*(?:[>|❯$%⏺⎿└├✓✗•+]|[-+]{3}\s|@@ |diff --git|at \S+ \(|\d{2}:\d{2}:\d{2}|\d{4}-\d\d-\d\d[T ]|\[?(?:error|warn|info|debug|fatal)\b[\]:]|(?:FAIL|PASS|ok|---|===)\s|\S+:\d+:\d+|[{}()[\];]+\s*$)/i

export interface OwnWords {
  readonly text: string
  /** Something was pasted, or the text is longer than one asks: it brings along what it is about. */
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

/** Sentences, each with whether it asks. */
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
/** "When I run it, …" tells; "when did we run it" asks. */
const ASKS_WHEN = new RegExp(
  `^${BEFORE_IT}(?:when|where)(?:'s|'re|'d| did| do| does| was| were| is| are| has| have| had| will| would| should| can| could)\\b`,
  'i',
)

function asks(sentence: string): boolean {
  return /\?["'”’)\]]*$/.test(sentence) || ASKS.test(sentence) || ASKS_WHEN.test(sentence)
}
