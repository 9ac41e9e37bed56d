/** A fork shows the current decision; the superseded one only on request, and marked. */
import { describe, expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'
import { claudeCodeSource } from '../../test/helpers/sources/claude-code.ts'
import type { ForkContext, Mnemonic } from '../library/index.ts'

const OLD = "Let's use Postgres for the telemetry store."
const NEW = "Let's use SQLite instead of Postgres for the telemetry store."
const DAY = 86_400_000
const START = Date.UTC(2026, 1, 10, 9)

/** One session per day. */
async function homeWith(sessions: readonly (readonly { prompt: string; answer: string }[])[]): Promise<Mnemonic> {
  const home = testHome()
  for (const [day, turns] of sessions.entries())
    claudeCodeSource.write(
      home.logs,
      `session ${day}`,
      turns.map((turn, i) => ({ ...turn, at: START + day * DAY + i * 60_000 })),
    )
  const mnemonic = await home.open({ clock: () => START + 30 * DAY, config: { owner: { timezone: 'UTC' } } })
  await mnemonic.sync({ path: home.logs, adapters: ['claude-code'], embed: false })
  return mnemonic
}

const said = ({ relevant_turns }: ForkContext) => relevant_turns.flatMap(({ messages }) => messages.map(({ text }) => text))
const whyOf = ({ relevant_turns }: ForkContext, text: string) =>
  relevant_turns.find(({ messages }) => messages.some((message) => message.text === text))?.why

describe('of a decision that another replaced', () => {
  const replaced = () =>
    homeWith([
      [{ prompt: OLD, answer: 'Understood, the telemetry store will be Postgres.' }],
      [{ prompt: 'What does the ferry carry?', answer: 'Sheep.' }],
      [{ prompt: NEW, answer: 'Understood.' }],
    ])

  it('only what holds is there, however it is asked for', async () => {
    const mnemonic = await replaced()
    for (const query of [
      'telemetry store',
      'which store do we use for telemetry',
      'what did we decide about the telemetry store?',
      'Change the telemetry store',
      'change of the telemetry store',
      'switch the telemetry store to another database',
      'telemetry store: what must run before the deploy',
      'is the old data of the telemetry store kept?',
      `“${OLD.slice(0, -1)}”`,
      'Plan: “use Postgres for the telemetry store”',
      OLD,
    ]) {
      const fork = await mnemonic.buildForkContext({ query })
      expect(said(fork), query).toContain(NEW)
      expect(said(fork), query).not.toContain(OLD)
      expect(whyOf(fork, NEW), query).toMatch(/holds since 2026-02-12 instead of what \w+:1 decided/)
    }
  })

  it('both are there where the question asks for the past, the older marked with what replaced it', async () => {
    const mnemonic = await replaced()
    for (const query of [
      'why did we move from Postgres for the telemetry store',
      'what did we use earlier for the telemetry store',
      'what was the telemetry store originally?',
      'the telemetry store before SQLite: what was it?',
      'has the telemetry store changed?',
      'when did we switch the telemetry store',
      'history of the telemetry store',
    ]) {
      const fork = await mnemonic.buildForkContext({ query })
      expect(said(fork), query).toEqual(expect.arrayContaining([OLD, NEW]))
      expect(whyOf(fork, OLD), query).toMatch(/what it decided was replaced on 2026-02-12 by \w+:1: ".*SQLite/)
    }
  })

  it('a phrasing beside the question may ask for the past', async () => {
    const mnemonic = await replaced()
    const fork = await mnemonic.buildForkContext({ query: 'telemetry store', also: ['telemetry store originally'] })
    expect(said(fork)).toContain(OLD)
  })
})

it('a turn that was found for something else stays, and is marked', async () => {
  const mnemonic = await homeWith([
    [{ prompt: `${OLD} And paint the lighthouse door crimson before Easter.`, answer: 'Understood.' }],
    [{ prompt: NEW, answer: 'Understood.' }],
  ])
  const fork = await mnemonic.buildForkContext({ query: 'lighthouse door crimson' })
  expect(said(fork).join()).toContain('door crimson')
  expect(fork.relevant_turns[0]?.why).toMatch(/^found by .*; what it decided was replaced on 2026-02-11 by \w+:1/)
})

it('a proposal that was agreed to, and replaced, gives way too', async () => {
  const mnemonic = await homeWith([
    [
      { prompt: 'Which backoff fits the beacon?', answer: 'Want me to use exponential backoff for the beacon retry?' },
      { prompt: 'yes please', answer: 'Done.' },
    ],
    [{ prompt: "Let's use linear backoff instead of exponential backoff for the beacon retry.", answer: 'Understood.' }],
  ])
  const { lines } = await mnemonic.decisions({ limit: 10 })
  expect(lines.flatMap(({ before }) => before)).toHaveLength(1) // the history knows the replacement
  const fork = await mnemonic.buildForkContext({ query: 'beacon backoff retry' })
  expect(said(fork).join()).toContain('linear backoff')
  expect(said(fork).join()).not.toContain('Want me to use exponential')
  const past = await mnemonic.buildForkContext({ query: 'what was the beacon backoff retry originally' })
  expect(said(past).join()).toContain('Want me to use exponential')
  expect(past.relevant_turns[0]?.why).toContain('was replaced on 2026-02-11')
})

it('the words that decided are shown, however much else their turn says', async () => {
  const mnemonic = await homeWith([
    [{ prompt: OLD, answer: 'Understood.' }],
    [{ prompt: NEW, answer: `The telemetry store: ${'telemetry store rows go to the telemetry store. '.repeat(60)}` }],
  ])
  const fork = await mnemonic.buildForkContext({ query: 'telemetry store rows', maxTokens: 600 })
  expect(said(fork).join()).toContain('use SQLite instead')
  expect(
    fork.relevant_turns
      .map(({ why }) => why)
      .join()
      .match(/instead of what/g),
  ).toHaveLength(1)
})

it('of several in a row the last one holds', async () => {
  const mnemonic = await homeWith([
    [{ prompt: OLD, answer: 'Understood.' }],
    [{ prompt: NEW, answer: 'Understood.' }],
    [{ prompt: "Let's use DuckDB instead of SQLite for the telemetry store.", answer: 'Understood.' }],
  ])
  const fork = await mnemonic.buildForkContext({ query: 'telemetry store' })
  expect(said(fork).join()).toContain('DuckDB')
  expect(said(fork)).not.toContain(OLD)
  expect(said(fork)).not.toContain(NEW)
})
