import { describe, expect, it } from 'vitest'
import { MnemonicError } from '../core/error.ts'
import { checkRequest } from './check-request.ts'

function keysOf(request: unknown): unknown {
  try {
    checkRequest(request)
  } catch (error) {
    if (error instanceof MnemonicError && error.code === 'USAGE') return error.details.keys
    throw error
  }
  return undefined
}

describe('checkRequest', () => {
  it('fills what is not said', () => {
    expect(checkRequest({ query: 'x' })).toEqual({
      queries: ['x'],
      filters: {},
      limit: 10,
      explain: false,
      by: 'hit',
      exact: false,
      nearest: false,
    })
  })

  it('takes every filter, trims names, and leaves out what has no value', () => {
    const filters = {
      ...{ after: ' 2026-01-01 ', before: 'now', speaker: 'Ada', project: '/p', session: 's', topics: [' a '], has_decision: true },
      ...{ ledger: 'agents', sources: ['jsonl'], agent: 'main', branches: false },
      ...{ file: '*.go', tool: 'Bash', command: 'git push', errors: true },
    }
    expect(checkRequest({ query: '', filters, limit: 200, explain: true, by: 'session', exact: true })).toEqual({
      ...{ queries: [''], limit: 200, explain: true, by: 'session', exact: true, nearest: false },
      filters: { ...filters, after: '2026-01-01', topics: ['a'] },
    })
    expect(checkRequest({ query: 'x', filters: { after: undefined }, limit: undefined })).toEqual(checkRequest({ query: 'x' }))
  })

  it('takes further phrasings, each once, with or without a first one', () => {
    expect(checkRequest({ query: 'x', queries: [' y ', 'x', ''] }).queries).toEqual(['x', 'y'])
    expect(checkRequest({ queries: ['y', 'z'] }).queries).toEqual(['y', 'z'])
    expect(checkRequest({ query: 'a  b ', queries: ['a b', ' c'] }).queries).toEqual(['a  b ', 'c'])
    expect(checkRequest({ query: ' ', queries: ['y'] }).queries).toEqual(['y'])
    const eight = Array.from({ length: 8 }, (_, i) => `q${i}`)
    expect(checkRequest({ query: 'x', queries: eight }).queries).toEqual(['x', ...eight])
  })

  it.each([
    [{}, ['query']],
    [{ queries: [] }, ['query']],
    [{ queries: [' '] }, ['query']],
    [{ queries: 'x' }, ['queries']],
    [{ query: 'x', queries: ['y', 3] }, ['queries']],
    [{ query: 'x', queries: Array.from({ length: 9 }, (_, i) => `q${i}`) }, ['queries']],
    [{ query: 'x', by: 'turn' }, ['by']],
    [{ query: 3 }, ['query']],
    [{ query: 'x', nope: 1 }, ['nope']],
    [{ query: 'x', constructor: 1 }, ['constructor']],
    [{ query: 'x', limit: 1.5 }, ['limit']],
    [{ query: 'x', limit: '5' }, ['limit']],
    [{ query: 'x', explain: 1 }, ['explain']],
    [{ query: 'x', filters: [] }, ['filters']],
    [{ query: 'x', filters: null }, ['filters']],
    [
      { query: 'x', filters: { ledger: 'x', nope: 1, topics: 'a', branches: 'no' } },
      ['filters.ledger', 'filters.nope', 'filters.topics', 'filters.branches'],
    ],
    [{ query: 'x', filters: { topics: ['a', ''] } }, ['filters.topics']],
    [{ query: 'x', filters: { sources: Array.from({ length: 101 }, () => 'a') } }, ['filters.sources']],
    [{ query: 'x', filters: { speaker: '  ' } }, ['filters.speaker']],
    [{ query: 'x', filters: { speaker: 'a'.repeat(1001) } }, ['filters.speaker']],
    ['x', []],
    [null, []],
  ])('refuses %j and names the keys', (request, keys) => {
    expect(keysOf(request)).toEqual(keys)
  })
})
