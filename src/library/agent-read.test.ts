import { expect, it } from 'vitest'
import { MnemonicError } from '../core/error.ts'
import { excerptTokens } from '../search/excerpt.ts'
import type { MemoryGetAnswer, MemoryGetRequest } from '../search/memory-get.ts'
import { type Reader, readForAgent } from './agent-read.ts'

const CITATION = 'sessions/x.md#L6-L9'
const hints = { read: (id: string) => id, before: String, readHit: (n: number) => String(n), nearest: 'nearest' }

function reading(): { reader: Reader; asked: MemoryGetRequest[] } {
  const asked: MemoryGetRequest[] = []
  const memoryGet = async (request: MemoryGetRequest) => {
    asked.push(request)
    const text = `chosen within ${request.budget}`
    return {
      id: 'x:1',
      text,
      from: 6,
      lines: 4,
      total_lines: 20,
      next_from: 6,
      title: null,
      timestamp: null,
      trust: 'agent',
    } as MemoryGetAnswer
  }
  const show = async () => {
    throw new MnemonicError('NOT_FOUND', 'no session')
  }
  return { reader: { memoryGet, show } as Reader, asked }
}

it('more of a hit by its number is other than what the answer showed of it', async () => {
  const { reader, asked } = reading()
  await readForAgent(reader, { name: CITATION, about: ['why'], rank: 0 }, hints)
  expect(asked.at(-1)).toEqual({ path: CITATION, budget: 200, about: ['why'], shown: `chosen within ${excerptTokens({ rank: 0 })}` })
  await readForAgent(reader, { name: CITATION, about: ['why'], rank: 7, shown: 'this' }, hints)
  expect(asked.at(-1)).toEqual({ path: CITATION, budget: 200, about: ['why'], shown: 'this' })
})

it('lines that are asked for are given, whatever was shown', async () => {
  const { reader, asked } = reading()
  await readForAgent(reader, { name: CITATION, about: ['why'], rank: 0, from: 6 }, hints)
  expect(asked).toEqual([{ path: CITATION, budget: 600, about: ['why'], from: 6 }])
})
