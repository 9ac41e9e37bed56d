import { expect, it } from 'vitest'
import type { SearchAnswer, SearchResult } from '../../library/index.ts'
import { formatHit, formatSearch } from './search.ts'
import { style } from './style.ts'

const options = { style: style(false), width: 120, now: Date.parse('2026-11-15T10:00:00Z') }

const hit = (more: Partial<SearchResult> = {}): SearchResult => ({
  id: 'plan:2',
  kind: 'speech',
  session_id: 'jsonl:plan',
  turn_id: 'jsonl:plan/p-04',
  message_ids: ['p-03', 'p-04'],
  path: 'sessions/plan/turns/p-04.md',
  source: 'sessions',
  harness: 'claude-code',
  ledger: 'agents',
  timestamp: '2026-09-30T04:31:00.000Z',
  speakers: ['user', 'Jason', 'assistant', 'Max'],
  session_title: 'Content plan',
  project: '/home/jason/code/quill',
  project_name: null,
  topics: ['posting'],
  has_decision: true,
  relevance_score: 0.953,
  content: 'Jason: On posting frequency: three a week.\nMax: Noted.',
  excerpt: 'Jason: On posting frequency: three a week.',
  context: '[before] Jason: How many posts?\n[after] Max: A reminder follows.',
  trust: 'owner',
  matched: ['posting', 'frequency'],
  ...more,
})

it('says when, who, where, why, and the id to cite', () => {
  const text = formatHit(hit(), 1, options)
  expect(text).toMatch(/^1 {2}2026-09-\d\d \d\d:\d\d \(6 weeks ago\) · Jason, Max · Content plan\n/)
  expect(text).toContain('in /home/jason/code/quill · matched "posting", "frequency" · topics posting · holds a decision · score 0.95\n')
  expect(text).toContain('\n   Jason: On posting frequency: three a week.\n   Max: Noted.\n')
  expect(text).toContain('┊ [before] Jason: How many posts?\n   ┊ [after] Max: A reminder follows.')
  expect(text.split('\n').at(-1)).toBe('   cite jsonl:plan/p-04')
})

it('a role without a name stays a role', () => {
  expect(formatHit(hit({ speakers: ['user', 'assistant', 'Max'] }), 1, options)).toContain('· user, Max ·')
})

it('trust is told only where it is not that of the owner or an agent', () => {
  expect(formatHit(hit(), 1, options)).not.toContain('trust')
  expect(formatHit(hit({ trust: 'untrusted' }), 1, options)).toContain('trust: untrusted')
})

it('control sequences of the ledger never reach the terminal', () => {
  const evil = '\u001b]8;;http://x\u0007click\u001b[31m'
  const fields = {
    content: evil,
    context: evil,
    session_title: evil,
    project: evil,
    topics: [evil],
    matched: [evil],
    speakers: [evil],
    turn_id: evil,
  }
  expect(formatHit(hit(fields), 1, options)).not.toMatch(/[\u001b\u0007]/)
})

it('the footer says mode and last sync', () => {
  const answer: SearchAnswer = {
    query: 'q',
    queries: ['q'],
    mode: { requested: 'hybrid', realized: 'lexical' },
    last_sync: '2026-11-15T09:00:00Z',
    results: [],
    groups: [],
  }
  expect(formatSearch(answer, options)).toBe('0 hits · lexical (asked for hybrid) · last sync 1 hour ago')
  expect(formatSearch({ ...answer, last_sync: null, mode: { requested: 'lexical', realized: 'lexical' } }, options)).toBe(
    '0 hits · lexical · never synced',
  )
})
