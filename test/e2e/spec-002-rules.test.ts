/**
 * The examples of the specification's tables that a text says in so many words, from imported messages to what the rules hand to the graph: each
 * with the message and the sentence that says it. And the samples: all that is found in them is right.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EpisodeText } from '../../src/analyze/analyzer.ts'
import { memoryByRules } from '../../src/analyze/extract/memory-by-rules.ts'
import { DEMO_CONFIG } from '../../src/cli/demo-plan.ts'
import type { Trust } from '../../src/core/trust.ts'
import { copySamples, openMnemonic } from '../../src/library/index.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'
import { binaryHome } from '../helpers/run-binary.ts'

const home = binaryHome()
const folders = { home: join(home.root, 'home'), workspace: join(home.root, 'workspace') }
let store: Store

/** What the owner told an agent, on which day. */
const TOLD: readonly (readonly [day: string, text: string])[] = [
  ['2026-01-15', 'Tyler works at Anthropic.'],
  ['2026-01-16', "Tyler's favorite color is purple."],
  ['2026-01-17', "Mom's birthday is May 15, 1968."],
  ['2026-01-18', 'Tyler and Sarah know each other.'],
  ['2026-02-01', 'Tyler is building Nexus at Anthropic.'],
  ['2026-02-02', "Tyler's favorite color is blue now."],
  ['2026-02-03', 'My cat Luna is ill. Luna needs medication at 8am.'],
  ['2026-02-04', "Sarah mentioned she's moving to NYC."],
  ['2026-02-10', 'Tyler used to work at Google.'],
  ['2026-02-11', 'Lantern uses MySQL.'],
  ['2026-02-12', 'Lantern switched from MySQL to PostgreSQL.'],
  ['2026-02-13', 'We decided to use PostgreSQL instead of MySQL.'],
]

