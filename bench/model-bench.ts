/**
 * The value of a language model: prompts wait in a folder (`--answers DIR`) for anybody to answer. `--ask` only collects prompts. Otherwise
 * answers serve as those of any provider. Measures calls, tokens, kept and refused findings; a sample to judge (`DIR/sample.jsonl`,
 * `DIR/verdicts.jsonl`); `know` before and after; likely questions. `--only reading` or `questions` runs a part.
 */
import { isAbsolute, join, resolve } from 'node:path'
import type { Mnemonic } from 'agent-mnemonic'
import { type Answered, ask, found } from './know-bench.ts'
import { type Asked, askedIn, forgetAsked } from './model-folder.ts'
import { answeredBy, type GraphLine, graphLines, type Sampled, sampled, verdictsIn, writeSample } from './model-graph.ts'
import { chunksOf, likelyQuestions, trialSessions } from './model-questions.ts'
import { chosenSessions, openedWithModel, readByModel, withStore } from './model-reading.ts'
import { verdictsOf } from './model-refusals.ts'
import { codingRoom, copyOf, keptHome, type ModelRoom, modelRooms, opened } from './model-rooms.ts'
import { trialTable } from './model-trial.ts'
import { openEmbedder } from './retrieval-bench.ts'
import type { CachedEmbedder } from './retrieval-cache.ts'
import { dist } from './retrieval-home.ts'
import type { BenchContext } from './run.ts'
import { table } from './table.ts'
import { loaded } from './tokens-to-fact.ts'

type Estimate = typeof import('../src/core/estimate-tokens.ts')

const MOST_SAMPLED = 200

interface Measured {
  readonly answered: readonly Answered[]
  readonly lines: readonly GraphLine[]
}

interface Read {
  readonly room: ModelRoom
  readonly before: Measured
  readonly after: Measured
  readonly asked: readonly Asked[]
  readonly refused: number
  readonly fallbacks: number
  readonly spent: { readonly calls: number; readonly input: number; readonly output: number }
  readonly sample: readonly Sampled[]
}

export async function modelBench(context: BenchContext): Promise<void> {
  const given = context.options.get('answers')
  if (given === undefined) {
    context.print('left out: model asks whoever answers in a folder: --answers DIR')
    return
  }
  const answers = isAbsolute(given) ? given : resolve(process.env.INIT_CWD ?? '.', given)
  forgetAsked(answers)
  if (context.ask) await collect(context, answers)
  else await measure(context, answers)
}

async function collect(context: BenchContext, answers: string): Promise<void> {
  for (const room of modelRooms(context)) {
    const mnemonic = await openedWithModel(copyOf(await keptHome(answers, room), join(context.root, 'model', room.name)), room, answers)
    try {
      const sessions = room.folder === undefined ? undefined : await chosenSessions(mnemonic)
      await readByModel(mnemonic, { sessions, ask: true })
      if (sessions !== undefined) await askQuestions(mnemonic, sessions, answers)
    } finally {
      await mnemonic.close()
    }
  }
  await printPrompts(context, askedIn(answers))
}

async function askQuestions(mnemonic: Mnemonic, sessions: readonly string[], answers: string) {
  const chunks = await withStore(mnemonic, chunksOf)
  const trial = trialSessions(chunks, sessions)
  return { trial, all: chunks, questions: await likelyQuestions(chunks, trial, answers) }
}

async function printPrompts({ print }: BenchContext, asked: readonly Asked[]): Promise<void> {
  const { estimateTokens } = await dist<Estimate>('core/estimate-tokens.js')
  const row = (name: string, some: readonly Asked[]) => {
    const tokens = (of: (one: Asked) => string) => some.reduce((sum, one) => sum + estimateTokens(of(one)), 0).toLocaleString('en-US')
    const open = some.filter(({ answer }) => answer === undefined).length
    return [name, String(some.length), String(open), tokens(({ text }) => text), tokens(({ text, instructions }) => instructions + text)]
  }
  const kinds = [...new Set(asked.map(({ instructions }) => instructions))]
  const rows = kinds.map((kind) =>
    row(
      `${kind.slice(0, 40)}…`,
      asked.filter(({ instructions }) => instructions === kind),
    ),
  )
  print(
    table(
      'Model: prompts',
      ['', 'prompts', 'not answered', 'tokens of their texts', 'tokens with instructions'],
      [...rows, row('all', asked)],
    ),
  )
}

