/**
 * Questions with labelled answers, as prompts and as searches: how often 400 tokens of context hold an answer. Then prompts that need no
 * memory, and the project card. Each LoCoMo conversation, the samples and the coding sessions have own homes, analysed by rules. The half
 * in `bench/know` may be read; of the other (`--held-out DIR`) only counts are printed.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ConfigInput, copySamples, type Mnemonic, openMnemonic } from 'agent-mnemonic'
import { ASKED_AT, codingFolder } from './coding-data.ts'
import { type CardFact, type Half, holds, type KnowLabels, type KnowQuestion, knowLabels } from './know-data.ts'
import { knowPeople } from './know-people.ts'
import { folder, openEmbedder } from './retrieval-bench.ts'
import type { CachedEmbedder } from './retrieval-cache.ts'
import { type Haystack, locomo } from './retrieval-data.ts'
import { writeSessions } from './retrieval-home.ts'
import type { BenchContext } from './run.ts'
import { table } from './table.ts'
import { loaded, type Tools } from './tokens-to-fact.ts'

const BUDGET = 400
const HITS = 10
/** Folder of most coding sessions. */
export const PROJECT = '/Users/soph/Work/entire/devenv/cli'
const BIN = fileURLToPath(new URL('../../../dist/cli/bin.js', import.meta.url))
const LONGEST_LINE = 160
/** For a run of all benches. */
const BRIEF_STORIES = 5
const SAMPLES_OWNER = {
  owner: { name: 'Jason Wu', timezone: 'Australia/Melbourne', emails: ['jason@lantern.example'], phones: ['+61 491 570 110'] },
  sources: { imessage: { enabled: true }, gmail: { enabled: true }, calendar: { enabled: true }, contacts: { enabled: true } },
} as const

/** One home and its questions. */
export interface Room {
  readonly name: string
  readonly questions: readonly KnowQuestion[]
  readonly now: number
  readonly folder?: string
  readonly config: ConfigInput
  readonly write: (logs: string) => Promise<void> | void
  readonly adapters?: readonly string[]
}

interface Told {
  readonly holds: boolean
  readonly tokens: number
}

export interface Answered {
  readonly question: KnowQuestion
  readonly reader: Told
  readonly search: Told
  readonly tool: Told
}

export async function knowBench(context: BenchContext): Promise<void> {
  const { root, print, words } = context
  const labels = knowLabels(context)
  const tools = await loaded()
  const embedder = words || context.brief ? undefined : await openEmbedder(context)
  const answered: Answered[] = []
  try {
    for (const room of rooms(context, labels)) {
      const at = join(root, 'know', room.name)
      const mnemonic = await openRoom(at, room, embedder)
      try {
        for (const question of room.questions) answered.push(await ask(mnemonic, question, { room, tools }))
        if (room.folder !== undefined) print(await silence(mnemonic, labels, room.folder))
      } finally {
        await mnemonic.close()
      }
      if (room.folder !== undefined) printCard(context, labels, at)
    }
  } finally {
    await embedder?.close()
  }
  if (answered.length > 0) print(found(answered, embedder === undefined ? 'words alone' : 'with vectors'))
  const missed = answered.filter(({ question, reader }) => question.half === 'dev' && !reader.holds)
  if (answered.length > 0) print(`\nthe reader lacks, of the dev half: ${missed.map(({ question }) => question.id).join(' ') || 'none'}`)
  if (['people', undefined].includes(context.options.get('only')))
    await knowPeople(context, context.brief ? labels.stories.slice(0, BRIEF_STORIES) : labels.stories)
}

function rooms(context: BenchContext, { questions }: KnowLabels): Room[] {
  const of = (set: KnowQuestion['set']) => questions.filter((question) => question.set === set)
  const samples: Room = {
    ...{ name: 'samples', questions: of('samples'), now: ASKED_AT, config: SAMPLES_OWNER },
    write: (logs) => copySamples(logs),
  }
  if (context.brief) return [samples]
  const archive = join(codingFolder(context), 'sessions.tar.xz')
  if (!existsSync(archive)) context.print(`left out: no ${archive}; bench/coding/README.md says how to get the sessions`)
  const coding: Room = {
    ...{ name: 'coding', questions: of('coding'), now: ASKED_AT, folder: PROJECT, adapters: ['claude-code'] },
    config: { owner: { timezone: 'UTC' } },
    write(logs) {
      mkdirSync(logs, { recursive: true })
      execFileSync('tar', ['xJf', archive, '-C', logs])
    },
  }
  const conversations = (folder(context, 'locomo', locomo) ?? []).map((haystack) => conversationRoom(haystack, of('locomo')))
  const all = [samples, ...conversations, ...(existsSync(archive) ? [coding] : [])]
  const only = context.options.get('only')
  return only === undefined ? all : all.filter(({ name }) => name.startsWith(only))
}

