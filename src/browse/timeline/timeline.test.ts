import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NOON } from '../../../test/helpers/store.ts'
import { deriveEvents } from '../../analyze/derive/derive-events.ts'
import { updateEpisodes } from '../../episodes/update.ts'
import { agentsWriter } from '../../ledgers/agents-writer.ts'
import type { EventRecord } from '../../ledgers/event-record.ts'
import { eventsWriter } from '../../ledgers/events-writer.ts'
import { openSqlite } from '../../store/sqlite/open.ts'
import type { Store } from '../../store/store.ts'
import { listEvents } from '../events.ts'
import { type TimelineRequest, timeline } from './timeline.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** 3 February 2026 begins in Melbourne, eleven hours ahead. */
const MIDNIGHT = Date.UTC(2026, 1, 2, 13)
const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
const OPTIONS = { agentId: 'main', timezone: 'Australia/Melbourne', clock: () => NOON, own: new Set(['me@example.com']) }

const thread = (channel: string, id: string, name: string | null): EventRecord => ({
  ...{ type: 'thread', id: `${channel}:${id}`, sourceId: id, channel, name, agentId: 'main', createdAt: 0, updatedAt: 0 },
})
function event(channel: string, id: string, timestamp: number, content: string, more: object = {}): EventRecord {
  return {
    ...{ type: 'event', id: `${channel}:${id}`, sourceId: id, timestamp, channel, contentTypes: ['text'], content, direction: 'received' },
    ...{ thread: `${channel}:t`, trust: 'contact', agentId: 'main' },
    people: [
      { role: 'from', handle: 'sarah@example.com', name: 'Sarah Chen' },
      { role: 'to', handle: 'me@example.com' },
    ],
    ...more,
  }
}
const meeting = (id: string, timestamp: number, end: number, more: object = {}) =>
  event('calendar', id, timestamp, `${id} notes`, { metadata: { title: id, all_day: false, end, status: 'confirmed', ...more } })

async function filled(store: Store): Promise<void> {
  const put = (adapter: string, records: EventRecord[]) => store.write((tx) => eventsWriter({ adapter }).apply(tx, records))
  await put('imessage', [
    thread('imessage', 't', null),
    event('imessage', 'a', MIDNIGHT - 1000, 'Still up?'),
    event('imessage', 'b', MIDNIGHT + 1000, 'We decided to move the launch to May.'),
    event('imessage', 'c', MIDNIGHT + 2000, `the key is ${TOKEN}`),
  ])
  await put('calendar', [
    thread('calendar', 't', 'Work'),
    meeting('Standup', MIDNIGHT + 9 * HOUR, MIDNIGHT + 9.5 * HOUR, { location: 'Room 4' }),
    meeting('Called off', MIDNIGHT + 10 * HOUR, MIDNIGHT + 11 * HOUR, { status: 'cancelled' }),
    meeting('Called off later', MIDNIGHT + 30 * DAY, MIDNIGHT + 30 * DAY + HOUR, { status: 'cancelled' }),
    meeting('Offsite', MIDNIGHT - 2 * DAY, MIDNIGHT + DAY, { all_day: true, start_date: '2026-02-01', end_date: '2026-02-04' }),
  ])
  const writer = agentsWriter({ source: 'codex', clock: () => NOON, quietMs: HOUR })
  const say = (id: string, role: 'user' | 'assistant' | 'tool', text: string, minute: number, more: object = {}) => ({
    ...({ type: 'message', session: 'abcdefgh-1', id, hash: id, role, text, trust: role === 'user' ? 'owner' : 'agent' } as const),
    kind: ({ user: 'prompt', assistant: 'reply', tool: 'tool_result' } as const)[role],
    timestamp: MIDNIGHT + 10 * HOUR + minute * 60_000,
    ...more,
  })
  await store.write(async (tx) => {
    await writer.apply(tx, [
      { type: 'session', session: 'abcdefgh-1', firstHash: 'h' },
      say('p1', 'user', "Let's use SQLite for the cache.", 0),
      say('a2', 'assistant', '', 4, {
        toolCalls: [{ id: 'x', name: 'Bash', params: JSON.stringify({ command: 'git commit -m "Keep the cache in SQLite"' }) }],
      }),
      say('r3', 'tool', '', 5, {
        toolResults: [{ callId: 'x', result: JSON.stringify('[main 1a2b3c4] Keep the cache in SQLite\n 1 file changed'), isError: false }],
      }),
      say('p4', 'user', 'and the tests?', 125),
      say('a5', 'assistant', 'They pass.', 126),
    ])
    await writer.finish(tx)
  })
  await updateEpisodes(store, { guard: async () => {}, clock: () => NOON })
  await deriveEvents(store, { clock: () => NOON })
}

let store: Store
const ask = (request: TimelineRequest) => timeline(store, request, OPTIONS)
async function onDay(request: TimelineRequest) {
  const { days } = await ask(request)
  return days.map(({ day, entries }) => [day, entries.map(({ kind, title }) => title ?? kind)])
}

