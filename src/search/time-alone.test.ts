import { describe, expect, it } from 'vitest'
import { seedChunks } from '../../test/helpers/seed-chunks.ts'
import { tempStore } from '../../test/helpers/store.ts'
import { toIso } from '../core/time.ts'
import { namedTimes } from './named-times.ts'
import type { SearchRequest } from './result.ts'
import { searcher } from './search.ts'
import { timeAlone } from './time-alone.ts'

/** A Sunday, 13:00 UTC. */
const NOW = Date.UTC(2026, 10, 15, 13)
const zone = { timezone: 'UTC', now: NOW }

describe('a time alone', () => {
  it.each([
    ['2026-01-14', 'January 14, 2026'],
    ['January 14', 'January 14, 2026'],
    ['on the 14th of January?', 'January 14, 2026'],
    ['yesterday', 'November 14, 2026'],
    ['What happened yesterday?', 'November 14, 2026'],
    ['what did we do last Tuesday', 'November 10, 2026'],
    ['what did I work on in mid January?', 'January 11, 2026 to January 20, 2026'],
    ['last week', 'November 2, 2026 to November 8, 2026'],
    ['from 5 to 9 January', 'January 5, 2026 to January 9, 2026'],
    ['two weeks before January 14', 'December 31, 2025'],
    ['since Monday', 'since November 9, 2026'],
    ['after January 14', 'since January 15, 2026'],
    ['before January 14', 'before January 14, 2026'],
    ['until January 14', 'before January 15, 2026'],
    ['May', 'May 1, 2026 to May 31, 2026'],
    ['in May', 'May 1, 2026 to May 31, 2026'],
    ['what happened in the first week of february', 'February 1, 2026 to February 7, 2026'],
    ['summary of last week', 'November 2, 2026 to November 8, 2026'],
    ["yesterday's sessions", 'November 14, 2026'],
    ['what have I been up to this week?', 'November 9, 2026 to November 15, 2026'],
  ])('%s', (query, days) => {
    expect(timeAlone(query, zone)?.days).toBe(days)
  })

  it.each([
    '',
    'retries',
    'what did we decide about retries yesterday',
    '"2026-01-14"',
    'what may we do',
    'march on',
    'release 2026-01-14',
    'February 30',
    'two weeks before the release',
  ])('%j is none', (query) => {
    expect(timeAlone(query, zone)).toBeUndefined()
  })

  it('is counted in the owner’s days', () => {
    const day = timeAlone('2026-01-14', { timezone: 'Australia/Melbourne', now: NOW })
    expect(day && [toIso(day.from), toIso(day.to), day.days]).toEqual([
      '2026-01-13T13:00:00.000Z',
      '2026-01-14T13:00:00.000Z',
      'January 14, 2026',
    ])
  })
})

it('a question says the same whatever verb it is put with', () => {
  const asked = ['what happened', 'what went on', 'what was done', 'tell me about', 'remind me', 'what did we discuss', 'find things']
  const rest = asked.map((query) => timeAlone(`${query} on 3 Feb`, zone)?.rest)
  expect(rest).not.toContain(undefined)
  expect(rest.join(' ')).not.toMatch(/happened|went|done|tell|remind|discuss|find|things/)
})

describe('the times that a question names', () => {
  it.each([
    ['flaky tests last week', ['last week'], []],
    ['retries in the first week of february', ['the first week of february'], []],
    ['why did it fail on february 30', [], ['february 30']],
    ['what failed on February 29 2026', [], ['February 29 2026']],
    ['what failed on 29 Feb 2026', [], ['29 Feb 2026']],
    ['what failed on the 31st of february', [], ['31st of february']],
    ['what failed on the 42nd of february', [], ['42nd of february']],
    ['what failed on the 3rd of february', ['the 3rd of february'], []],
    ['what failed on February 3 2026', ['February 3 2026'], []],
    ['what failed last sprint', [], ['last sprint']],
    ['what broke on 02/03/2026', [], ['02/03/2026']],
    ['what did we ship at christmas', [], ['christmas']],
    ['hooks two sprints ago', [], ['two sprints ago']],
    ['hooks two weeks ago', ['two weeks ago'], []],
  ])('%s', (query, understood, strange) => {
    const named = namedTimes(query, zone)
    expect(named?.understood.map(({ phrase }) => phrase)).toEqual(understood)
    expect(named?.not_understood).toEqual(strange)
  })

  it.each([
    'wait two days for a retry',
    'the first implementation of may',
    'march on',
    'release "2026-01-14"',
    'the last retry',
    'second try',
    '',
  ])('%j names none', (query) => expect(namedTimes(query, zone)).toBeUndefined())
})

