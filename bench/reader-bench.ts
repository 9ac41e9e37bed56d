/**
 * The memory-reader. Coding questions as prompts: how often 1,500 tokens hold the needed fact, beside search hits of equal size;
 * definitions as in tokens-to-fact.ts. Then prompts that need no memory: how often it is silent. `no-memory.json` has hashes, never text.
 * Half tuned the rules (`tune`); of the rest (`judge`) only counts were read, several times. All questions were known to the rules' author.
 * `absent-subjects.json` asks about unknown subjects: how often it gives nothing.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Mnemonic, openMnemonic } from 'agent-mnemonic'
import { ASKED_AT, type CodingQuestion, codingFolder, codingQuestions } from './coding-data.ts'
import { cachedEmbedder, type Embedder } from './retrieval-cache.ts'
import { dist } from './retrieval-home.ts'
import type { BenchContext } from './run.ts'
import { table } from './table.ts'
import { loaded, messageTexts, neededSentence, rarity, type Tools, worthIn } from './tokens-to-fact.ts'

type LoadMinilm = typeof import('../src/embed/open-embedder.ts')
type Open = typeof import('../src/store/sqlite/open.ts')
type ShortIds = typeof import('../src/ledgers/short-ids.ts')

const BUDGET = 1500
const HITS = 40
/** Folder of most coding sessions. */
const FOLDER = '/Users/soph/Work/entire/devenv/cli'
const LABELS = new URL('../../../bench/labels/no-memory.json', import.meta.url)
const ABSENT = new URL('../../../bench/labels/absent-subjects.json', import.meta.url)
const FIXTURES = fileURLToPath(new URL('../../../../shared/fixtures', import.meta.url))
const HARNESSES = ['claude-code', 'codex', 'cursor', 'other', 'pi-openclaw']

interface Label {
  readonly prompt: string
  readonly from: 'coding' | 'fixtures'
  readonly half: 'tune' | 'judge'
}

export async function readerBench(context: BenchContext): Promise<void> {
  const { root, print } = context
  const folder = codingFolder(context)
  if (!existsSync(join(folder, 'sessions.tar.xz'))) {
    print(`left out: no sessions.tar.xz in ${folder}; bench/coding/README.md says how to get the sessions`)
    return
  }
  const logs = join(root, 'reader', 'logs')
  mkdirSync(logs, { recursive: true })
  execFileSync('tar', ['xJf', join(folder, 'sessions.tar.xz'), '-C', logs])
  const { loadMinilm } = await dist<LoadMinilm>('embed/open-embedder.js')
  const embedder = await cachedEmbedder((await loadMinilm({ modelsFolder: join(root, 'models') })) as Embedder)
  const home = join(root, 'reader', 'home')
  const mnemonic = await openMnemonic({
    ...{ home, workspace: join(root, 'reader', 'workspace'), clock: () => ASKED_AT, embedder },
    config: { owner: { timezone: 'UTC' }, embedding: { sync_seconds: 0 } },
  })
  try {
    await mnemonic.sync({ path: logs, adapters: ['claude-code'] })
    await mnemonic.embedding.run()
    print(await facts(mnemonic, home))
    print(await absentSubjects(mnemonic))
    for (const name of existsSync(FIXTURES) ? HARNESSES : []) await mnemonic.sync({ path: join(FIXTURES, name), embed: false })
    print(await silence(mnemonic))
  } finally {
    await mnemonic.close()
    await embedder.close()
  }
}

interface Shown {
  readonly turn: string
  readonly text: string
}

async function facts(mnemonic: Mnemonic, home: string): Promise<string> {
  const tools = await loaded()
  const texts = await messageTexts(mnemonic)
  const worth = rarity([...texts.values()], tools)
  const turnOf = await turnsOfMessages(mnemonic, home)
  const rows = { reader: [0, 0, 0, 0], chunks: [0, 0, 0, 0], answer: [0, 0, 0, 0] }
  const questions = codingQuestions()
  let most = 0
  const add = (row: number[], question: CodingQuestion, shown: readonly Shown[], half: number) => {
    const share = held(question, shown, { tools, texts, worth, turnOf })
    row[0] = (row[0] ?? 0) + share.sentence
    row[1] = (row[1] ?? 0) + share.shown
    row[2 + half] = (row[2 + half] ?? 0) + share.sentence
  }
  let spoken = 0
  for (const [i, question] of questions.entries()) {
    const given = await mnemonic.read({ prompt: question.question, folder: FOLDER, maxTokens: BUDGET })
    if (given.needed) spoken++
    most = Math.max(most, tools.countTokens(given.text))
    add(
      rows.reader,
      question,
      given.pieces.map(({ citation, text }) => ({ turn: citation, text })),
      i % 2,
    )
    const { results } = await mnemonic.search({ query: question.question, limit: HITS, prefer_project: FOLDER })
    add(
      rows.chunks,
      question,
      fitting(results, (some) => some.reduce((sum, { content }) => sum + tools.countTokens(content), 0)).map(({ id, content }) => ({
        turn: id,
        text: content,
      })),
      i % 2,
    )
    const answer = await mnemonic.memorySearch({ query: question.question, limit: HITS, prefer_project: FOLDER })
    const told = (some: typeof answer.results) =>
      tools.countTokens(tools.searchForAgent({ ...answer, results: some }, { now: ASKED_AT, hints: tools.TOOL_HINTS }))
    add(
      rows.answer,
      question,
      fitting(answer.results, told).map(({ id, excerpt }) => ({ turn: id, text: excerpt })),
      i % 2,
    )
  }
  const cells = (row: readonly number[]) =>
    [row[0], row[1]]
      .map((sum) => percent(sum ?? 0, questions.length))
      .concat([row[2], row[3]].map((sum) => percent(sum ?? 0, questions.length / 2)))
  return table(
    `Reader: the needed fact within ${BUDGET} tokens, % of ${questions.length} questions (it spoke on ${spoken}; at most ${most} tokens)`,
    ['', 'sentence', 'its turn', 'sentence, even', 'sentence, odd'],
    [
      ['reader', ...cells(rows.reader)],
      ['first hits, whole chunks', ...cells(rows.chunks)],
      ['first hits, as MCP tells them', ...cells(rows.answer)],
    ],
  )
}