function conversationRoom(haystack: Haystack, questions: readonly KnowQuestion[]): Room {
  return {
    ...{ name: `locomo-${haystack.name}`, now: haystack.now, adapters: ['jsonl'] },
    questions: questions.filter(({ conversation }) => conversation === haystack.name),
    config: { owner: { name: 'Bench Owner', timezone: 'UTC' } },
    write: (logs) => writeSessions(logs, haystack),
  }
}

async function openRoom(at: string, { now, config, adapters, write }: Room, embedder: CachedEmbedder | undefined): Promise<Mnemonic> {
  const logs = join(at, 'logs')
  await write(logs)
  const mnemonic = await openMnemonic({
    ...{ home: join(at, 'home'), workspace: join(at, 'workspace'), clock: () => now },
    config: { ...config, embedding: { sync_seconds: 0 } },
    ...(embedder === undefined ? {} : { embedder }),
  })
  await mnemonic.sync({ path: logs, embed: false, ...(adapters === undefined ? {} : { adapters: [...adapters] }) })
  if (embedder !== undefined) await mnemonic.embedding.run()
  await mnemonic.analyze()
  return mnemonic
}

export async function ask(mnemonic: Mnemonic, question: KnowQuestion, { room, tools }: { room: Room; tools: Tools }): Promise<Answered> {
  const query = question.question
  const scope = room.folder === undefined ? {} : { prefer_project: room.folder }
  const told = (text: string): Told => ({ holds: holds(text, question), tokens: tools.countTokens(text) })
  const given = await mnemonic.read({
    ...{ prompt: query, maxTokens: BUDGET },
    ...(room.folder === undefined ? {} : { folder: room.folder }),
  })
  const { results } = await mnemonic.search({ query, limit: HITS, ...scope })
  const answer = await mnemonic.memorySearch({ query, limit: HITS, ...scope })
  return {
    question,
    reader: told(given.text),
    search: told(cut(results.map(({ content }) => content).join('\n\n'), tools)),
    tool: told(cut(tools.searchForAgent(answer, { now: room.now, hints: tools.TOOL_HINTS }), tools)),
  }
}

function cut(text: string, { countTokens }: Tools): string {
  const parts = text.split(/(?<=\s)/)
  let low = 0
  let high = parts.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (countTokens(parts.slice(0, middle).join('')) <= BUDGET) low = middle
    else high = middle - 1
  }
  return parts.slice(0, low).join('')
}

export function found(answered: readonly Answered[], how: string): string {
  const sets = [...new Set(answered.map(({ question }) => question.set))]
  const halves: Half[] = ['dev', 'held-out']
  const row = (name: string, some: readonly Answered[]) => {
    const share = (of: (one: Answered) => Told) => percent(some.filter((one) => of(one).holds).length, some.length)
    const spoken = some.filter(({ reader }) => reader.tokens > 0)
    const tokens = spoken.reduce((sum, { reader }) => sum + reader.tokens, 0) / Math.max(1, spoken.length)
    return [
      name,
      String(some.length),
      share(({ reader }) => reader),
      ...[`${spoken.length}`, tokens.toFixed(0), String(Math.max(0, ...some.map(({ reader }) => reader.tokens)))],
      ...[share(({ search }) => search), share(({ tool }) => tool)],
    ]
  }
  const rows = halves.flatMap((half) => {
    const own = answered.filter(({ question }) => question.half === half)
    if (own.length === 0) return []
    return [
      ...sets.map((set) =>
        row(
          `${set}, ${half}`,
          own.filter(({ question }) => question.set === set),
        ),
      ),
      row(`all, ${half}`, own),
    ]
  })
  return table(
    `Know: an accepted answer within ${BUDGET} tokens, % of questions (${how})`,
    ['', 'questions', 'reader', 'it spoke', 'tokens', 'most', 'first hits of search', 'memory_search as told'],
    rows,
  )
}

