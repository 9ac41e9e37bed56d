import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import type { Cli } from './cli.ts'
import { printPaged } from './pager.ts'

interface Terminal {
  readonly env?: Record<string, string>
  readonly isTTY?: boolean
  readonly launch?: (argv: readonly string[]) => Promise<number | undefined>
}

function over({ env = {}, isTTY = true, launch }: Terminal, room = Number.POSITIVE_INFINITY) {
  const written: string[] = []
  const hints: string[] = []
  const stdout = Object.assign(new EventEmitter(), { write: (text: string) => written.push(text) < room })
  const io = { stdout, env, isTTY: { stdout: isTTY }, rows: 4, ...(launch ? { launch } : {}) }
  const cli = { io, out: { hint: (text: string) => hints.push(text) } } as unknown as Cli
  return { cli, written, hints, stdout }
}

async function* pieces(count: number, made: number[] = []): AsyncGenerator<string> {
  for (let i = 0; i < count; i++) {
    made.push(i)
    yield `line ${i}\n`
  }
}

it('a slow reader sets the pace: no more is made than it takes', async () => {
  const { cli, written, stdout } = over({ isTTY: false }, 3)
  const made: number[] = []
  const printed = printPaged(cli, pieces(10, made))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([written.length, made.length]).toEqual([3, 3])
  while (written.length < 10) {
    stdout.emit('drain')
    await new Promise((resolve) => setImmediate(resolve))
  }
  stdout.emit('close')
  await printed
  expect(written.join('')).toMatch(/^line 0\n[\s\S]*line 9\n$/)
})

it.each([
  [{}, ['less']],
  [{ PAGER: 'more' }, ['more']],
  [{ PAGER: 'more', MNEMONIC_PAGER: 'most -s' }, ['most', '-s']],
  [{ MNEMONIC_PAGER: '' }, undefined],
  [{ PAGER: 'cat' }, undefined],
  [{ TERM: 'dumb' }, undefined],
])('%j asks for %j', async (env, argv) => {
  let asked: readonly string[] | undefined
  const launch = async (words: readonly string[]) => {
    asked = words
    return 0
  }
  await printPaged(over({ env, launch }).cli, pieces(10))
  expect(asked).toEqual(argv)
})

it('what fits needs none, nor does a pipe, and one that is missing is said', async () => {
  const never = async () => {
    throw new Error('a pager was started')
  }
  const short = over({ launch: never })
  await printPaged(short.cli, pieces(2))
  expect(short.written.join('')).toBe('line 0\nline 1\n')
  await printPaged(over({ launch: never, isTTY: false }).cli, pieces(10))
  await printPaged(over({ launch: never }).cli, pieces(10), { plain: true })
  const missing = over({ launch: async () => undefined })
  await printPaged(missing.cli, pieces(10))
  expect(missing.written).toHaveLength(10)
  expect(missing.hints).toEqual([expect.stringContaining('less is not installed')])
})