beforeAll(async () => {
  mkdirSync(folders.home, { recursive: true })
  writeFileSync(join(folders.home, 'config.yaml'), DEMO_CONFIG, { mode: 0o600 })
  const samples = join(home.root, 'samples')
  await copySamples(samples)
  const lines = TOLD.flatMap(([day, content], i) => [
    { id: `told-${i}`, role: 'user', content, timestamp: `${day}T10:00:00Z`, session_id: 'told' },
    { id: `answer-${i}`, role: 'assistant', content: 'I work at Google too. Noted.', timestamp: `${day}T10:00:05Z`, session_id: 'told' },
  ])
  writeFileSync(join(samples, 'told.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const memory = await openMnemonic({ ...folders, agent: 'main', embedder: fakeEmbedder() })
  await memory.sync({ path: samples })
  await memory.close()
  store = await openSqlite({ path: join(folders.home, 'mnemonic.db'), clock: Date.now })
})
afterAll(async () => {
  await store.close()
  home.remove()
})

interface Found {
  readonly says: string
  readonly sentence: string
  readonly day: string
  readonly former: boolean
}

async function observed(episode: EpisodeText): Promise<Found[]> {
  const { graph } = await memoryByRules({ timezone: 'UTC', owner: { name: 'Jason Wu' } }).analyze(episode)
  const name = (ref: string) => graph?.entities.find((entity) => entity.ref === ref)?.name
  return (graph?.observations ?? []).map(({ subject, type, object, span, invalidAt }) => {
    const message = episode.messages.find((one) => one.message === span.message)
    return {
      says: `${name(subject)} ${type} ${'ref' in object ? name(object.ref) : `"${object.literal}"`}`,
      sentence: message?.text.slice(span.start, span.end) ?? '',
      day: new Date(message?.timestamp ?? 0).toISOString().slice(0, 10),
      former: invalidAt !== undefined,
    }
  })
}

async function sessionsAsEpisodes(): Promise<EpisodeText[]> {
  const rows = await store.read
    .selectFrom('agent_messages as m')
    .innerJoin('agent_sessions as s', 's.id', 'm.session_id')
    .select(['m.id', 'm.role', 'm.content', 'm.timestamp', 'm.trust', 'm.speaker', 's.id as session', 's.project'])
    .where('m.role', 'in', ['user', 'assistant'])
    .orderBy('m.timestamp')
    .execute()
  return [...grouped(rows, ({ session }) => session)].map(([id, said]) => ({
    ...episodeOf(id, said[0]?.project ?? null),
    messages: said.map(({ id: message, role, content, timestamp, trust, speaker }) => ({
      ...{ message, text: content ?? '', timestamp: timestamp ?? 0, trust: trust as Trust, handle: null, speaker, turn: null },
      ...{ by: role === 'user' ? ('person' as const) : ('agent' as const), to: role === 'user' ? ('agent' as const) : ('people' as const) },
      isOwner: role === 'user' && trust === 'owner',
    })),
  }))
}

async function chatsAsEpisodes(): Promise<EpisodeText[]> {
  const rows = await store.read
    .selectFrom('events')
    .select(['id', 'content', 'timestamp', 'trust', 'speaker', 'thread_id'])
    .where('source_adapter', 'in', ['imessage', 'gmail', 'calendar'])
    .orderBy('timestamp')
    .execute()
  return [...grouped(rows, ({ thread_id }) => thread_id ?? '')].map(([id, said]) => ({
    ...episodeOf(id, null),
    messages: said.map(({ id: message, content, timestamp, trust, speaker }) => ({
      ...{ message, text: content ?? '', timestamp, trust: trust as Trust, handle: null, speaker, turn: null },
      ...{ by: 'person' as const, to: 'people' as const, isOwner: trust === 'owner' },
    })),
  }))
}

function grouped<T>(rows: readonly T[], by: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) groups.set(by(row), [...(groups.get(by(row)) ?? []), row])
  return groups
}

function episodeOf(id: string, project: string | null): Omit<EpisodeText, 'messages'> {
  return {
    ...{ id, definition: 'aix_turn', channel: null, thread: null, agentId: 'main', project, startTime: 0, endTime: 0 },
    ...{ trust: 'owner', people: [], calls: [], cut: false },
  }
}

describe('the tables of the specification', () => {
  it('gives every row that the text says, with its sentence and its day; the answers of an agent give none', async () => {
    const [told] = (await sessionsAsEpisodes()).filter(({ id }) => id.includes('told'))
    const found = told === undefined ? [] : await observed(told)
    expect(found.map(({ day, says, former }) => [day, former ? `${says} (former)` : says])).toEqual([
      ['2026-01-15', 'Tyler WORKS_AT Anthropic'],
      ['2026-01-16', 'Tyler PREFERS "purple"'],
      ['2026-01-17', 'Mom BORN_ON "1968-05-15"'],
      ['2026-01-18', 'Tyler KNOWS Sarah'],
      ['2026-02-01', 'Tyler BUILDING Nexus'],
      ['2026-02-01', 'Tyler WORKS_AT Anthropic'],
      ['2026-02-02', 'Tyler PREFERS "blue"'],
      ['2026-02-03', 'Jason Wu HAS_PET Luna'],
      ['2026-02-03', 'Luna HAS_SCHEDULE "medication at 08:00"'],
      ['2026-02-04', 'Sarah MOVING_TO NYC'],
      ['2026-02-10', 'Tyler WORKS_AT Google (former)'],
      ['2026-02-11', 'Lantern USES MySQL'],
      ['2026-02-12', 'Lantern USES MySQL (former)'],
      ['2026-02-12', 'Lantern USES PostgreSQL'],
    ])
    for (const { sentence } of found) expect(TOLD.some(([, text]) => text.includes(sentence) && sentence !== '')).toBe(true)
  })

  it('where the project is known, "we" is the project', async () => {
    const [told] = (await sessionsAsEpisodes()).filter(({ id }) => id.includes('told'))
    const found = told === undefined ? [] : await observed({ ...told, project: 'lantern' })
    expect(found.map(({ says }) => says)).toContain('lantern USES PostgreSQL')
  })
})

it('the samples: what they say is found, and nothing that they do not say', async () => {
  const episodes = [...(await sessionsAsEpisodes()).filter(({ id }) => !id.includes('told')), ...(await chatsAsEpisodes())]
  expect(episodes.length).toBeGreaterThan(8)
  const found = (await Promise.all(episodes.map(observed))).flat()
  expect(found.map(({ says, former }) => `${says}${former ? ' (former)' : ''}`).sort()).toEqual([
    '+61491570156 PREFERS "morning releases"',
    '+61491570156 WORKS_AT Northwind (former)',
    '+61491570157 WORKS_AT Northwind',
    'Quill USES ImageMagick',
    'Quill USES ImageMagick (former)',
    'Quill USES Sharp',
  ])
})
