import { Command } from 'commander'
import { expect, it } from 'vitest'
import { once } from './arguments.ts'

it('an option that takes one value is refused where it is given twice', () => {
  const run = (...argv: string[]) =>
    new Command()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined })
      .option('--path <path>', '', once)
      .parse(argv, { from: 'user' })
      .opts()
  expect(run('--path', 'a')).toEqual({ path: 'a' })
  expect(() => run('--path', 'a', '--path', 'b')).toThrow('It can be given once')
})
