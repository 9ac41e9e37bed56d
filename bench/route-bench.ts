/** Whether `route` names the session with the answer, beside a search for sessions, and stays silent if none has it. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openMnemonic } from 'agent-mnemonic'
import { ASKED_AT, codingFolder, codingQuestions } from './coding-data.ts'
import { cachedEmbedder, type Embedder } from './retrieval-cache.ts'
import { dist } from './retrieval-home.ts'
import type { BenchContext } from './run.ts'
import { table } from './table.ts'

type LoadMinilm = typeof import('../src/embed/open-embedder.ts')

/** Questions that no coding session answers. This file is compiled to bench/.out/bench. */
const STRANGE = fileURLToPath(new URL('../../../../shared/bench/locomo', import.meta.url))
const STRANGE_EACH = 40
const MOST = 10

export async function routeBench(context: BenchContext): Promise<void> {
  const { root, print, options } = context
  const folder = codingFolder(context)
  if (!existsSync(join(folder, 'sessions.tar.xz'))) {
    print(`left out: no sessions.tar.xz in ${folder}; bench/coding/README.md says how to get the sessions`)
    return
  }
  const logs = join(root, 'route', 'logs')
  mkdirSync(logs, { recursive: true })
  execFileSync('tar', ['xJf', join(folder, 'sessions.tar.xz'), '-C', logs])
  const { loadMinilm } = await dist<LoadMinilm>('embed/open-embedder.js')
  const embedder = await cachedEmbedder((await loadMinilm({ modelsFolder: join(root, 'models') })) as Embedder)
  const mnemonic = await openMnemonic({
    ...{ home: join(root, 'route', 'home'), workspace: join(root, 'route', 'workspace'), clock: () => ASKED_AT, embedder },
    config: { owner: { timezone: 'UTC' }, embedding: { sync_seconds: 0 } },
  })
  try {
    await mnemonic.sync({ path: logs, adapters: ['claude-code', 'aix-events'] })
    await mnemonic.embedding.run()
    await mnemonic.analyze({})
    const places: { readonly search: number; readonly route: number; readonly half: number; readonly stale: number }[] = []
    for (const [i, { question, facts }] of codingQuestions().entries()) {
      const ids = [...new Set(facts.flatMap((messages) => [...messages]))]
      const { rows } = await mnemonic.sql(
        `select distinct session_id from agent_messages where native_id in (${ids.map((id) => `'${id.replaceAll("'", "''")}'`).join(', ')})`,
      )
      const holding = new Set(rows.map(([session]) => String(session)))
      const place = (found: readonly string[]) => found.findIndex((session) => holding.has(session)) + 1 || Number.POSITIVE_INFINITY
      const { groups } = await mnemonic.search({ query: question, by: 'session', limit: MOST })
      const { sessions } = await mnemonic.route({ message: question, limit: MOST })
      places.push({
        ...{ search: place(groups.map(({ session_id }) => session_id)), route: place(sessions.map(({ session_id }) => session_id)) },
        ...{ half: i % 2, stale: sessions.slice(0, 5).filter(({ stale_total }) => stale_total > 0).length },
      })
    }
    const among = (by: 'search' | 'route', half: number) =>
      [1, 3, 5].map((first) => places.filter((one) => one.half === half && one[by] <= first).length)
    const row = (name: string, by: 'search' | 'route') => [name, ...[0, 1].flatMap((half) => among(by, half)).map(String)]
    const columns = ['chosen on: first', 'first 3', 'first 5', 'held out: first', 'first 3', 'first 5']
    print(
      table(
        `Sessions to continue: a session that holds the answer, of ${places.length / 2} questions each`,
        ['', ...columns],
        [row('search -l', 'search'), row('route', 'route')],
      ),
    )
    print(
      `of the first five sessions ${(places.reduce((sum, { stale }) => sum + stale, 0) / places.length).toFixed(1)} have something stale`,
    )
    const strange = strangeQuestions(options.get('locomo') ?? STRANGE)
    if (strange.length === 0) print('left out: no questions that no session can answer (--locomo DIR)')
    const silent = [0, 0]
    for (const [i, message] of strange.entries())
      if ((await mnemonic.route({ message })).sessions.length === 0) silent[i % 2] = (silent[i % 2] ?? 0) + 1
    if (strange.length > 0)
      print(`silent where no session knows it: ${silent[0]} and, held out, ${silent[1]} of ${strange.length / 2} each`)
  } finally {
    await mnemonic.close()
    await embedder.close()
  }
}

function strangeQuestions(folder: string): string[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .slice(0, 2)
  return files.flatMap((name) => {
    const { qa } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { qa: readonly { readonly question: string }[] }
    return qa
      .filter((_, i) => i % 4 === 0)
      .slice(0, STRANGE_EACH)
      .map(({ question }) => question)
  })
}
