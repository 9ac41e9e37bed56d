/** Whether likely questions help paraphrased searches: as full-text words, before the embedded text, both, or as a fused list. */
import { join } from 'node:path'
import type { Mnemonic, SearchResult } from 'agent-mnemonic'
import { codingQuestions } from './coding-data.ts'
import { type Found, foundBy, type Hits } from './coding-metrics.ts'
import { chunksOf, keyOf, type Questions, type TrialChunk } from './model-questions.ts'
import { withStore } from './model-reading.ts'
import { copyOf, type ModelRoom, opened } from './model-rooms.ts'
import type { CachedEmbedder } from './retrieval-cache.ts'
import { dist } from './retrieval-home.ts'
import { percent } from './retrieval-metrics.ts'
import { table } from './table.ts'

type Fuse = typeof import('../src/search/fuse.ts')
type Row = typeof import('../src/index/chunk-row.ts')

const HITS = 40
const FUSED = 100
const VARIANTS = ['without', 'as words', 'in the vectors', 'as words and in the vectors', 'a list of their own'] as const
type Variant = (typeof VARIANTS)[number]

export interface Trial {
  readonly name: string
  readonly home: string
  readonly room: ModelRoom
  readonly root: string
  readonly questions: Questions
  readonly embedder: CachedEmbedder
}

export async function trialTable(trial: Trial): Promise<string> {
  const rows: string[][] = []
  let before: readonly Found[] = []
  for (const variant of VARIANTS) {
    const found = await foundBy(await hitsOf(trial, variant))
    if (variant === 'without') before = found
    rows.push([variant, ...cells(found, before, true), ...cells(found, before, false)])
  }
  const columns = ['@5', '@10', 'within 2,000 tokens', 'better / worse']
  return table(
    `Likely questions beside chunks, needed facts found with one question, %: ${trial.name}`,
    ['', ...columns.map((name) => `paraphrase ${name}`), ...columns.map((name) => `all other ${name}`)],
    rows,
  )
}

/** Questions that gain or lose rank within ten, against the product. */
function cells(found: readonly Found[], before: readonly Found[], isParaphrase: boolean): string[] {
  const own = found.map((one, at) => ({ one, was: before[at] as Found })).filter(({ one }) => (one.type === 'paraphrase') === isParaphrase)
  const better = own.filter(({ one, was }) => one.at10 > was.at10).length
  const worse = own.filter(({ one, was }) => one.at10 < was.at10).length
  return [...(['at5', 'at10', 'budget'] as const).map((part) => percent(own.map(({ one }) => one[part]))), `${better} / ${worse}`]
}

async function hitsOf(trial: Trial, variant: Variant): Promise<Hits[]> {
  const { root, room, questions, home } = trial
  const at = copyOf(home, join(root, 'trial', trial.name, variant.replaceAll(' ', '-')))
  const plain = await opened(at, room)
  const chunks = await withStore(plain, chunksOf)
  if (variant.startsWith('as words')) await addWords(plain, chunks, questions)
  await plain.close()
  const embedder = variant.endsWith('vectors') ? withQuestions(trial.embedder, chunks, questions) : trial.embedder
  const mnemonic = await opened(at, room, { embedder })
  try {
    await mnemonic.embedding.run()
    const own = variant === 'a list of their own' ? await ownList(trial, chunks) : undefined
    const hits: Hits[] = []
    for (const question of codingQuestions()) {
      const { results } = await mnemonic.search({ query: question.question, limit: own === undefined ? HITS : FUSED })
      hits.push({ question, hits: own === undefined ? results : (await own(question.question, results)).slice(0, HITS) })
    }
    return hits
  } finally {
    await mnemonic.close()
  }
}

/** As the product does with facets of type `likely_question`. */
async function addWords(mnemonic: Mnemonic, chunks: readonly TrialChunk[], questions: Questions): Promise<void> {
  const { withContext } = await dist<Row>('index/chunk-row.js')
  await withStore(mnemonic, async (store) => {
    await store.write(async ({ db }) => {
      for (const chunk of chunks) {
        const added = questions.get(keyOf(chunk))?.join(' ')
        if (added === undefined) continue
        const { extra_terms } = await db.selectFrom('chunks').select('extra_terms').where('id', '=', chunk.id).executeTakeFirstOrThrow()
        await db
          .updateTable('chunks')
          .set({ extra_terms: withContext(extra_terms, added) })
          .where('id', '=', chunk.id)
          .execute()
      }
    })
  })
}

/** Questions come first: at the end of a long chunk they would be cut. */
function withQuestions(embedder: CachedEmbedder, chunks: readonly TrialChunk[], questions: Questions): CachedEmbedder {
  const added = new Map(chunks.map((chunk) => [chunk.embedded, questions.get(keyOf(chunk))?.join('\n')]))
  const all = (texts: readonly string[]) => texts.map((text) => (added.get(text) === undefined ? text : `${added.get(text)}\n\n${text}`))
  const { tokens } = embedder
  return {
    ...embedder,
    embed: (texts, options) => embedder.embed(options?.purpose === 'query' ? texts : all(texts), options),
    ...(tokens === undefined
      ? {}
      : { tokens: { ...tokens, signs: (texts: readonly string[], options) => tokens.signs(all(texts), options) } }),
  }
}

type OwnList = (query: string, results: readonly SearchResult[]) => Promise<SearchResult[]>

async function ownList({ embedder, questions }: Trial, chunks: readonly TrialChunk[]): Promise<OwnList> {
  const { fuse } = await dist<Fuse>('search/fuse.js')
  const asked = chunks.flatMap((chunk) => (questions.get(keyOf(chunk)) ?? []).map((question) => ({ chunk, question })))
  const vectors = await embedder.embed(asked.map(({ question }) => question))
  return async (query, results) => {
    const [wanted = new Float32Array()] = await embedder.embed([query], { purpose: 'query' })
    const best = new Map<TrialChunk, number>()
    for (const [at, { chunk }] of asked.entries())
      best.set(
        chunk,
        Math.max(
          best.get(chunk) ?? -1,
          (vectors[at] as Float32Array).reduce((sum, one, i) => sum + one * (wanted[i] ?? 0), 0),
        ),
      )
    const near = [...best].toSorted((a, b) => b[1] - a[1]).slice(0, FUSED)
    const shown = [...results, ...near.map(([{ messages, content }]) => ({ message_ids: messages, content }) as unknown as SearchResult)]
    const numbers = new Map<string, number>()
    for (const [at, hit] of shown.entries()) if (!numbers.has(nameOf(hit))) numbers.set(nameOf(hit), at)
    const ranked = [shown.slice(0, results.length), shown.slice(results.length)].map((list) =>
      list.map((hit, rank) => ({ chunkId: numbers.get(nameOf(hit)) as number, group: '', score: 1 / (1 + rank), parts: {}, matched: [] })),
    )
    return fuse(ranked).map(({ chunkId }) => shown[chunkId] as SearchResult)
  }
}

const nameOf = ({ message_ids, content }: Pick<SearchResult, 'message_ids' | 'content'>) => `${message_ids.join(' ')}\n${content}`