async function measure(context: BenchContext, answers: string): Promise<void> {
  const embedder = await openEmbedder(context)
  if (embedder === undefined) return
  try {
    const only = context.options.get('only')
    if (only !== 'questions') await measureReading(context, { answers, embedder })
    if (only !== 'reading') await printTrial(context, answers, embedder)
    await printPrompts(context, askedIn(answers))
  } finally {
    await embedder.close()
  }
}

async function measureReading(context: BenchContext, by: Reading): Promise<void> {
  const reads: Read[] = []
  for (const room of modelRooms(context)) reads.push(await readRoom(context, room, by))
  printReads(context, reads)
  printRefusals(context, reads)
  printSample(context, by.answers, reads)
  printKnown(context, reads)
}

interface Reading {
  readonly answers: string
  readonly embedder: CachedEmbedder
}

async function readRoom({ root }: BenchContext, room: ModelRoom, { answers, embedder }: Reading): Promise<Read> {
  const home = await keptHome(answers, room)
  const plain = await opened(copyOf(home, join(root, 'model', `${room.name}-before`)), room, { embedder })
  const before = await asking(plain, room).finally(() => plain.close())
  const known = new Set(askedIn(answers).map(({ key }) => key))
  const mnemonic = await openedWithModel(copyOf(home, join(root, 'model', room.name)), room, answers, embedder)
  try {
    const sessions = room.folder === undefined ? undefined : await chosenSessions(mnemonic)
    const reports = await readByModel(mnemonic, { sessions, ask: false })
    const after = await asking(mnemonic, room)
    return await withStore(mnemonic, async (store) => {
      const runs = await store.read
        .selectFrom('analysis_runs as r')
        .innerJoin('analysis_types as t', 't.id', 'r.analysis_type_id')
        .select('r.output_text')
        .where('t.name', '=', 'memory_extraction')
        .where('r.implementation', 'like', 'command:%')
        .execute()
      const spend = await store.read.selectFrom('llm_spend').selectAll().where('provider', '=', 'command').execute()
      const sum = (of: (row: (typeof spend)[number]) => number) => spend.reduce((all, row) => all + of(row), 0)
      const sample: Sampled[] = []
      for (const line of after.lines) if (line.byModel) sample.push(await sampled(store, room.name, line))
      return {
        ...{ room, before, after, sample, asked: askedIn(answers).filter(({ key }) => !known.has(key)) },
        refused: runs.reduce((all, { output_text }) => all + ((JSON.parse(output_text ?? '{}') as { refused?: number }).refused ?? 0), 0),
        fallbacks: reports.reduce((all, { totals }) => all + totals.fallbacks, 0),
        spent: {
          calls: sum(({ calls }) => calls),
          input: sum(({ input_tokens }) => input_tokens),
          output: sum(({ output_tokens }) => output_tokens),
        },
      }
    })
  } finally {
    await mnemonic.close()
  }
}

async function asking(mnemonic: Mnemonic, room: ModelRoom): Promise<Measured> {
  await mnemonic.embedding.run()
  const tools = await loaded()
  const answered: Answered[] = []
  for (const question of room.questions) answered.push(await ask(mnemonic, question, { room: { ...room, write: () => undefined }, tools }))
  return { answered, lines: await withStore(mnemonic, graphLines) }
}

function printReads({ print }: BenchContext, reads: readonly Read[]): void {
  const count = (lines: readonly GraphLine[], of: 'byModel' | 'byRules') => String(lines.filter((line) => line[of]).length)
  const columns = [
    'calls',
    'tokens in',
    'tokens out',
    'not answered',
    'rules stood in',
    'by rules before',
    'by rules after',
    'by the model',
    'findings refused',
  ]
  print(
    table(
      'Model: calls, and observations in the graph',
      ['', ...columns],
      reads.map(({ room, spent, asked, fallbacks, before, after, refused }) => [
        ...[room.name, String(spent.calls), spent.input.toLocaleString('en-US'), spent.output.toLocaleString('en-US')],
        ...[String(asked.filter(({ answer }) => answer === undefined).length), String(fallbacks)],
        ...[count(before.lines, 'byRules'), count(after.lines, 'byRules'), count(after.lines, 'byModel'), String(refused)],
      ]),
    ),
  )
}

