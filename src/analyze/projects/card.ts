/** Builds a project's card from its facts. Each line cites the newest call or message. */
import { toIso } from '../../core/time.ts'
import { isNoDescription, ordersReader } from '../orders-reader.ts'
import { type Commands, commandLines } from './card-commands.ts'
import { type CardItem, type Cited, grouped, item } from './card-item.ts'
import { type CardPerson, peopleOf } from './card-people.ts'
import type { StoredFact, TouchedFile } from './read-facts.ts'

export interface ProjectCard {
  readonly about: readonly CardItem[]
  readonly languages: readonly CardItem[]
  readonly tools: readonly CardItem[]
  readonly dependencies: readonly CardItem[]
  readonly commands: Commands
  readonly people: readonly CardPerson[]
  readonly folders: readonly CardItem[]
  readonly files: readonly CardItem[]
  readonly allFiles: readonly CardItem[]
  readonly together: readonly CardItem[]
  readonly services: readonly CardItem[]
  readonly environment: readonly CardItem[]
  readonly terms: readonly (CardItem & { readonly term: string })[]
  readonly allTerms: readonly (CardItem & { readonly term: string })[]
  readonly commits: readonly CardItem[]
  readonly pulls: readonly CardItem[]
  readonly issues: readonly CardItem[]
  readonly branches: readonly CardItem[]
  readonly pitfalls: readonly CardItem[]
}

const MOST = {
  dependencies: 24,
  tools: 12,
  folders: 8,
  files: 10,
  allFiles: 200,
  together: 4,
  services: 8,
  environment: 16,
  terms: 12,
  pulls: 40,
  issues: 16,
  pitfalls: 6,
}

const SAID: ReadonlySet<StoredFact['kind']> = new Set(['term', 'caution', 'failure', 'pull', 'issue', 'commit', 'service', 'env'])

export type TitleOf = (session: string) => string | undefined

export function projectCard(
  facts: readonly StoredFact[],
  files: readonly TouchedFile[],
  turnOfCall: (call: string) => Cited | undefined,
  titleOf: TitleOf = () => undefined,
): ProjectCard {
  const of = (kind: StoredFact['kind']) => facts.filter((fact) => fact.kind === kind && (!SAID.has(kind) || !ordersReader(fact.value)))
  const current = latestOfFiles(facts)
  const terms = termsOf(of('term'))
  const people = peopleOf(of('person'))
  const ownerOf = ownerOfBranch(people)
  return {
    about: aboutOf(of('about')),
    languages: versions(current.filter(({ kind }) => kind === 'language')).sort(bySessions),
    tools: toolsOf(
      current.filter(({ kind }) => kind === 'tool'),
      of('command'),
      of('task'),
    ).slice(0, MOST.tools),
    dependencies: versions(current.filter(({ kind, detail }) => kind === 'dependency' && detail.dev !== true))
      .sort(bySessions)
      .slice(0, MOST.dependencies),
    commands: commandLines(
      of('command'),
      current.filter(({ kind }) => kind === 'task'),
    ),
    people,
    folders: foldersOf(files, turnOfCall).slice(0, MOST.folders),
    files: files.slice(0, MOST.files).flatMap((file) => changed(file.path, file, turnOfCall)),
    allFiles: files.slice(0, MOST.allFiles).flatMap((file) => changed(file.path, file, turnOfCall)),
    together: togetherOf(files.slice(0, 40), turnOfCall).slice(0, MOST.together),
    services: named(of('service')).slice(0, MOST.services),
    environment: environmentOf(of('env')).slice(0, MOST.environment),
    terms: terms
      .filter(({ term }) => !term.startsWith('--') && !IS_NAME_OF_CODE.test(term) && !OF_EVERY_PROGRAM.test(term))
      .slice(0, MOST.terms),
    allTerms: terms,
    commits: commitsOf(of('commit'), ownerOf),
    pulls: numbered(of('pull'), ownerOf).slice(0, MOST.pulls),
    issues: numbered(of('issue')).slice(0, MOST.issues),
    branches: branchesOf(of('branch'), of('commit'), of('pull'), titleOf),
    pitfalls: [...cautionsOf(of('caution')), ...failuresOf(of('failure'))].slice(0, MOST.pitfalls),
  }
}

