import { expect, it } from 'vitest'
import { madeAhead } from './made-ahead.ts'

async function* counted(to: number, log: string[]) {
  for (let n = 1; n <= to; n++) {
    log.push(`read ${n}`)
    yield n
  }
}

it('gives results in order, and reads no more ahead than it may', async () => {
  const log: string[] = []
  // Later ones finish first.
  const make = (n: number) => new Promise<number>((resolve) => setTimeout(() => resolve(n * 10), 4 - n))
  for await (const made of madeAhead(counted(4, log), make, 2)) log.push(`made ${made}`)
  expect(log).toEqual(['read 1', 'read 2', 'made 10', 'read 3', 'made 20', 'read 4', 'made 30', 'made 40'])
})

it('with one ahead, each is made when it is asked for', async () => {
  const log: string[] = []
  for await (const made of madeAhead(counted(2, log), async (n) => n, 1)) log.push(`made ${made}`)
  expect(log).toEqual(['read 1', 'made 1', 'read 2', 'made 2'])
})

it('an error comes in its place, and what is left behind it fails unheard', async () => {
  const log: string[] = []
  const make = async (n: number) => {
    if (n > 1) throw new Error(`no ${n}`)
    return n
  }
  const given: number[] = []
  const all = async () => {
    for await (const made of madeAhead(counted(5, log), make, 3)) given.push(made)
  }
  await expect(all()).rejects.toThrow('no 2')
  expect(given).toEqual([1])
  expect(log).toEqual(['read 1', 'read 2', 'read 3', 'read 4'])
})