/** By their joint cost. */
function fitting<T>(hits: readonly T[], cost: (some: readonly T[]) => number): readonly T[] {
  let count = 0
  while (count < hits.length && cost(hits.slice(0, count + 1)) <= BUDGET) count++
  return hits.slice(0, count)
}

interface Corpus {
  readonly tools: Tools
  readonly texts: ReadonlyMap<string, string>
  readonly worth: (word: string) => number
  readonly turnOf: ReadonlyMap<string, string>
}

/** Facts whose sentence is present, and facts with anything of their turn. */
function held(
  question: CodingQuestion,
  shown: readonly Shown[],
  { tools, texts, worth, turnOf }: Corpus,
): { sentence: number; shown: number } {
  let sentence = 0
  let any = 0
  for (const fact of question.facts) {
    const turns = new Set([...fact].map((id) => turnOf.get(id)))
    const own = shown.filter(({ turn }) => turns.has(turn))
    const needed = neededSentence(question, fact, { texts, worth, tools })
    const text = own.map((one) => one.text).join('\n')
    if (own.length > 0) any++
    if (needed.worth > 0 && worthIn(text, needed.words, tools) >= 0.8 * needed.worth) sentence++
  }
  return { sentence: sentence / question.facts.length, shown: any / question.facts.length }
}

/** Message id to short turn id. */
async function turnsOfMessages(mnemonic: Mnemonic, home: string): Promise<Map<string, string>> {
  const { openSqlite } = await dist<Open>('store/sqlite/open.js')
  const { shortTurnIds } = await dist<ShortIds>('ledgers/short-ids.js')
  const store = await openSqlite({ path: join(home, 'mnemonic.db'), clock: () => ASKED_AT })
  try {
    const rows: (readonly unknown[])[] = []
    for (let from = 0; from === rows.length; from += PAGE)
      rows.push(...(await mnemonic.sql(`${TURNS} limit ${PAGE} offset ${from}`, { limit: PAGE })).rows)
    const short = await shortTurnIds(store, [...new Set(rows.map(([, turn]) => String(turn)))])
    return new Map(rows.map(([id, turn]) => [String(id), short.get(String(turn)) ?? '']))
  } finally {
    await store.close()
  }
}

const TURNS = 'select native_id, turn_id from agent_messages where turn_id is not null order by id'
const PAGE = 10_000
const PROMPTS = `select m.content, s.source, s.native_id, coalesce(s.workspace_path, s.project) from agent_messages m join agent_sessions s on s.id = m.session_id
  where m.role = 'user' and m.kind = 'prompt' and s.is_subagent = 0`

async function absentSubjects(mnemonic: Mnemonic): Promise<string> {
  const asked = JSON.parse(readFileSync(ABSENT, 'utf8')) as Pick<Label, 'prompt' | 'half'>[]
  const rows: string[][] = []
  for (const half of ['tune', 'judge'] as const) {
    const given: number[] = []
    for (const { prompt } of asked.filter((one) => one.half === half))
      given.push((await mnemonic.read({ prompt, folder: FOLDER, maxTokens: BUDGET })).text.length)
    const silent = given.filter((length) => length === 0).length
    rows.push([half, String(given.length), String(silent), percent(silent, given.length)])
  }
  return table('Reader: gives nothing of subjects that memory never had', ['', 'prompts', 'nothing', '%'], rows)
}

async function silence(mnemonic: Mnemonic): Promise<string> {
  const labels = new Map((JSON.parse(readFileSync(LABELS, 'utf8')) as Label[]).map((label) => [label.prompt, label]))
  const { rows } = await mnemonic.sql(PROMPTS, { limit: PAGE })
  const counts = new Map<string, { all: number; silent: number }>()
  for (const [content, harness, session, folder] of rows) {
    const prompt = String(content).trim()
    const label = labels.get(createHash('sha256').update(prompt).digest('hex').slice(0, 16))
    if (label === undefined) continue
    labels.delete(label.prompt)
    const { needed } = await mnemonic.read({ prompt, harness: String(harness), session: `${session}`, folder: String(folder ?? FOLDER) })
    for (const name of [label.half, `${label.half}, ${label.from}`]) {
      const count = counts.get(name) ?? { all: 0, silent: 0 }
      counts.set(name, { all: count.all + 1, silent: count.silent + (needed ? 0 : 1) })
    }
  }
  return table(
    `Reader: silent on prompts that need no memory (${labels.size} of the labelled are not here)`,
    ['', 'prompts', 'silent', '%'],
    [...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { all, silent }]) => [name, String(all), String(silent), percent(silent, all)]),
  )
}

function percent(part: number, whole: number): string {
  return ((100 * part) / whole).toFixed(1)
}