const bySessions = (a: CardItem, b: CardItem) => b.sessions - a.sessions || b.at - a.at || (a.text < b.text ? -1 : 1)

/** Drops facts older than the last full view of their file, which may no longer contain them. */
function latestOfFiles(facts: readonly StoredFact[]): StoredFact[] {
  const whole = new Map<string, number>()
  for (const { detail, at } of facts)
    if (detail.whole === true && typeof detail.file === 'string') whole.set(detail.file, Math.max(whole.get(detail.file) ?? 0, at))
  return facts.filter(({ detail, at }) => typeof detail.file !== 'string' || at >= (whole.get(detail.file) ?? 0))
}

/** A file's self-description is the claim of its author. */
function aboutOf(facts: readonly StoredFact[]): CardItem[] {
  const last = (key: string) => facts.filter((fact) => fact.key === key && !isNoDescription(fact.value)).at(-1)
  const described = last('description') ?? last('readme')
  const named = last('module') ?? last('package')
  return [described, named].flatMap((fact) =>
    fact === undefined
      ? []
      : fact === named
        ? [item(`${fact.key} ${fact.value}`, [fact])]
        : [{ ...item(fact.value, [fact]), trust: 'untrusted' }],
  )
}

function versions(facts: readonly StoredFact[]): CardItem[] {
  return grouped(facts, ({ key }) => key).map((all) => {
    const [first] = all
    const version = all.findLast(({ value }) => value !== '')
    return item(
      [first?.key, version?.value].filter(Boolean).join(' '),
      version === undefined ? all : [...all.filter((one) => one !== version), version],
    )
  })
}

const RUNNER = /^(mise|just|task|make|npm|pnpm|yarn|bun|cargo|poetry|uv|gradle|mvn|bundle|rake|deno|nx|turbo|docker)\b/

function toolsOf(facts: readonly StoredFact[], commands: readonly StoredFact[], tasks: readonly StoredFact[]): CardItem[] {
  const found = versions(facts)
  const ran = commands.filter(({ detail }) => detail.state === 'passed')
  for (const all of grouped(
    [...ran, ...tasks],
    ({ value, detail }) => RUNNER.exec(typeof detail.runner === 'string' ? detail.runner : value)?.[1] ?? '',
  )) {
    const name = RUNNER.exec(String(all[0]?.detail.runner ?? all[0]?.value))?.[1]
    if (name !== undefined && !found.some(({ text }) => text.toLowerCase().startsWith(name))) found.push(item(name, all))
  }
  return found.sort(bySessions)
}

function changed(text: string, file: TouchedFile, turnOfCall: (call: string) => Cited | undefined): CardItem[] {
  const cite = turnOfCall(file.call)
  return cite === undefined ? [] : [{ text: `${text} (${file.changes})`, sessions: file.sessions.size, trust: 'agent', ...cite }]
}

function foldersOf(files: readonly TouchedFile[], turnOfCall: (call: string) => Cited | undefined): CardItem[] {
  const found = new Map<string, { changes: number; sessions: Set<string>; last: TouchedFile }>()
  for (const file of files) {
    const folder = file.path.includes('/') ? file.path.slice(0, file.path.lastIndexOf('/')) : '.'
    const before = found.get(folder) ?? { changes: 0, sessions: new Set<string>(), last: file }
    for (const session of file.sessions) before.sessions.add(session)
    found.set(folder, {
      changes: before.changes + file.changes,
      sessions: before.sessions,
      last: file.at > before.last.at ? file : before.last,
    })
  }
  return [...found]
    .filter(([, { changes }]) => changes > 1)
    .sort(([a, one], [b, two]) => two.changes - one.changes || (a < b ? -1 : 1))
    .flatMap(([folder, { changes, sessions, last }]) =>
      changed(folder === '.' ? './' : `${folder}/`, { ...last, changes, sessions }, turnOfCall),
    )
}

const LEAST_TOGETHER = 4
const MOST_OF_BRANCH = 3

