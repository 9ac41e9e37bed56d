/** How a project runs things: commands that passed, and what failing ones lacked. Redacted. */
import { grouped } from '../../analyze/projects/card-item.ts'
import { type Purpose, purposeOfTask } from '../../analyze/projects/purpose.ts'
import { readFacts, type StoredFact } from '../../analyze/projects/read-facts.ts'
import { padded } from '../../core/padded.ts'
import { redactVisible } from '../../core/redact.ts'
import { toIso } from '../../core/time.ts'
import { shortTurnIds } from '../../ledgers/short-ids.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'

export interface HowForm {
  readonly purpose: string
  /** `<path>` and `<name>` stand for parts that vary. */
  readonly command: string
  /** Relative to the project; empty for its root. */
  readonly folder: string
  readonly flags: readonly string[]
  readonly environment: readonly string[]
  readonly passed: number
  readonly failed: number
  readonly sessions: number
  readonly last: string
  readonly id: string | null
}

export interface FailingForm extends Omit<HowForm, 'passed'> {
  /** Difference to the passing form: words, `NAME=` of variables, `folder: …`. */
  readonly lacked: readonly string[]
  readonly instead: string | null
  readonly error: string | null
}

export interface HowAnswer {
  readonly what: string
  readonly passed: readonly HowForm[]
  readonly failed: readonly FailingForm[]
  readonly tasks: readonly { readonly command: string; readonly runs: string; readonly id: string | null }[]
}

const MOST_PASSED = 8
const MOST_FAILED = 5
const MOST_TASKS = 8
const FILLER = new Set(
  'how what which are is was do does did i we you they the a an to of in this that our your my it be can should for with on and or here there project repository repo code run runs ran running command commands use used usually'.split(
    ' ',
  ),
)
const STEMS: Readonly<Record<string, string>> = {
  ...{
    tested: 'test',
    testing: 'test',
    built: 'build',
    building: 'build',
    released: 'release',
    releasing: 'release',
    linted: 'lint',
    linting: 'lint',
  },
  ...{
    formatted: 'format',
    formatting: 'format',
    deployed: 'deploy',
    published: 'publish',
    installed: 'install',
    generated: 'generate',
    started: 'start',
  },
  ...{ linter: 'lint', formatter: 'format', benchmarked: 'bench', checked: 'check', types: 'typecheck', typechecked: 'typecheck' },
}

export async function howIsItRun(
  store: Store,
  { agentId, scope, what }: { agentId: string; scope: ProjectScope; what: string },
): Promise<HowAnswer> {
  const facts = await readFacts(store, { agentId, scope, kinds: ['command', 'task'] })
  const terms = termsOf(what)
  const forms = grouped(
    facts.filter(({ kind }) => kind === 'command'),
    ({ key, value, detail }) => `${key}\n${value}\n${detail.folder ?? ''}`,
  ).map(formOf)
  const matching = best(forms, ({ purpose, command, environment }) => scoreOf(terms, purpose, `${command} ${environment.join(' ')}`))
  const tasks = best(
    grouped(
      facts.filter(({ kind }) => kind === 'task'),
      ({ key, detail }) => `${detail.runner} ${key}`,
    ),
    (all) => scoreOf(terms, purposeOfTask(all[0]?.key ?? ''), `${all[0]?.detail.runner} ${all[0]?.key}`),
  ).slice(0, MOST_TASKS)
  const passed = matching.filter((one) => one.passed > 0).sort(byWorth)
  const failing = matching.filter((one) => one.passed === 0 && one.failed > 0).sort((a, b) => b.failed - a.failed || b.at - a.at)
  const shownPassed = passed.slice(0, MOST_PASSED)
  const shownFailed = failing.slice(0, MOST_FAILED)
  const last = [...shownPassed, ...shownFailed].map(({ facts: all }) => all.at(-1) as StoredFact)
  const turns = [...last, ...tasks.map((all) => all.at(-1) as StoredFact)].flatMap(({ turn }) => turn ?? [])
  const short = await shortTurnIds(store, turns)
  const errors = await errorsOf(
    store,
    shownFailed.flatMap(({ facts: all }) => all.at(-1)?.call ?? []),
  )
  const shownForm = ({ facts: all, at, ...form }: Form) => ({
    ...form,
    command: redactVisible(form.command),
    last: toIso(at),
    id: short.get(all.at(-1)?.turn ?? '') ?? null,
  })
  return {
    what,
    passed: shownPassed.map(shownForm),
    failed: shownFailed.map((form) => {
      const { passed: _, ...shown } = shownForm(form)
      const nearest = nearestForm(form, passed)
      return {
        ...shown,
        lacked: nearest === undefined ? [] : lackedIn(form, nearest),
        instead: nearest === undefined ? null : redactVisible(nearest.command),
        error: errors.get(form.facts.at(-1)?.call ?? '') ?? null,
      }
    }),
    tasks: tasks.map((all) => {
      const fact = all.at(-1) as StoredFact
      return {
        command: redactVisible(`${fact.detail.runner} ${fact.key}`),
        runs: redactVisible(fact.value),
        id: short.get(fact.turn ?? '') ?? null,
      }
    }),
  }
}

