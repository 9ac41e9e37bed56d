/**
 * Precision and speed of extraction rules on conversations of others. `--judge FILE` writes unjudged findings with their text, outside the
 * repository.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { episodesOf, type LabelledEpisode, type SetName } from './extraction-data.ts'
import { isKeptApart, keyOf, type Label, ofObservation, readLabels } from './extraction-labels.ts'
import { dist } from './retrieval-home.ts'
import type { BenchContext } from './run.ts'
import { table } from './table.ts'

type Graph = typeof import('../src/analyze/extract/extract-graph.ts')
type Rules = typeof import('../src/analyze/run/rule-analyzers.ts')
type Topics = typeof import('../src/analyze/extract/topics-by-rules.ts')
type Statements = typeof import('../src/analyze/statements/by-rules.ts')
type Hash = typeof import('../src/core/hash.ts')

const SHARED = fileURLToPath(new URL('../../../../shared/bench', import.meta.url))
const SETS: readonly SetName[] = ['locomo', 'longmemeval']
const LEAST_PRECISION = 0.9
const LEAST_TURNS = 300

export async function extractionBench(context: BenchContext): Promise<void> {
  const { options, print } = context
  const episodes = SETS.flatMap((set) => {
    const folder = options.get(set) ?? join(SHARED, set)
    const found = episodesOf(set, folder)
    if (found === undefined) print(`left out: ${folder} is not there`)
    return found ?? []
  })
  if (episodes.length === 0) return
  await precision(episodes, context)
  await speed(
    episodes.filter(({ set }) => set === 'longmemeval'),
    context,
  )
}

async function precision(episodes: readonly LabelledEpisode[], { options, print }: BenchContext): Promise<void> {
  const { extractGraph } = await dist<Graph>('analyze/extract/extract-graph.js')
  const { shortHash } = await dist<Hash>('core/hash.js')
  const labels = new Map(readLabels().map((label) => [keyOf(label), label]))
  const found: { label: Label | undefined; message: string; line: string }[] = []
  for (const { set, episode } of episodes) {
    const graph = extractGraph(episode, { timezone: 'UTC', observe: true })
    for (const observation of graph.observations) {
      const { span, type, fact, object } = observation
      const of = ofObservation(graph, observation, (...parts) => shortHash(8, ...parts))
      const at = { set, ...span, type, of }
      const name = (ref: string) => graph.entities.find((entity) => entity.ref === ref)?.name
      const said = `${name(observation.subject)} ${type} ${'ref' in object ? name(object.ref) : object.literal} :: ${fact}`
      found.push({ label: labels.get(keyOf(at)), message: span.message, line: JSON.stringify({ ...at, said }) })
    }
  }
  const judge = options.get('judge')
  if (judge !== undefined) writeFileSync(judge, found.flatMap(({ label, line }) => (label === undefined ? [`${line}\n`] : [])).join(''))
  const row = (name: string, some: typeof found, more: readonly Label[] = []) => {
    const judged = [...some.flatMap(({ label }) => (label === undefined ? [] : [label])), ...more]
    const right = judged.filter((label) => label.right).length
    const share = right / Math.max(judged.length, 1)
    return [name, String(some.length), String(judged.length), String(right), share.toFixed(3), share >= LEAST_PRECISION ? 'yes' : 'no']
  }
  const apart = found.filter(({ message }) => isKeptApart(message))
  const mended = [...labels.values()].filter((label) => label.mended && isKeptApart(label.message))
  print(
    table(
      'Observations by rules in conversations of others',
      ['conversations', 'found', 'judged', 'right', 'precision', `≥ ${LEAST_PRECISION}`],
      [
        row(
          'that the rules were tuned on',
          found.filter(({ message }) => !isKeptApart(message)),
        ),
        row('kept apart, at first sight', apart, mended),
        row('kept apart, now', apart),
        row('all', found),
      ],
    ),
  )
}

async function speed(episodes: readonly LabelledEpisode[], { print }: BenchContext): Promise<void> {
  if (episodes.length === 0) return
  const { extractGraph } = await dist<Graph>('analyze/extract/extract-graph.js')
  const { TOPICS_BY_RULES } = await dist<Topics>('analyze/extract/topics-by-rules.js')
  const { RULE_EXTRACTOR } = await dist<Statements>('analyze/statements/by-rules.js')
  const { ruleAnalyzers } = await dist<Rules>('analyze/run/rule-analyzers.js')
  const turns = episodes.reduce((sum, one) => sum + one.turns, 0)
  const rules = ruleAnalyzers({ timezone: 'UTC' })
  const named = await Promise.all(['topics', 'entity_extraction', 'memory_extraction'].map((name) => rules(name)))
  const analyzers = named.filter((one) => one !== undefined)
  const parts: [string, (one: LabelledEpisode) => unknown][] = [
    ['topics', ({ episode }) => TOPICS_BY_RULES.analyze(episode)],
    ['entities, observations, dates', ({ episode }) => extractGraph(episode, { timezone: 'UTC', observe: true })],
    ['statements', ({ episode }) => RULE_EXTRACTOR.extract(episode.messages)],
    [
      'all three analyses',
      async ({ episode }) => {
        for (const analyzer of analyzers) await analyzer.analyze(episode)
      },
    ],
  ]
  const rows: string[][] = []
  for (const [name, read] of parts) {
    const before = process.cpuUsage()
    for (const one of episodes) await read(one)
    const { user, system } = process.cpuUsage(before)
    const rate = turns / ((user + system) / 1e6)
    rows.push([name, String(Math.round(rate)), name.startsWith('all') ? (rate >= LEAST_TURNS ? 'yes' : 'no') : ''])
  }
  print(table(`Rules on one core: ${turns} turns of LongMemEval`, ['part', 'turns a second of CPU time', `≥ ${LEAST_TURNS}`], rows))
}