describe('one day of all sources', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mnemonic-timeline-'))
  beforeAll(async () => {
    store = await openSqlite({ path: join(folder, 'm.db'), clock: () => NOON })
    await filled(store)
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('whole days first, then in order of time, in the owner’s zone', async () => {
    expect(await onDay({ day: '2026-02-03' })).toEqual([['2026-02-03', ['Offsite', 'conversation', 'Standup', 'Keep the cache in SQLite']]])
  })

  it('a session has its turns, its work without pauses, its commits and what was decided in it', async () => {
    const entry = (await ask({ day: '2026-02-03' })).days[0]?.entries.find(({ kind }) => kind === 'session')
    expect(entry).toMatchObject({
      ...{ channel: 'codex', session_id: 'codex:abcdefgh-1', id: 'abcdefgh', count: 2, active_ms: 6 * 60_000, all_day: false },
      ...{ from: new Date(MIDNIGHT + 10 * HOUR).toISOString(), to: new Date(MIDNIGHT + 10 * HOUR + 126 * 60_000).toISOString() },
      commits: [{ hash: '1a2b3c4', branch: 'main', subject: 'Keep the cache in SQLite' }],
      statements: [{ type: 'decision', content: "Let's use SQLite for the cache.", trust: 'owner' }],
    })
  })

  it('a chat counts what was said on that day, and names the others', async () => {
    const [first, second] = (await ask({ after: '2026-02-02', before: '2026-02-04' })).days.map(({ entries }) =>
      entries.find(({ kind }) => kind === 'conversation'),
    )
    expect(first).toMatchObject({ day: '2026-02-02', count: 1, people: [{ handle: 'sarah@example.com', name: 'Sarah Chen' }] })
    expect(second).toMatchObject({ day: '2026-02-03', count: 2, statements: [{ type: 'decision' }] })
    expect(second?.episode_id).toBe(first?.episode_id)
    expect(second?.id).toBe(`e:${second?.episode_id?.slice(0, 8)}`)
  })

  it('a meeting has its place and people; one that was called off did not happen', async () => {
    const entries = (await ask({ day: '2026-02-03' })).days[0]?.entries ?? []
    expect(entries.find(({ title }) => title === 'Standup')).toMatchObject({
      location: 'Room 4',
      active_ms: HOUR / 2,
      people: [{ name: 'Sarah Chen' }],
      id: expect.stringMatching(/^e:[0-9a-f]{8}$/),
    })
    expect(entries.some(({ title }) => title === 'Called off')).toBe(false)
  })

  it('days of a calendar are on each of their days, wherever the owner is', async () => {
    const { days } = await ask({ week: '2026-02-03' })
    expect(days.filter(({ entries }) => entries.some(({ title }) => title === 'Offsite')).map(({ day }) => day)).toEqual([
      '2026-02-02',
      '2026-02-03',
    ])
  })

  it.each([
    [{ day: 'yesterday' }, []],
    [{ day: '3 February' }, ['2026-02-03']],
    [{ week: true }, ['2026-02-02', '2026-02-03']],
    [{ after: '3 days ago' }, ['2026-02-02', '2026-02-03']],
  ] as [TimelineRequest, string[]][])('%j', async (request, days) => expect((await ask(request)).days.map(({ day }) => day)).toEqual(days))

  it('an empty day names its neighbours', async () => {
    expect(await ask({ day: '2026-02-05' })).toMatchObject({ days: [], nearest: { before: '2026-02-03', after: null } })
    // In the owner's zone the first calendar day begins on the day before.
    const { nearest } = await timeline(store, { day: '2025-01-01' }, { ...OPTIONS, timezone: 'UTC' })
    expect(nearest).toEqual({ before: null, after: '2026-02-01' })
  })

  it.each([
    [{ day: 'never' }, 'not a date or time'],
    [{ day: 'today', week: true }, 'one of them'],
    [{ after: '2020-01-01' }, '1 to 366 days'],
    [{ after: '2026-02-05', before: '2026-02-01' }, '1 to 366 days'],
  ] as [TimelineRequest, string][])('refuses %j', async (request, message) => {
    await expect(ask(request)).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining(message) })
  })

  it('events lists what was derived with what said it; with all, everything, redacted', async () => {
    const { events, total } = await listEvents(store, {}, OPTIONS)
    expect(total).toBe(2)
    expect(events).toMatchObject([
      {
        type: 'decision',
        channel: 'codex',
        speaker: null,
        trust: 'owner',
        id: 'abcdefgh:1',
        message_id: 'codex:abcdefgh-1/p1',
        span: [0, 31],
      },
      {
        type: 'decision',
        channel: 'imessage',
        speaker: 'Sarah Chen',
        trust: 'contact',
        id: expect.stringMatching(/^e:/),
        message_id: 'imessage:b',
      },
    ])
    const asked = async (request: Parameters<typeof listEvents>[1]) => (await listEvents(store, request, OPTIONS)).total
    expect(await asked({ type: 'commitment' })).toBe(0)
    expect(await asked({ channel: 'imessage' })).toBe(1)
    expect(await asked({ text: 'LAUNCH may' })).toBe(1)
    expect(await asked({ before: '2026-02-03 01:00' })).toBe(1)
    expect(await asked({ text: TOKEN, all: true })).toBe(0)
    const all = await listEvents(store, { all: true, channel: 'imessage', limit: 2 }, OPTIONS)
    expect(all).toMatchObject({ total: 4, events: [{ type: null, id: expect.stringMatching(/^e:/) }, {}] })
    expect(JSON.stringify(all)).not.toContain(TOKEN)
    await expect(listEvents(store, { limit: 0 }, OPTIONS)).rejects.toMatchObject({ code: 'USAGE' })
  })
})
