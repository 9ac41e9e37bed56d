import { parseJson } from '../../core/nesting.ts'
import { oneLine } from '../../core/text.ts'
import type { TitleOrigin } from '../../store/tables.ts'
import { saysSomething } from './says-something.ts'
import { LONGEST_TITLE, planTitle } from './title-of-text.ts'

export interface CallTitle {
  readonly origin: Extract<TitleOrigin, 'plan' | 'pull_request' | 'commit'>
  readonly title: string
}

/** Cheap string prefilter: most calls name nothing. */
export const NAMING_PARAMS = [
  'git commit',
  'gh pr create',
  'git push',
  'git fetch',
  'git pull',
  'git remote',
  'git stash',
  'git reset',
  'git checkout',
  'git switch',
  'rev-parse',
  'rev-list',
  'git log',
  'git show',
  'git rebase',
  'git reflog',
  'git merge',
  'git cherry-pick',
  'gh pr',
  'gh run',
  '/plans/',
] as const
export const PLAN_TOOLS = ['ExitPlanMode', 'exit_plan_mode', 'create_plan', 'CreatePlan'] as const

export function mayName(tool: string | null | undefined, params: string | null): boolean {
  if (params === null) return false
  return PLAN_TOOLS.some((name) => name === tool) || NAMING_PARAMS.some((part) => params.includes(part))
}

export function callTitle(tool: string | null, params: string): CallTitle | undefined {
  const fields = fieldsOf(params)
  const plan = planOf(tool, fields)
  if (plan !== undefined) return named('plan', planTitle(plan))
  const command = commandOf(fields)
  if (command === undefined) return undefined
  return named('pull_request', pullTitle(command)) ?? named('commit', commitSubject(command))
}

export function pullTitle(command: string): string | undefined {
  return optionText(command, /\bgh pr create\b/, /(?:--title|-t)(?:[ =]+|(?=["']))/)
}

export function commitSubject(command: string): string | undefined {
  return optionText(command, /\bgit (?:-\S+(?: \S+)? )*commit\b/, /(?:--message|-[a-zA-Z]*m)(?:[ =]+|(?=["']))/)
}

function named(origin: CallTitle['origin'], title: string | undefined): CallTitle | undefined {
  if (title === undefined || !saysSomething(title) || (origin === 'commit' && isRoutine(title))) return undefined
  return { origin, title }
}

/** Subjects too common to be titles. */
const ROUTINE =
  /^(?:initial|first|test|second|wip|merge|revert|checkpoint|bump|update (?:readme|dependencies)|lint|format|fixup!|squash!|release v?\d)\b|^\w+(?:\([^)]*\))?: (?:fix(?:ed)? )?(?:lint|formatting|typos?|tests?)$|^(?:fix|fixed|run|apply|add)(?: \w+)? (?:lint(?:er|ing)?(?: (?:errors?|issues?|warnings?))?|formatting|typos?|review (?:comments?|feedback))$/i

export function isRoutine(subject: string): boolean {
  return ROUTINE.test(subject)
}

function fieldsOf(params: string): Readonly<Record<string, unknown>> {
  try {
    const value = parseJson(params)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function planOf(tool: string | null, { plan, content, file_path: path, name }: Readonly<Record<string, unknown>>): string | undefined {
  if (PLAN_TOOLS.some((one) => one === tool)) {
    if (typeof plan === 'string') return plan
    return typeof name === 'string' ? `# ${name}` : undefined
  }
  // Harnesses store plans as files.
  return typeof path === 'string' && typeof content === 'string' && /[\\/]\.?\w+[\\/]plans[\\/][^\\/]+\.md$/.test(path)
    ? content
    : undefined
}

export function commandOf(fields: Readonly<Record<string, unknown>>): string | undefined {
  const given = fields.command ?? fields.cmd ?? fields.script
  if (typeof given === 'string') return given
  // ["bash", "-lc", "git commit …"]
  return Array.isArray(given) ? given.filter((part) => typeof part === 'string').at(-1) : undefined
}

export function commandIn(params: string): string | undefined {
  return commandOf(fieldsOf(params))
}

/** First line of an option's value: quoted, bare, or a here-document. */
function optionText(command: string, program: RegExp, option: RegExp): string | undefined {
  const at = program.exec(command)
  if (at === null) return undefined
  const rest = command.slice(at.index + at[0].length)
  const found = new RegExp(`^(?:(?!\\s(?:&&|\\|\\||;)\\s)[\\s\\S])*?\\s${option.source}`).exec(rest)
  if (found === null) return undefined
  const value = rest.slice(found[0].length)
  const here = /^["']?\$\(cat <<-?\s*['"\\]?(\w+)['"]?\s*\n([\s\S]*?)\n\s*\1\b/.exec(value)
  const text = here?.[2] ?? quoted(value)
  if (text === undefined || (here === null && /\$\(|\$\{?\w/.test(text))) return undefined
  const [line = ''] = text.trim().split('\n')
  return oneLine(line, LONGEST_TITLE) || undefined
}

function quoted(value: string): string | undefined {
  const double = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(value)
  if (double) return double[1]?.replace(/\\(["\\$`])/g, '$1')
  const single = /^'([^']*)'/.exec(value) ?? /^\$'((?:[^'\\]|\\[\s\S])*)'/.exec(value)
  return single ? single[1] : /^[^\s"'$-]\S*/.exec(value)?.[0]
}
