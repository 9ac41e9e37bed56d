import { expect, it } from 'vitest'
import type { Io } from './io.ts'
import { progressLine } from './progress.ts'

function terminal() {
  const drawn: string[] = []
  const io: Io = {
    stdout: { write: () => undefined },
    stderr: { write: (text) => drawn.push(text) },
    env: {},
    isTTY: { stdout: true, stderr: true },
    columns: 60,
    signal: () => new AbortController().signal,
  }
  return { io, drawn }
}

it('draws one line within the width of the terminal and takes it away', () => {
  const { io, drawn } = terminal()
  const line = progressLine(io, { enabled: true, now: () => 0 })
  line.show({ stage: 'ingest', adapter: 'claude-code', done: 5, total: 10, path: `/${'long/'.repeat(40)}\u001b[2Jname` })
  line.clear()
  line.clear()
  expect(drawn).toHaveLength(2)
  expect(drawn[0]).toContain('[##########..........] 5/10')
  expect(drawn[0]?.slice('\r\u001b[2K'.length).length).toBeLessThan(60)
  expect(drawn[0]).not.toContain('[2Jname')
  expect(drawn[0]).toMatch(/5\/10 name$/)
  expect(drawn[1]).toBe('\r\u001b[2K')
})

it('says how far a long file is, a pipe and a database', () => {
  const { io, drawn } = terminal()
  let now = 0
  const line = progressLine({ ...io, columns: 80 }, { enabled: true, now: () => (now += 1000) })
  const at = { stage: 'ingest', adapter: 'gmail', done: 0, total: 1, path: '/m/All mail.mbox' } as const
  line.show({ ...at, within: { records: 3200, bytes: 46_000_000, size: 184_000_000 } })
  line.show({ ...at, done: 1, total: 2, within: { records: 1, bytes: 50, size: 100 } })
  line.show({ ...at, path: '/dev/stdin', within: { records: 7, bytes: 5_000_000, size: 0 } })
  line.show({ ...at, adapter: 'imessage', path: '/m/chat.db', within: { records: 9000, bytes: null, size: 100 } })
  expect(drawn.map((text) => text.slice('\r\u001b[2K'.length))).toEqual([
    'gmail [#####...............] 46 MB of 184 MB, 3,200 read: All mail.mbox',
    'gmail [###############.....] 1/2 50 B of 100 B, 1 read: All mail.mbox',
    'gmail [....................] 5.0 MB, 7 read: stdin',
    'imessage [....................] 9,000 read: chat.db',
  ])
})

it('redraws no more often than the eye sees', () => {
  const { io, drawn } = terminal()
  let now = 0
  const line = progressLine(io, { enabled: true, now: () => now })
  for (; now < 400; now++) line.show({ stage: 'index', done: now, total: 400 })
  expect(drawn).toHaveLength(5)
})

it('draws nothing when it is not enabled', () => {
  const { io, drawn } = terminal()
  const line = progressLine(io, { enabled: false })
  line.show({ stage: 'index', done: 1, total: 2 })
  line.clear()
  expect(drawn).toEqual([])
})

it('says how long embedding will take, when this run stops, and once that words are searched already', () => {
  const { io, drawn } = terminal()
  let now = 0
  const line = progressLine({ ...io, columns: 100 }, { enabled: true, now: () => now })
  line.show({ stage: 'embed', done: 100, total: 1100, stopsInMs: 60_000 })
  expect(drawn[0]).toMatch(/^Search by words works already\..*\n$/)
  expect(drawn[1]).toMatch(/100\/1100$/)
  now = 10_000
  line.show({ stage: 'embed', done: 200, total: 1100, stopsInMs: 50_000 })
  expect(drawn[2]).toMatch(/200\/1100, about 2 min left, stops in 50 s$/)
  now = 60_000
  line.show({ stage: 'embed', done: 900, total: 1100, stopsInMs: 50_000 })
  expect(drawn[3]).toMatch(/900\/1100, about 15 s left$/)
  expect(drawn.filter((text) => text.includes('works already'))).toHaveLength(1)
})

it('a few chunks need no explanation', () => {
  const { io, drawn } = terminal()
  progressLine(io, { enabled: true }).show({ stage: 'embed', done: 0, total: 20 })
  expect(drawn).toHaveLength(1)
})
