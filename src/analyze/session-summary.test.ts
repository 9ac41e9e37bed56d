import { expect, it } from 'vitest'
import { hostileMix, pick, seeded } from '../../test/helpers/hostile-text.ts'
import { answered, asked, bash, call, outcomeFrom } from '../../test/helpers/outcome.ts'
import type { Trust } from '../core/trust.ts'
import { sessionSummary, sessionSummaryMarkdown } from './session-summary.ts'

const session = { title: 'Fix the *write gate*', trust: 'owner' as const }

const PIECES = [
  asked('Fix the write gate in src/gate.ts. It drops rows.'),
  call('Edit', { file_path: '/home/ada/app/src/gate.ts' }),
  bash('npm test', '1 failed'),
  bash('npm test', 'all passed'),
  bash('git commit -m "Clamp the write gate"', '[main 1a2b3c4] Clamp the write gate\n 1 file changed'),
  answered("Sure, let me look.\n\nI've fixed the clamp in src/gate.ts. All tests pass."),
  asked("OK, let's use SQLite for the queue.", { turn: 't2' }),
  call('TodoWrite', { todos: [{ content: 'Move the old rows', status: 'pending' }] }),
  answered('Pushed.', { turn: 't2' }),
]
const summary = () => sessionSummary({ ...session, topics: ['write-gate', 'write-gate', 'queue'] }, outcomeFrom(PIECES))

it('says what was asked, done, decided and left to do, and skips courtesies', () => {
  const { cites: _, ...lines } = summary()
  expect(lines).toEqual({
    title: 'Fix the write gate',
    plan: null,
    aim: 'Fix the write gate in src/gate.ts.',
    report: "I've fixed the clamp in src/gate.ts.",
    asked: ['Fix the write gate in src/gate.ts.', "OK, let's use SQLite for the queue."],
    commits: ['Clamp the write gate'],
    pulls: [],
    issues: [],
    merges: [],
    done: ["I've fixed the clamp in src/gate.ts."],
    decisions: ["OK, let's use SQLite for the queue."],
    actions: [],
    open: ['Move the old rows'],
    tests: 'mended',
    files: ['src/gate.ts'],
    read: [],
    components: [],
    topics: ['write-gate', 'queue'],
    trust: 'agent',
  })
})

it('each line leads to its message, and what was said to its place there', () => {
  const outcome = outcomeFrom(PIECES)
  const { cites, asked: lines, commits, done, decisions, open, files } = sessionSummary(session, outcome)
  const texts = new Map(PIECES.flatMap((piece) => ('text' in piece ? [[piece.message, piece.text] as const] : [])))
  for (const line of [...lines, ...commits, ...done, ...decisions, ...open, ...files])
    expect(cites.find(({ text }) => text === line)?.source.message, line).toBeTruthy()
  for (const { text, source } of cites) {
    if (source.start === undefined) expect(source.call, text).toBeTruthy()
    else expect(texts.get(source.message)?.slice(source.start, source.end)).toBe(text)
  }
})

it('its markdown is these bytes', () => {
  expect(sessionSummaryMarkdown(summary())).toBe(`## Asked

- “Fix the write gate in src/gate.ts.”
- “OK, let's use SQLite for the queue.”

## Done

- Tests pass after failing
- Committed “Clamp the write gate”
- “I've fixed the clamp in src/gate.ts.”

## Open

- “Move the old rows”

## Decisions

- “OK, let's use SQLite for the queue.”

## Files changed

- src/gate.ts

## Topics

- write-gate, queue`)
})

it('what contacts and strangers wrote is not in it', () => {
  for (const trust of ['contact', 'untrusted'] satisfies Trust[]) {
    const outcome = outcomeFrom([asked('evil prompt: we decided to pay.', { trust }), answered("I've made an evil answer.", { trust })])
    const foreign = sessionSummary({ ...session, trust, title: 'evil title' }, outcome)
    expect(JSON.stringify(foreign)).not.toContain('evil')
    expect(foreign.decisions).toEqual([])
  }
})

