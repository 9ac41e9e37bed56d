import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { leftOver } from '../../test/helpers/canaries.ts'
import { fakeEmbedder } from '../../test/helpers/fake-embedder.ts'
import { testHome } from '../../test/helpers/home.ts'
import { llmServer } from '../../test/helpers/llm-server.ts'
import {
  MARKS,
  markingModel,
  markOf,
  NEST,
  OWNER,
  PLACES,
  type Place,
  plantUnderstood,
  wordOf,
} from '../../test/helpers/understood-home.ts'
import type { Mnemonic } from '../library/index.ts'
import type { ForgetReport } from './forget.ts'
import type { ForgetRequest } from './request.ts'

async function world() {
  const server = await llmServer(markingModel)
  const home = testHome()
  const sources = join(home.root, 'sources')
  mkdirSync(sources)
  const sessions = plantUnderstood(sources)
  const copies = join(home.root, 'copies')
  mkdirSync(copies)
  const config = { owner: { emails: [OWNER] }, analyze: { provider: 'openai-compatible' as const, model: 'm', base_url: server.url } }
  const mnemonic = await home.open({ config, embedder: fakeEmbedder(), clock: () => Date.UTC(2026, 3, 1) })
  const roots = [join(home.root, 'home'), join(home.root, 'workspace'), copies]
  return { home, mnemonic, server, sources, sessions, copies, roots }
}

async function read(mnemonic: Mnemonic, sources: string, more: { reread?: true } = {}): Promise<void> {
  for (const [part, adapters] of Object.entries({ people: ['contacts', 'imessage', 'gmail', 'calendar'], code: ['claude-code'] }))
    expect((await mnemonic.sync({ path: join(sources, part), adapters, ...more })).totals.quarantined).toBe(0)
  await mnemonic.sync({ adapters: ['aix-events'] })
}

async function understand(mnemonic: Mnemonic, sources: string, more: { reread?: true } = {}): Promise<void> {
  await read(mnemonic, sources, more)
  const { totals, stopped } = await mnemonic.analyze()
  expect({ ...totals, stopped }).toMatchObject({ failed: 0, stopped: null })
  await mnemonic.artifacts.publish({ again: true })
}

async function dossiers(mnemonic: Mnemonic): Promise<void> {
  for (const place of ['said', 'mailed', 'promised'] as const) await mnemonic.dossiers.make({ entity: wordOf(place) })
  await mnemonic.dossiers.make({ project: 'atlas' })
}

const TYPE = {
  name: 'risks',
  on: ['agent_session', 'agent_turn', 'time_gap_90min', 'gmail_thread'],
  prompt: 'What is risky here?',
  facets: { risk: 'what may go wrong' },
}

async function all({ mnemonic, sources, copies }: Awaited<ReturnType<typeof world>>): Promise<void> {
  await read(mnemonic, sources)
  await mnemonic.analyses.addType(TYPE)
  await understand(mnemonic, sources)
  await mnemonic.entities.alias('Tom Reed', `${NEST}aliasvx`)
  await mnemonic.entities.merge(wordOf('said'), wordOf('mailed'))
  await dossiers(mnemonic)
  await mnemonic.search({ query: 'pelicans' })
  await mnemonic.index.exportQmd()
  await mnemonic.safekeeping.export({ dir: join(copies, 'all') })
  await mnemonic.safekeeping.backup(join(copies, 'backup.db'))
}

/** Each has its own code path. None takes another with it. */
const BY_ITSELF: readonly Place[] = ['guest', 'writer', 'commit', 'promised']

const left = (roots: readonly string[], place: string) => leftOver(roots, [`${NEST}${place}vx`, markOf(`${NEST}${place}vx`)])

it('by --match: the word and what was made of it are gone, in copies too, and do not come back', { timeout: 300_000 }, async () => {
  const made = await world()
  const { mnemonic, sources, roots } = made
  await all(made)
  for (const place of PLACES) expect(left(roots, place), place).not.toEqual([])
  const failures: string[] = []
  for (const place of BY_ITSELF) {
    const report = (await mnemonic.forget({ match: `${NEST}${place}vx` })) as ForgetReport
    if (report.status !== 'gone') failures.push(`${place}: ${report.status} ${JSON.stringify(report.still_held)}`)
    failures.push(...left(roots, place).map((one) => `${place}: ${one}`))
  }
  expect(failures).toEqual([])
  expect(await mnemonic.forget({ match: NEST })).toMatchObject({ status: 'gone', still_held: [] })
  expect(leftOver(roots, [NEST, MARKS])).toEqual([])
  await understand(mnemonic, sources, { reread: true })
  expect(leftOver(roots, [NEST, MARKS])).toEqual([])
})

it('by name: what was made of a message, a turn, a person, a session or a time goes with it, in copies too', {
  timeout: 300_000,
}, async () => {
  const made = await world()
  const { mnemonic, sources, roots } = made
  await all(made)
  const gone = async (request: ForgetRequest, places: readonly Place[]) => {
    for (const place of places) expect(left(roots, place), place).not.toEqual([])
    const report = (await mnemonic.forget(request)) as ForgetReport
    expect({ status: report.status, held: report.still_held }).toEqual({ status: 'gone', held: [] })
    expect(places.flatMap((place) => left(roots, place))).toEqual([])
  }
  const { rows } = await mnemonic.sql("select turn_id from agent_messages where content like '%gulldecided%'")
  await gone({ event: 'imessage:promise-1' }, ['promised'])
  await gone({ turn: String(rows[0]?.[0]) }, ['decided'])
  await gone({ contact: 'tom@example.org' }, ['mailed', 'subject'])
  const sessions = await mnemonic.sql("select session_id from agent_messages where content like '%gullasked%'")
  await gone({ session: String(sessions.rows[0]?.[0]) }, ['asked', 'answered', 'commit', 'todo', 'plan', 'chosen', 'refused', 'file'])
  await gone({ before: '2026-02-20' }, ['said', 'writer', 'meeting', 'guest'])
  const after = [...PLACES].filter((place) => !['card', 'mended'].includes(place))
  await understand(mnemonic, sources, { reread: true })
  expect(after.flatMap((place) => left(roots, place))).toEqual([])
})
