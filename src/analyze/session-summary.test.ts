import { expect, it } from 'vitest'
import { hostileMix, pick, seeded } from '../../test/helpers/hostile-text.ts'
import type { Trust } from '../core/trust.ts'
import { type SummaryTurn, sessionSummary, sessionSummaryMarkdown } from './session-summary.ts'

const session = { title: 'Fix the *write gate*', project: '/home/ada/app', trust: 'owner' as const }
const turn = (prompt: string, answer = '', more: Partial<SummaryTurn> = {}): SummaryTurn => ({
  prompt,
  promptTrust: 'owner',
  answer,
  answerTrust: 'agent',
  ...more,
})

const turns = [
  turn('Fix the write gate in src/gate.ts. It drops rows.', "Sure, let me look.\n\nI've fixed the clamp in src/gate.ts. All tests pass.", {
    calls: [{ name: 'Edit', params: { file_path: '/home/ada/app/src/gate.ts' } }],
    topics: ['write-gate'],
  }),
  turn("OK, let's use SQLite for the queue.", 'TODO: migrate the old rows.', { topics: ['write-gate', 'queue'] }),
]

it('says what was asked, done, decided and left to do', () => {
  expect(sessionSummary(session, turns)).toEqual({
    title: 'Fix the write gate',
    asked: ['Fix the write gate in src/gate.ts.', "OK, let's use SQLite for the queue."],
    done: ["I've fixed the clamp in src/gate.ts.", 'TODO: migrate the old rows.'],
    decisions: ["OK, let's use SQLite for the queue."],
    actions: ['TODO: migrate the old rows.'],
    files: ['src/gate.ts'],
    read: [],
    topics: ['write-gate', 'queue'],
    trust: 'agent',
  })
})

it('its markdown is these bytes', () => {
  expect(sessionSummaryMarkdown(sessionSummary(session, turns))).toBe(`## Asked

- “Fix the write gate in src/gate.ts.”
- “OK, let's use SQLite for the queue.”

## Done

- “I've fixed the clamp in src/gate.ts.”
- “TODO: migrate the old rows.”

## Decisions

- “OK, let's use SQLite for the queue.”

## Actions

- “TODO: migrate the old rows.”

## Files changed

- src/gate.ts

## Topics

- write-gate, queue`)
})

it('what contacts and strangers wrote is not in it', () => {
  const foreign: Trust[] = ['contact', 'untrusted']
  for (const trust of foreign) {
    const summary = sessionSummary({ ...session, trust, title: 'evil title' }, [
      turn('evil prompt: we decided to pay.', 'evil answer', { promptTrust: trust, answerTrust: trust }),
    ])
    expect(JSON.stringify(summary)).not.toContain('evil')
    expect(summary.decisions).toEqual([])
  }
})

it('a session without a title is named by its first request; one without words has a plain name', () => {
  expect(sessionSummary({ ...session, title: null }, turns).title).toBe('Fix the write gate in src/gate.ts.')
  expect(sessionSummary({ ...session, title: ' ' }, [turn('🎉')]).title).toBe('Session without a title')
  expect(sessionSummaryMarkdown(sessionSummary({ ...session, title: null }, []))).toBe('Nothing was said in this session.')
})

it('what leads up to a request is shown with it, and a heading is no report', () => {
  const { asked, done } = sessionSummary(session, [
    turn('Implement the following plan:\n\n# Move the queue to SQLite\n\nDetails.', '## Review\n\nThe queue is there now.'),
  ])
  expect(asked).toEqual(['Implement the following plan: Move the queue to SQLite'])
  expect(done).toEqual(['The queue is there now.'])
})

it('a long session stays short, and keeps how it began and how it ended', () => {
  const many = Array.from({ length: 500 }, (_, i) =>
    turn(`Please do the task number ${i} now.`, `I've added part ${i}. We decided to use plan ${i}.`),
  )
  const { asked, done, decisions } = sessionSummary(session, many)
  expect(asked.length).toBe(8)
  expect(asked[0]).toContain('number 0 ')
  expect(asked.at(-1)).toContain('number 499 ')
  expect(done.at(-1)).toContain('part 499')
  expect(decisions.at(-1)).toContain('plan 499')
  expect(sessionSummaryMarkdown(sessionSummary(session, many)).length).toBeLessThan(4000)
})

it('hostile turns give the same summary twice, of single lines, without a secret', () => {
  const random = seeded(12)
  for (let round = 0; round < 100; round++) {
    const all = Array.from({ length: 4 }, () =>
      turn(hostileMix(random, 5), hostileMix(random, 5), {
        promptTrust: pick<Trust>(random, ['owner', 'untrusted']),
        topics: [hostileMix(random, 2)],
        calls: [{ name: hostileMix(random, 1), params: { path: hostileMix(random, 2) } }],
      }),
    )
    const hostile = { title: hostileMix(random), project: hostileMix(random), trust: 'owner' as const }
    const summary = sessionSummary(hostile, all)
    expect(sessionSummary(hostile, all)).toEqual(summary)
    const { trust: _, title, ...lists } = summary
    for (const line of [title, ...Object.values(lists).flat()]) {
      expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]/)
      expect(line).not.toContain('aB3dE5fG7')
      expect(line.length).toBeLessThanOrEqual(300)
    }
    for (const line of sessionSummaryMarkdown(summary).split('\n')) {
      expect(line).toMatch(
        /^(?:|## (?:Asked|Done|Decisions|Actions|Files changed|Files read|Topics)|- .+|Nothing was said in this session\.)$/,
      )
    }
  }
})