function togetherOf(files: readonly TouchedFile[], turnOfCall: (call: string) => Cited | undefined): CardItem[] {
  const pairs: { a: TouchedFile; b: TouchedFile; both: Set<string> }[] = []
  for (const [i, a] of files.entries())
    for (const b of files.slice(i + 1)) {
      const both = new Set([...a.sessions].filter((session) => b.sessions.has(session)))
      if (both.size >= LEAST_TOGETHER && both.size * 2 >= Math.min(a.sessions.size, b.sessions.size)) pairs.push({ a, b, both })
    }
  return pairs
    .sort((x, y) => y.both.size - x.both.size || (x.a.path < y.a.path ? -1 : 1))
    .flatMap(({ a, b, both }) => {
      const cite = turnOfCall((a.at > b.at ? a : b).call)
      return cite === undefined ? [] : [{ text: `${a.path} with ${b.path}`, sessions: both.size, trust: 'agent', ...cite }]
    })
}

function named(facts: readonly StoredFact[]): CardItem[] {
  return grouped(facts, ({ key }) => key)
    .map((all) =>
      item(
        [all[0]?.key, [...new Set(all.map(({ value }) => value))].filter((value) => value !== '' && value !== all[0]?.key).join(', ')]
          .filter(Boolean)
          .join(': '),
        all,
      ),
    )
    .sort(bySessions)
}

function tells(fact: StoredFact): number {
  return from(fact) + (fact.value.includes(fact.key) || /\benv(?:ironment)?\b/i.test(fact.value) ? 2 : 0)
}

function environmentOf(facts: readonly StoredFact[]): CardItem[] {
  return grouped(facts, ({ key }) => key)
    .map((all) => {
      const purpose = all.filter(({ value }) => value !== '').sort((a, b) => tells(b) - tells(a) || b.at - a.at)[0]
      const name = all[0]?.key ?? ''
      if (purpose === undefined) return { ...item(name, all), key: name }
      return { ...item(`${name}: ${purpose.value}`, [...all.filter((one) => one !== purpose), purpose]), key: name }
    })
    .sort(bySessions)
}

/** Code names concern only readers of the code; terms are words. */
const IS_NAME_OF_CODE = /[a-z][A-Z]|_|^[a-z]+$/
const OF_EVERY_PROGRAM =
  /^(?:state|action|entry|type|option|config|configuration|setting|result|info|context|content|data|item|event|message|handler|manager|client|server|service|request|response|error|node|key|value|model|view|controller|user|command|flag|input|output|file|path|id|metadata|field|object|string|byte|buffer|cache|map|set|list|queue|task|job|worker|logger|status|mode|kind|store|reader|writer|parser|interface|point|position|reference|interaction|head|block)s?$/i
const BEST_FROM: Readonly<Record<string, number>> = { document: 3, comment: 2, said: 1 }

function termsOf(facts: readonly StoredFact[]): (CardItem & { readonly term: string })[] {
  return grouped(facts, ({ key }) => key)
    .flatMap((all) => {
      const best = [...all].sort((a, b) => from(b) - from(a) || b.at - a.at)[0]
      const term = String(best?.detail.term ?? '')
      if (best === undefined) return []
      return [{ ...item(best.value, [...all.filter((one) => one !== best), best]), term, rank: from(best) }]
    })
    .sort((a, b) => b.rank * 3 + b.sessions - (a.rank * 3 + a.sessions) || (a.term < b.term ? -1 : 1))
    .map(({ rank: _, ...rest }) => rest)
}

const from = ({ detail }: StoredFact): number => BEST_FROM[String(detail.from)] ?? 0

/** `#12 Title (open, branch)` with the latest title, state and branch. Most worked on first, then newest. */
function numbered(facts: readonly StoredFact[], ownerOf: OwnerOfBranch = () => undefined): CardItem[] {
  return grouped(facts, ({ key }) => key)
    .flatMap((all) => {
      const title = all.findLast(({ value }) => value !== '')
      if (title === undefined) return []
      const last = (name: string) => all.findLast(({ detail }) => typeof detail[name] === 'string')?.detail[name]
      const state = last('state')
      const about = [
        state === undefined
          ? undefined
          : `${state} on ${toIso(all.findLast(({ detail }) => detail.state === state)?.at ?? 0).slice(0, 10)}`,
        last('branch'),
        last('author') === undefined ? branchOf(ownerOf(last('branch'))) : `by ${last('author')}`,
      ]
        .filter(Boolean)
        .join(', ')
      return [
        {
          ...item(`${title.key} ${title.value}${about === '' ? '' : ` (${about})`}`, all),
          key: title.key,
          number: Number(/\d+/.exec(title.key)?.[0] ?? 0),
        },
      ]
    })
    .sort((a, b) => Math.min(b.sessions, 3) - Math.min(a.sessions, 3) || b.at - a.at || b.number - a.number)
    .map(({ number: _, ...rest }) => rest)
}