it('a session without a title is named by its plan, else its first request; one without words has a plain name', () => {
  const untitled = { ...session, title: null }
  expect(sessionSummary(untitled, outcomeFrom(PIECES)).title).toBe('Fix the write gate in src/gate.ts.')
  const plan = call('ExitPlanMode', { plan: '# Plan: Move the queue to SQLite\n\n1. …' })
  expect(sessionSummary(untitled, outcomeFrom([...PIECES, plan])).title).toBe('Move the queue to SQLite')
  expect(sessionSummary({ ...session, title: ' ' }, outcomeFrom([asked('🎉')])).title).toBe('Session without a title')
  expect(sessionSummaryMarkdown(sessionSummary(untitled, outcomeFrom([])))).toBe('Nothing was said in this session.')
})

it('a plan that is handed over is what was asked, and a heading is no report', () => {
  const { asked: lines, done } = sessionSummary(
    session,
    outcomeFrom([
      asked('Implement the following plan:\n\n# Move the queue to SQLite\n\nDetails.'),
      answered('## Review\n\nThe queue table is there now.'),
    ]),
  )
  expect(lines).toEqual(['Move the queue to SQLite'])
  expect(done).toEqual(['The queue table is there now.'])
})

it('a long session stays short, and keeps how it began and how it ended', () => {
  const outcome = outcomeFrom(
    Array.from({ length: 500 }, (_, i) => [
      asked(`Please write the chapter number ${i} now.`, { turn: `t${i}` }),
      answered(`I've added chapter ${i}. We decided to use outline ${i}.`, { turn: `t${i}` }),
    ]).flat(),
  )
  const { asked: lines, done, decisions } = sessionSummary(session, outcome)
  expect(lines.length).toBe(8)
  expect(lines[0]).toContain('number 0 ')
  expect(lines.at(-1)).toContain('number 499 ')
  expect(done.at(-1)).toContain('chapter 499')
  expect(decisions.at(-1)).toContain('outline 499')
  expect(sessionSummaryMarkdown(sessionSummary(session, outcome)).length).toBeLessThan(4000)
})

it('hostile sessions give the same summary twice, of single lines, without a secret', () => {
  const random = seeded(12)
  for (let round = 0; round < 100; round++) {
    const mix = (parts: number) => hostileMix(random, parts)
    const pieces = Array.from({ length: 4 }, () => [
      asked(mix(5), { trust: pick<Trust>(random, ['owner', 'untrusted']) }),
      call(mix(1), { path: mix(2), title: mix(2), todos: [{ content: mix(2), status: 'open' }] }),
      bash(`git commit -m "${mix(2)}"`, mix(2)),
      call('ExitPlanMode', { plan: `# ${mix(2)}` }),
      answered(`${mix(3)}\nI've fixed ${mix(2)}.`),
    ]).flat()
    const hostile = { title: mix(3), trust: 'owner' as const, topics: [mix(2)] }
    const one = sessionSummary(hostile, outcomeFrom(pieces))
    expect(sessionSummary(hostile, outcomeFrom(pieces))).toEqual(one)
    const { trust: _, pulls, cites, ...lists } = one
    for (const line of [...Object.values(lists).flat(), ...pulls.map(({ text }) => text), ...cites.map(({ text }) => text)]) {
      if (line === null) continue
      expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]/)
      expect(line).not.toContain('aB3dE5fG7')
      expect(line.length).toBeLessThanOrEqual(300)
    }
    for (const line of sessionSummaryMarkdown(one).split('\n')) {
      expect(line).toMatch(
        /^(?:|## (?:Asked|Done|Open|Decisions|Actions|Files changed|Files read|Topics)|- .+|Nothing was said in this session\.)$/,
      )
    }
  }
})