function printRefusals({ print }: BenchContext, reads: readonly Read[]): void {
  const verdicts = reads.flatMap(({ asked }) => asked.flatMap((one) => verdictsOf(one) ?? []))
  const kinds = ['observations', 'entities', 'statements', 'aliases'] as const
  const all = Object.fromEntries(kinds.map((kind) => [kind, verdicts.flatMap((one) => one[kind])]))
  const why = [...new Set(Object.values(all).flat())].sort((a, b) => Number(b === 'kept') - Number(a === 'kept') || (a < b ? -1 : 1))
  const row = (name: string) => [name, ...kinds.map((kind) => String(all[kind]?.filter((one) => one === name).length ?? 0))]
  print(table('Model: what an answer noted, and why not all is kept', ['', ...kinds], why.map(row)))
}

function printSample({ print }: BenchContext, answers: string, reads: readonly Read[]): void {
  const sample = writeSample(
    answers,
    reads.flatMap((read) => read.sample),
    MOST_SAMPLED,
  )
  const verdicts = verdictsIn(answers)
  const row = (name: string, some: readonly Sampled[]) => {
    const judged = some.filter(({ id }) => verdicts.has(id))
    const right = judged.filter(({ id }) => verdicts.get(id)).length
    return [
      name,
      String(some.length),
      String(judged.length),
      String(right),
      judged.length === 0 ? '–' : ((100 * right) / judged.length).toFixed(1),
    ]
  }
  const by = (of: (one: Sampled) => string) =>
    [...new Set(sample.map(of))].sort().map((name) =>
      row(
        name,
        sample.filter((one) => of(one) === name),
      ),
    )
  const rows = [...by(({ room }) => room), ...by(({ source_type }) => source_type), row('all', sample)]
  print(table('Model: a sample of its observations, judged by another reader', ['', 'sampled', 'judged', 'right', 'precision, %'], rows))
}

function printKnown({ print }: BenchContext, reads: readonly Read[]): void {
  for (const when of ['before', 'after'] as const)
    print(
      found(
        reads.flatMap((read) => read[when].answered),
        when === 'before' ? 'by rules' : 'after the model',
      ),
    )
  const held = reads.map(({ room, before, after }) => {
    const count = ({ lines }: Measured, of: 'named' | 'any') =>
      String(room.questions.filter((question) => answeredBy(lines, question)[of]).length)
    return [
      room.name,
      String(room.questions.length),
      count(before, 'named'),
      count(after, 'named'),
      count(before, 'any'),
      count(after, 'any'),
    ]
  })
  const columns = ['of one it names, before', 'after', 'in any line, before', 'after']
  print(table('Model: questions of `know` whose answer stands in the graph', ['', 'questions', ...columns], held))
}

async function printTrial(context: BenchContext, answers: string, embedder: CachedEmbedder): Promise<void> {
  const { root, print } = context
  const [room] = modelRooms(context)
  if (room === undefined) return
  const home = await keptHome(answers, room)
  const mnemonic = await openedWithModel(copyOf(home, join(root, 'model', 'questions')), room, answers)
  const { trial, all, questions } = await chosenSessions(mnemonic)
    .then((sessions) => askQuestions(mnemonic, sessions, answers))
    .finally(() => mnemonic.close())
  const own = all.filter(({ session }) => trial.includes(session)).length
  const count = [...questions.values()].flat().length
  print(`\nlikely questions: ${count} for ${questions.size} of the ${own} chunks of ${trial.length} sessions`)
  const only = new Set(trial.map((id) => id.replace(/^claude-code:/, '')))
  const part = codingRoom(context, { name: 'coding-part', questions: [], only })
  const rest = { root, questions, embedder }
  print(await trialTable({ ...rest, name: 'all sessions', home, room }))
  print(await trialTable({ ...rest, name: 'only sessions whose chunks have questions', home: await keptHome(answers, part), room: part }))
}
