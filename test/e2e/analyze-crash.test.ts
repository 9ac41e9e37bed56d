/** Real processes that analyse one database, killed at work: nothing that was finished is done twice, nothing is lost. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { grouped, talk } from '../helpers/analyzed-store.ts'
import { NOON, tempStore } from '../helpers/store.ts'

const SCRIPT = fileURLToPath(new URL('../helpers/analyze-process.mjs', import.meta.url))
const TURNS = 24

async function filledStore() {
  const store = await tempStore()
  await talk(
    store,
    's',
    Array.from({ length: TURNS }, (_, at) => [`Question number ${at}?`, `Answer number ${at}.`] as const),
  )
  await grouped(store)
  return store
}

/** Ends when it is done, or is killed once it has begun so many episodes. Gives the ids that it began. */
function analyse(
  database: string,
  { delay, implementation = 'a/model', killAfter }: { delay: number; implementation?: string; killAfter?: number },
) {
  const child = spawn(process.execPath, [SCRIPT, database, String(delay), implementation, String(NOON)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
    if (killAfter !== undefined && text.split('\n').length > killAfter) child.kill('SIGKILL')
  })
  return new Promise<string[]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve(text.split('\n').filter((line) => /^[0-9a-f]{32}$/.test(line))))
  })
}

it('kill -9 again and again: each run that was finished stays, the others are done, none twice', async () => {
  const store = await filledStore()
  const done = async () => {
    const rows = await store.read.selectFrom('analysis_runs').select('episode_id').where('status', '=', 'completed').execute()
    return new Set(rows.map(({ episode_id }) => episode_id))
  }
  for (const killAfter of [1, 4, 7]) {
    const before = await done()
    const begun = await analyse(store.location, { delay: 15, killAfter })
    expect(begun.filter((id) => before.has(id))).toEqual([])
  }
  const before = await done()
  expect(before.size).toBeGreaterThan(0)
  const last = await analyse(store.location, { delay: 0 })
  expect([...last].sort()).toEqual([...new Set(last)].sort())
  expect(last.filter((id) => before.has(id))).toEqual([])
  expect((await done()).size).toBe(TURNS)
  const facets = await store.read.selectFrom('facets').select(['value', 'analysis_run_id']).execute()
  expect(new Set(facets.map(({ value }) => value)).size).toBe(TURNS)
  expect(facets).toHaveLength(TURNS)
})

it('two processes at once share the work, and what one leaves when it is killed the other does', async () => {
  const store = await filledStore()
  const [one, two] = await Promise.all([analyse(store.location, { delay: 30, killAfter: 5 }), analyse(store.location, { delay: 30 })])
  const rest = await analyse(store.location, { delay: 0 })
  const completed = await store.read.selectFrom('analysis_runs').select('id').where('status', '=', 'completed').execute()
  expect(completed).toHaveLength(TURNS)
  // Only what the killed one had begun and not ended was begun twice.
  const twice = [...two, ...rest].filter((id) => one.includes(id))
  expect(twice.length).toBeLessThanOrEqual(8)
  expect(new Set([...two, ...rest]).size).toBe(two.length + rest.length)
})
