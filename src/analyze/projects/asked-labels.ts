/** Maps the form of an English question to card labels. */
import type { FactKind } from './fact.ts'

const COMMANDS = [
  ...[
    'setup',
    'build',
    'test',
    'unit test',
    'integration test',
    'end-to-end test',
    'one test',
    'type check',
    'lint',
    'format',
    'format check',
  ],
  ...['run', 'release', 'generate', 'benchmark', 'task'],
]
export const COMMAND_LABELS: ReadonlySet<string> = new Set(COMMANDS)

const BRANCH = /\bbranch(?:es)?\b/i
/** `ada/fix-gate` may be a branch. */
const SLASHED = /(?<![\w./-])[\w.-]+(?:\/[\w.-]+)+(?![\w/])/

const ASKS: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /\bhow (?:do|does|can|should|are|is|to)\b.*\b(?:tests?|tested|builds?|built|lint|linted|format|formatted|run|compiled?|releases?|released|deploy|deployed|deployments?|published?|install|installed|set ?up|start|started|check|checked|generated?|benchmarks?)\b|\b(?:which|what) (?:command|task|script|linter|formatter)\b|\bwhat (?:runs|builds|formats|lints|generates|tests|checks|releases)\b|\bcommand (?:to|for|that)\b/i,
    COMMANDS,
  ],
  [/\b(?:environment|env) ?(?:variable|var)s?\b|\b(?:which|what) variables?\b|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/, ['environment']],
  [/\b(?:which|what)\b.*\b(?:librar(?:y|ies)|packages?|dependenc(?:y|ies)|modules?)\b/i, ['depends on']],
  [/\b(?:which|what)\b.*\b(?:framework|version|service|provider|database|port)\b/i, ['depends on', 'built with', 'services']],
  [/\b(?:which|what)\b.*\b(?:tools?|language|linter|formatter|CI)\b|\bhow (?:are|is|do|does)\b.*\breleases?\b/i, ['built with', 'release']],
  [/\bwho\b/i, ['authors', 'reviewers', 'pull request', 'commit', 'issue']],
  [/\b(?:real|full|first|last|user|git ?hub) ?names?\b|\b(?:git ?hub|e-?mail) (?:account|login|address)\b/i, ['authors', 'reviewers']],
  [/\b(?:pull request|PR|merge request)s?\b|#\d+/, ['pull request']],
  [/\b(?:tickets?|issues?)\b|\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b/, ['issue', 'pull request']],
  [BRANCH, ['branches']],
  [SLASHED, ['branches']],
  [/\bbranch(?:es)? (?:is|has|was|are|contains|with|for)\b/i, ['pull request']],
  [
    /\bwhere (?:is|are|do|does|can)\b|\b(?:which|what|in which|in what) (?:files?|folders?|director(?:y|ies)|packages?)\b/i,
    ['folders', 'files'],
  ],
  [/\bchanged? (?:together|along)\b|\btogether with\b/i, ['together']],
  [
    /\bwhy (?:may|must|can|should|do|does|is|are|don't|shouldn't|can't)\b.*(?:\bnot\b|n't\b|\binstead\b|\brather\b)|\b(?:pitfalls?|gotchas?)\b|\bwhat (?:to )?avoid\b|\bwatch out for\b|\bworkarounds?\b/i,
    ['beware'],
  ],
  [/\bwhat (?:is|does) (?:this|the|our) (?:project|repo|repository|codebase|tool|app|program)\b/i, ['about']],
]
const DEFINED = /\bwhat(?:'s| is| are| does| do)\s+(?:an?\s|the\s|our\s)?\s*(.{2,50}?)(?: mean| stand for| do| for)?\s*\?*$/i
const PLACED =
  /\bwhere (?:is|are|do|does)\s+(?:an?\s|the\s|our\s)?\s*(.{2,40}?) (?:stored|kept|saved|written|recorded|live|lie|stand)\s*\?*$/i

/** Fact kinds per label; default: commands and tasks. */
const KINDS: Readonly<Record<string, readonly FactKind[]>> = {
  ...{ environment: ['env'], 'depends on': ['dependency'], 'built with': ['language', 'tool', 'task', 'command'], services: ['service'] },
  ...{ authors: ['person'], reviewers: ['person'], 'pull request': ['pull'], commit: ['commit'], issue: ['issue'], about: ['about'] },
  ...{ folders: [], files: [], together: [], beware: ['caution', 'failure'], branches: ['branch', 'commit', 'pull'] },
}

const LISTS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:librar(?:y|ies)|packages?|dependenc(?:y|ies)|modules?)\b/i, 'depends on'],
  [/\b(?:languages?|frameworks?|tools?|CI)\b|\bversion of\b/i, 'built with'],
  [/^\W*(?:which|what) (?:\w+ )?(?:service|database|provider)s?\b/i, 'depends on'],
  [/\bwho (?:works|worked|maintains|develops|writes|builds|makes)\b|\b(?:authors|maintainers|contributors|developers)\b/i, 'authors'],
  [/\bwho reviews\b|\breviewers\b/i, 'reviewers'],
  [/\b(?:which|what) (?:environment|env) ?(?:variable|var)s\b/i, 'environment'],
  [/\b(?:which|what) branches\b/i, 'branches'],
  [/\b(?:pitfalls?|gotchas?|watch out for|avoid)\b/i, 'beware'],
  [/\bwhat (?:is|does) (?:this|the|our) /i, 'about'],
]
export const SENTENCE_LABELS: ReadonlySet<string> = new Set(['beware'])

export function asksForFacts(question: string): boolean {
  return ASKS.some(([form]) => form.test(question)) || definedIn(question).length > 0
}

export function labelsAsked(question: string): ReadonlySet<string> {
  const labels = new Set(ASKS.flatMap(([form, some]) => (form.test(question) ? some : [])))
  return labels.has('together') ? new Set(['together']) : labels
}

/** Unless the question mentions branches, it must name one exactly: partial matches are chance. */
export function onlyByName(label: string, question: string): boolean {
  return label === 'branches' && !BRANCH.test(question)
}

export function kindsOf(labels: ReadonlySet<string>): FactKind[] {
  return [...new Set([...labels].flatMap((label) => KINDS[label] ?? ['command' as const, 'task' as const]))]
}

export function definedIn(question: string): { readonly words: string; readonly isPlace: boolean }[] {
  const found = (form: RegExp, isPlace: boolean) => {
    const words = form.exec(question.trim())?.[1]?.trim()
    return words === undefined ? [] : [{ words, isPlace }]
  }
  return [...found(DEFINED, false), ...found(PLACED, true)]
}

export function listAsked(question: string): string | undefined {
  return LISTS.find(([form]) => form.test(question))?.[1]
}
