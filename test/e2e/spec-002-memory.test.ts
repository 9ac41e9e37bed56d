/**
 * The examples of the memory model as a person lives them: told to an agent, imported, analyzed by rules, and read back: what holds, what held
 * before, the episodes that name it, the decision as an event, how something was mended, and what was only counted.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_CONFIG } from '../../src/cli/demo-plan.ts'
import { type Mnemonic, openMnemonic, type SynthesizedStatement } from '../../src/library/index.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { openMessages } from '../helpers/messages-database.ts'
import { binaryHome } from '../helpers/run-binary.ts'

const home = binaryHome()
const folders = { home: join(home.root, 'home'), workspace: join(home.root, 'workspace') }
const DAY = 86_400_000
/** Nine in the evening in Melbourne, where the owner lives. */
const EVENING = Date.UTC(2026, 5, 1, 11)
let memory: Mnemonic
let store: Store

const TOLD: readonly (readonly [day: string, text: string])[] = [
  ['2026-01-15', 'Tyler works at Anthropic.'],
  ['2026-01-16', "Tyler's favorite color is purple."],
  ['2026-01-17', "Mom's birthday is May 15, 1968."],
  ['2026-02-02', "Tyler's favorite color is blue now."],
  ['2026-02-10', 'Tyler used to work at Google.'],
  ['2026-02-11', 'Lantern uses MySQL.'],
  ['2026-02-12', 'Lantern switched from MySQL to PostgreSQL.'],
  ['2026-02-13', 'We decided to use PostgreSQL instead of MySQL.'],
]

beforeAll(async () => {
  mkdirSync(folders.home, { recursive: true })
  writeFileSync(join(folders.home, 'config.yaml'), DEMO_CONFIG, { mode: 0o600 })
  const sessions = join(home.root, 'told')
  mkdirSync(sessions)
  const lines = TOLD.flatMap(([day, content], i) => [
    { id: `told-${i}`, role: 'user', content, timestamp: `${day}T10:00:00Z`, session_id: 'told' },
    { id: `answer-${i}`, role: 'assistant', content: 'I work at Google too. Noted.', timestamp: `${day}T10:00:05Z`, session_id: 'told' },
  ])
  writeFileSync(join(sessions, 'told.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const mom = openMessages(join(home.root, 'mom', 'chat.db'))
  const handle = mom.handle('+61491570199')
  const chat = mom.chat({ guid: 'iMessage;-;+61491570199', style: 45, chat_identifier: '+61491570199', service_name: 'iMessage' }, [handle])
  for (let day = 0; day < 10; day++)
    mom.message({ guid: `MOM-${day}`, text: 'How was your day?', chat, from: handle, at: EVENING + 3 * day * DAY })
  mom.close()
  memory = await openMnemonic({ ...folders, agent: 'main' })
  await memory.sync({ path: sessions, embed: false })
  await memory.sync({ path: join(home.root, 'mom'), adapters: ['imessage'], embed: false })
  await memory.analyze({})
  store = await openSqlite({ path: join(folders.home, 'mnemonic.db'), clock: Date.now })
})
afterAll(async () => {
  await store.close()
  await memory.close()
  home.remove()
})

const said = (statements: readonly SynthesizedStatement[]) =>
  statements.map(({ type, object, literal }) => `${type} ${object?.name ?? literal}`).sort()

describe('what holds, and what held before', () => {
  it('Tyler: blue, formerly purple; at Anthropic, formerly Google', async () => {
    const tyler = await memory.synthesize('Tyler')
    expect(said(tyler.current)).toEqual(['PREFERS blue', 'WORKS_AT Anthropic'])
    expect(said(tyler.former)).toEqual(['PREFERS purple', 'WORKS_AT Google'])
    expect(tyler.former.find(({ literal }) => literal === 'purple')).toMatchObject({ why: 'replaced', replaced_by: 'blue' })
    const then = await memory.synthesize('Tyler', { asOf: '2026-01-20' })
    expect(said(then.current)).toContain('PREFERS purple')
  })

  it('Lantern switched from MySQL to PostgreSQL', async () => {
    const lantern = await memory.synthesize('Lantern')
    expect(said(lantern.current)).toEqual(['USES PostgreSQL'])
    expect(said(lantern.former)).toEqual(['USES MySQL'])
    expect(lantern.former[0]?.observations.map(({ fact }) => fact).join(' ')).toContain('switched')
  })

  it('every statement leads to the message and to the words in it; a birthday is a literal', async () => {
    const rows = await store.read
      .selectFrom('relationships as r')
      .innerJoin('agent_messages as m', 'm.id', 'r.message_id')
      .select(['r.type', 'r.target_literal', 'r.span_start', 'r.span_end', 'r.source_type', 'm.content', 'm.role'])
      .where('r.source_type', '<>', 'inferred')
      .execute()
    expect(rows.find(({ type }) => type === 'BORN_ON')?.target_literal).toBe('1968-05-15')
    expect(rows.length).toBeGreaterThanOrEqual(8)
    for (const { content, span_start, span_end, role } of rows) {
      expect(role).toBe('user')
      expect(TOLD.some(([, text]) => text.includes((content ?? '').slice(span_start ?? 0, span_end ?? 0)))).toBe(true)
    }
  })
})

describe('what happened', () => {
  it('the episode names those whom it mentions, in both directions', async () => {
    const { entity, episodes } = await memory.entities.show('Tyler')
    expect(entity.mentions).toBeGreaterThanOrEqual(4)
    expect(episodes.length).toBeGreaterThan(0)
    const turns = await store.read.selectFrom('agent_turns').select(['id', 'entity_ids']).where('entity_ids', 'is not', null).execute()
    const naming = turns.filter(({ entity_ids }) => (JSON.parse(entity_ids ?? '[]') as string[]).includes(entity.id))
    expect(naming.length).toBeGreaterThanOrEqual(4)
  })

  it('a decision is an event, and stands in the history of decisions', async () => {
    const { events } = await memory.events({ type: 'decision' })
    expect(events.map(({ content }) => content)).toContainEqual(expect.stringContaining('PostgreSQL instead of MySQL'))
    const { lines } = await memory.decisions({ subject: 'PostgreSQL' })
    expect(lines[0]?.holds.map(({ text }) => text).join(' ')).toContain('PostgreSQL')
  })
})

it('Mom usually texts around 9pm: nobody said so, it was counted', async () => {
  const { current } = await memory.synthesize('+61491570199')
  expect(current.find(({ type }) => type === 'TYPICALLY_CONTACTS_AT')).toMatchObject({
    literal: '21:00',
    observations: [{ source_type: 'inferred', counted: 10 }],
  })
})