describe('a search for a time alone', () => {
  const at = (day: number, hour: number) => Date.UTC(2026, 0, day, hour)
  async function over() {
    const store = await tempStore()
    await seedChunks(store, [
      { user: 'the evening of the fourteenth', session: 's-late', at: at(14, 20) },
      { user: 'the day before, about January 14', session: 's-before', at: at(13, 12) },
      { user: 'the morning of the fourteenth', session: 's-early', at: at(14, 8) },
      { user: 'noon of the fourteenth', session: 's-early', at: at(14, 12) },
      { user: 'the day after', session: 's-after', at: at(15, 0) },
    ])
    const one = searcher({ store, clock: () => NOW, owner: { name: undefined, timezone: 'UTC' }, agentId: 'main' })
    return async (request: SearchRequest) => {
      const answer = await one.search(request)
      await one.flush()
      return { ...answer, said: answer.results.map(({ content }) => content.replace(/^\w+: /, '').slice(0, 11)) }
    }
  }

  it('lists what is of that day, in order, and says how much there is', async () => {
    const search = await over()
    const answer = await search({ query: '2026-01-14' })
    expect(answer.said).toEqual(['the morning', 'noon of the', 'the evening'])
    expect(answer).toMatchObject({
      matched: 'listed',
      corrections: [],
      listed: {
        days: 'January 14, 2026',
        from: '2026-01-14T00:00:00.000Z',
        to: '2026-01-15T00:00:00.000Z',
        hits: 3,
        sessions: 2,
        conversations: 0,
      },
    })
    expect((await search({ query: 'what did we do on January 14?', limit: 1 })).said).toEqual(['the morning'])
    for (const query of ['what happened on January 14?', 'what went on on 14 Jan', 'sessions of January 14', 'tell me about January 14'])
      expect(await search({ query })).toMatchObject({ said: answer.said, listed: { hits: 3 } })
    expect(answer.time?.understood).toMatchObject([{ phrase: '2026-01-14', days: 'January 14, 2026' }])
    expect((await search({ query: 'flaky build on February 30' })).time).toEqual({ understood: [], not_understood: ['February 30'] })
    for (const query of ['what was on Wednesday, January 14?', 'Wednesday 14 January', 'on Wednesday 2026-01-14'])
      expect((await search({ query, limit: 1 })).said).toEqual(['the morning'])
    const { groups, listed } = await search({ query: 'January 14', by: 'session' })
    expect(groups.map(({ session_id, more }) => [session_id, more])).toEqual([
      ['jsonl:s-early', 1],
      ['jsonl:s-late', 0],
    ])
    expect(listed).toMatchObject({ hits: 3, sessions: 2 })
  })

  it('with the filters that are given, newest first where it has no end', async () => {
    const search = await over()
    expect((await search({ query: '2026-01-14', filters: { session: 's-early' } })).said).toEqual(['the morning', 'noon of the'])
    expect((await search({ query: '2026-01-14', filters: { after: '2026-01-14 10:00' } })).said).toEqual(['noon of the', 'the evening'])
    expect((await search({ query: 'since January 14', limit: 2 })).said).toEqual(['the day aft', 'the evening'])
    expect((await search({ query: '2026-01-20' })).listed).toMatchObject({ hits: 0 })
  })

  it('is looked for as words where it stands in quotes, with exact, and beside other words', async () => {
    const search = await over()
    for (const request of [
      { query: '"January 14"' },
      { query: 'January 14', exact: true },
      { query: 'about January 14', queries: ['x'] },
    ]) {
      const { said, listed } = await search(request)
      expect(said, JSON.stringify(request)).toContain('the day bef')
      expect(listed).toBeUndefined()
    }
  })
})
