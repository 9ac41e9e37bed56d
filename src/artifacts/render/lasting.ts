/** Which decisions are worth their place in every session to come: those that shape what is built. A step of the work is over when it is done. Pure. */

export interface MayLast {
  readonly text: string
  readonly rule?: string | undefined
  /** What it answers, or how the plan begins. */
  readonly about?: string | undefined
  readonly confidence: number
}

/** "Let's add a log line" is as sure to be said as it is to be over. */
const LEAST = 0.75
const STEPS: ReadonlySet<string> = new Set(['rules:lets change', 'rules:put off', 'rules:make sure'])
/** How the work is done, not what is built. */
const WORK =
  /\b(?:tests?|coverage|subagents?|lint(?:er)?|pr|prs|pull requests?|branch(?:es)?|commits?|rebase|ci|warning log|debug(?:ging)?|typos?|comments?|just yet|instrumentation)\b|#\d+/i
/** A bug that was to be fixed, and words that were to be brought up to date. */
const REPAIR =
  /^\W*(?:[A-Z]+-\d+\W+)*(?:bug ?)?(?:fix(?:es|ed)?\b|update\b.*\.md\b|update (?:the )?(?:docs?|documentation|readme|changelog)\b|review\b)/i

export function isLasting({ text, rule, about, confidence }: MayLast): boolean {
  if (confidence < LEAST || (rule !== undefined && STEPS.has(rule))) return false
  if (rule === 'rules:plan approved') return !REPAIR.test(text) && !/\btests?\b/i.test(text)
  // What was chosen or agreed to says what it is; the answer to it may say nothing.
  return !WORK.test(about === undefined ? text : `${text} ${about}`)
}