function branchesOf(
  facts: readonly StoredFact[],
  commits: readonly StoredFact[],
  pulls: readonly StoredFact[],
  titleOf: TitleOf,
): CardItem[] {
  const on = (all: readonly StoredFact[]) =>
    all.filter(({ detail }) => typeof detail.branch === 'string').map((fact) => ({ ...fact, key: String(fact.detail.branch) }))
  const [made, opened] = [on(commits), on(pulls)]
  return grouped(
    [...facts, ...made, ...opened].sort((a, b) => a.at - b.at),
    ({ key }) => key,
  )
    .map((all) => {
      const name = all[0]?.key ?? ''
      const isDefault = all.some(({ detail }) => detail.default === true)
      const of = (some: readonly StoredFact[], text: (fact: StoredFact) => string) =>
        [...new Set(some.filter(({ key }) => key === name).map(text))].filter((one) => one !== '').slice(-MOST_OF_BRANCH)
      const said = [
        ...of(opened, (fact) => `${pulls.find(({ id }) => id === fact.id)?.key} ${fact.value}`),
        ...of(made, ({ value }) => value),
        ...of(facts, ({ session }) => titleOf(session) ?? ''),
      ]
      const about = isDefault || said.length === 0 ? '' : `: ${[...new Set(said)].join('; ')}`
      return { ...item(`${name}${isDefault ? ' (default)' : ''}${about}`, all), key: name, isDefault }
    })
    .sort((a, b) => Number(b.isDefault) - Number(a.isDefault) || b.at - a.at)
    .map(({ isDefault: _, ...rest }) => rest)
}

function commitsOf(facts: readonly StoredFact[], ownerOf: OwnerOfBranch): CardItem[] {
  return grouped(facts, ({ key }) => key).flatMap((all) => {
    const last = (name: string) => all.findLast(({ detail }) => typeof detail[name] === 'string')?.detail[name]
    const author = last('author')
    const who = author === undefined ? branchOf(ownerOf(last('branch'))) : `by ${author}`
    return who === undefined ? [] : [item(`${all[0]?.key} ${all.at(-1)?.value} (${who})`, all)]
  })
}

type OwnerOfBranch = (branch: unknown) => string | undefined

/** Many teams prefix branches with an account: `ada/fix-gate`. Only accounts known from git or the code host count. */
function ownerOfBranch(people: readonly CardPerson[]): OwnerOfBranch {
  const known = new Map(people.flatMap(({ name, login, text }) => [login ?? name, name].map((one) => [one.toLowerCase(), text] as const)))
  return (branch) => (typeof branch === 'string' && branch.includes('/') ? known.get(branch.split('/')[0]?.toLowerCase() ?? '') : undefined)
}

const branchOf = (who: string | undefined): string | undefined => (who === undefined ? undefined : `branch of ${who}`)

function cautionsOf(facts: readonly StoredFact[]): CardItem[] {
  return grouped(facts, ({ key }) => key)
    .map((all) => item(all.at(-1)?.value ?? '', all))
    .sort(bySessions)
}

/** Setup problems that recur in several sessions. Errors of code in progress are no pitfalls. */
const ABOUT_SETUP =
  /command not found|no such command|no task|missing script|module not found|not installed|permission denied|not installed|unsupported|could not resolve|connection refused|certificate|no space left|address already in use|authentication|unauthorized|forbidden|too old|requires|incompatible/i
const LEAST_SESSIONS = 2

function failuresOf(facts: readonly StoredFact[]): CardItem[] {
  return grouped(facts, ({ key }) => key)
    .map((all) => ({ ...item(`\`${all.at(-1)?.detail.command}\`: ${all.at(-1)?.value}`, all), value: all.at(-1)?.value ?? '' }))
    .filter(({ sessions, value }) => sessions >= LEAST_SESSIONS && ABOUT_SETUP.test(value))
    .sort(bySessions)
    .map(({ value: _, ...rest }) => rest)
}