async function silence(mnemonic: Mnemonic, { chores }: KnowLabels, folder: string): Promise<string> {
  const counts = new Map<Half, { all: number; silent: number; spoken: string[] }>()
  for (const { id, prompt, half } of chores) {
    const { needed } = await mnemonic.read({ prompt, folder, maxTokens: BUDGET })
    const count = counts.get(half) ?? { all: 0, silent: 0, spoken: [] }
    counts.set(half, { all: count.all + 1, silent: count.silent + (needed ? 0 : 1), spoken: needed ? [...count.spoken, id] : count.spoken })
  }
  return table(
    'Know: silent on chores',
    ['', 'prompts', 'silent', '%', 'spoke on'],
    [...counts].map(([half, { all, silent, spoken }]) => [
      half,
      ...[String(all), String(silent), percent(silent, all)],
      half === 'dev' ? spoken.join(' ') : '',
    ]),
  )
}

/** Entries are lines of text, or elements of the outermost arrays in JSON. */
function printCard({ print }: BenchContext, { card, verdicts }: KnowLabels, at: string): void {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [BIN, '--home', join(at, 'home'), '--workspace', join(at, 'workspace'), ...args], { encoding: 'utf8' })
  const [first] = projectsIn(run('--json', 'projects').stdout)
  const printed = run('--no-for-agent', 'project', ...(first === undefined ? [] : [first]))
  if (printed.status !== 0) {
    print(`\nno card yet: mnemonic project ended with ${printed.status}: ${printed.stderr.trim().split('\n')[0]}`)
    return
  }
  const json = run('--json', 'project', ...(first === undefined ? [] : [first]))
  const lines = printed.stdout.split('\n').filter((line) => line.trim() !== '')
  const forms = [['as printed', lines] as const, ['as JSON', json.status === 0 ? entriesIn(JSON.parse(json.stdout)) : []] as const]
  print(
    table(
      'Know: the project card',
      ['', 'entries', 'right', 'wrong', 'not judged', 'precision, %', 'recall dev, %', 'recall held out, %'],
      forms.map(([name, entries]) => {
        const judged = entries.map((entry) => judge(entry, card, verdicts))
        const count = (verdict: Verdict) => judged.filter((one) => one === verdict).length
        const recall = (half: Half) => {
          const facts = card.filter((fact) => fact.half === half)
          return percent(facts.filter((fact) => entries.some((entry) => holds(entry, fact))).length, facts.length)
        }
        return [
          name,
          ...[String(entries.length), String(count('right')), String(count('wrong')), String(count('unknown'))],
          ...[percent(count('right'), count('right') + count('wrong')), recall('dev'), recall('held-out')],
        ]
      }),
    ),
  )
  const open = lines.filter((line) => judge(line, card, verdicts) === 'unknown').map((line) => line.slice(0, LONGEST_LINE))
  if (open.length > 0) print(`\nlines that nobody judged (bench/know/card-verdicts.json):\n${open.join('\n')}`)
  const missed = card.filter((fact) => fact.half === 'dev' && !lines.some((line) => holds(line, fact)))
  print(`\nthe card lacks, of the dev half: ${missed.map(({ id, fact }) => `${id} ${fact}`).join('; ') || 'none'}`)
}

type Verdict = 'right' | 'wrong' | 'unknown'

/** A human verdict wins: a line may name a fact and be wrong. */
function judge(entry: string, card: readonly CardFact[], verdicts: KnowLabels['verdicts']): Verdict {
  const verdict = verdicts.find(({ line }) => holds(entry, { accept: [line] }))
  if (verdict !== undefined) return verdict.right ? 'right' : 'wrong'
  return card.some((fact) => holds(entry, fact)) ? 'right' : 'unknown'
}

/** Most sessions first. */
function projectsIn(json: string): string[] {
  const { projects } = JSON.parse(json) as { projects: { name: string; sessions: number }[] }
  return projects.toSorted((a, b) => b.sessions - a.sessions).map(({ name }) => name)
}

function entriesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.map((element) => leavesOf(element).join(' '))
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(entriesIn) : []
}

function leavesOf(value: unknown): string[] {
  if (value === null || value === undefined) return []
  return typeof value === 'object' ? Object.values(value).flatMap(leavesOf) : [String(value)]
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : ((100 * part) / whole).toFixed(1)
}
