/** Keeps decisions about the product, not steps of the work. Pure. */

export interface MayLast {
  readonly text: string
  readonly rule?: string | undefined
  readonly about?: string | undefined
  readonly confidence: number
}

/** Excludes passing steps such as "Let's add a log line". */
const LEAST = 0.75
const STEPS: ReadonlySet<string> = new Set(['rules:lets change', 'rules:put off', 'rules:make sure'])
/** About how to work, not what to build. */
const WORK =
  /\b(?:tests?|coverage|subagents?|lint(?:er)?|pr|prs|pull requests?|branch(?:es)?|commits?|rebase|ci|warning log|debug(?:ging)?|typos?|comments?|just yet|instrumentation)\b|#\d+/i
/** Bug fixes and documentation. */
const REPAIR =
  /^\W*(?:[A-Z]+-\d+\W+)*(?:bug ?)?(?:fix(?:es|ed)?\b|update\b.*\.md\b|update (?:the )?(?:docs?|documentation|readme|changelog)\b|review\b)/i

export function isLasting({ text, rule, about, confidence }: MayLast): boolean {
  if (confidence < LEAST || (rule !== undefined && STEPS.has(rule))) return false
  if (rule === 'rules:plan approved') return !REPAIR.test(text) && !/\btests?\b/i.test(text)
  // The question may carry the meaning.
  return !WORK.test(about === undefined ? text : `${text} ${about}`)
}