interface Form extends Omit<HowForm, 'id' | 'last'> {
  readonly facts: readonly StoredFact[]
  readonly at: number
}

function termsOf(what: string): string[] {
  const words = what.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}:._-]*/gu) ?? []
  const stems = words.map(
    (word) => STEMS[word] ?? (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word),
  )
  const telling = stems.filter((word, i) => !FILLER.has(word) && !FILLER.has(words[i] as string))
  return telling.length > 0 ? telling : stems.filter((word) => word === 'run')
}

/** Number of query words that match. A purpose word must match the purpose. */
function scoreOf(terms: readonly string[], purpose: string, text: string): number {
  const lower = text.toLowerCase()
  const words = new Set(lower.split(/[\s=/"']+/))
  return terms.filter((term) => {
    const meant: Purpose = purposeOfTask(term)
    if (meant !== 'task' && (purpose === meant || purpose.includes(meant))) return true
    return (
      words.has(term) ||
      [...words].some((word) => word.startsWith(`${term}:`) || word.endsWith(`:${term}`)) ||
      purpose.split(/[\s-]/).includes(term)
    )
  }).length
}

function best<T>(all: readonly T[], score: (one: T) => number): T[] {
  const scored = all.map((one) => ({ one, score: score(one) }))
  const most = Math.max(0, ...scored.map((one) => one.score))
  return most === 0 ? [] : scored.filter((one) => one.score === most).map(({ one }) => one)
}

function formOf(facts: StoredFact[]): Form {
  const passes = facts.filter(({ detail }) => detail.state === 'passed')
  const named = (passes.length > 0 ? passes : facts).map(({ detail }) => String(detail.env ?? ''))
  const environment = named.filter((env) => env !== '').length > named.length / 2 ? mostOf(named.filter((env) => env !== '')) : ''
  const command = facts[0]?.value ?? ''
  const ordered = passes.length > 0 ? [...facts.filter((fact) => !passes.includes(fact)), ...passes] : facts
  return {
    ...{ purpose: facts[0]?.key ?? '', command, folder: String(facts[0]?.detail.folder ?? '') },
    flags: command.split(' ').filter((word) => word.startsWith('-')),
    environment: environment === '' ? [] : environment.split(' '),
    ...{ passed: passes.length, failed: facts.length - passes.length, sessions: new Set(facts.map(({ session }) => session)).size },
    ...{ at: ordered.at(-1)?.at ?? 0, facts: ordered },
  }
}

function mostOf(texts: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? ''
}

/** Whole runs before parts, passes before failures, newest first. */
function byWorth(a: Form, b: Form): number {
  const worth = ({ passed, command }: Form) => passed * (/<(?:name|path|value)>/.test(command) ? 0.3 : 1)
  return worth(b) - worth(a) || b.at - a.at
}

function nearestForm(failing: Form, passing: readonly Form[]): Form | undefined {
  const words = failing.command.split(' ')
  const scored = passing.map((form) => ({ form, same: form.command.split(' ').filter((word) => words.includes(word)).length }))
  return scored.sort((a, b) => b.same - a.same || b.form.passed - a.form.passed)[0]?.form
}

function lackedIn(failing: Form, passing: Form): string[] {
  const has = new Set(failing.command.split(' '))
  return [
    ...passing.command.split(' ').filter((word) => !has.has(word)),
    ...passing.environment.filter((name) => !failing.environment.includes(name)).map((name) => `${name}=`),
    ...(passing.folder === failing.folder ? [] : [`folder: ${passing.folder === '' ? '.' : passing.folder}`]),
  ].map((word) => redactVisible(word))
}

async function errorsOf({ read }: Store, calls: readonly string[]): Promise<Map<string, string>> {
  if (calls.length === 0) return new Map()
  const rows = await read
    .selectFrom('failures')
    .select(['call_id', 'line'])
    .where('call_id', 'in', padded([...calls]))
    .where('rank', '=', 0)
    .execute()
  return new Map(rows.map(({ call_id, line }) => [call_id, line]))
}
