import { describe, expect, it } from 'vitest'
import { batches, tasksOf } from './batches.ts'

describe('batches', () => {
  it('every sequence is in exactly one run, and a run has one length', () => {
    const lengths = Array.from({ length: 500 }, (_, at) => (at * 7) % 41)
    const runs = batches(lengths)
    expect(runs.flat().sort((a, b) => a - b)).toEqual(lengths.map((_, at) => at))
    for (const run of runs) expect(new Set(run.map((at) => lengths[at])).size).toBe(1)
  })

  it('long sequences run alone, short ones together', () => {
    expect(batches([254, 254, 254])).toEqual([[0], [1], [2]])
    expect(batches(new Array(20).fill(16))).toEqual([Array.from({ length: 16 }, (_, at) => at), [16, 17, 18, 19]])
  })

  it('nothing gives no run', () => {
    expect(batches([])).toEqual([])
  })
})

describe('tasksOf', () => {
  it('every text is in exactly one task, longest first, and no task is long unless one text is', () => {
    const texts = Array.from({ length: 300 }, (_, at) => 'x'.repeat((at * 37) % 3_000))
    const tasks = tasksOf(texts)
    expect(tasks.flat().sort((a, b) => a - b)).toEqual(texts.map((_, at) => at))
    const sizes = tasks.map((task) => task.reduce((size, at) => size + (texts[at]?.length ?? 0), 0))
    for (const [at, task] of tasks.entries()) expect(task.length === 1 || (sizes[at] as number) <= 2_000).toBe(true)
    expect(texts[tasks[0]?.[0] ?? 0]?.length).toBe(Math.max(...texts.map((text) => text.length)))
  })

  it('no text gives no task', () => {
    expect(tasksOf([])).toEqual([])
    expect(tasksOf([''])).toEqual([[0]])
  })
})
