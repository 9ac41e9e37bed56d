import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import type { Cli } from './cli.ts'
import { asker, confirm } from './confirm.ts'

function cliThat(answers: string | undefined, json = false) {
  let said = ''
  const io = { stderr: { write: (text: string) => (said += text) }, ask: answers === undefined ? undefined : async () => answers }
  return { cli: { io, out: { json } } as unknown as Cli, said: () => said }
}

it('only a yes is a yes', async () => {
  for (const [answer, meant] of [
    ['y', true],
    ['YES', true],
    [' yes ', true],
    ['', false],
    ['n', false],
    ['yesterday', false],
  ] as const) {
    const { cli, said } = cliThat(answer)
    expect(await confirm(cli, 'the plan', 'Do it?'), answer).toBe(meant)
    expect(said()).toContain('the plan')
  }
})

it('where nobody can answer it is a usage error that names --yes', async () => {
  for (const { cli } of [cliThat(undefined), cliThat('y', true)]) {
    await expect(confirm(cli, 'the plan', 'Do it?')).rejects.toMatchObject({ code: 'USAGE', hint: expect.stringContaining('--yes') })
  }
})

it('a question goes to the terminal and its answer comes back; the end of the input is no answer', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const answer = asker(input, output)('Do it? ')
  input.write('yes\n')
  expect(await answer).toBe('yes')
  expect(String(output.read())).toContain('Do it? ')
  const nothing = asker(input, output)('And now? ')
  input.end()
  expect(await nothing).toBe('')
})
