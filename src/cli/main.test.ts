import { expect, it } from 'vitest'
import type { Io } from './io.ts'
import { run } from './main.ts'
import { VERBS } from './program.ts'

const mnemonic = (...argv: string[]) => mnemonicAt(undefined, ...argv)

async function mnemonicAt(columns: number | undefined, ...argv: string[]) {
  const written = { out: '', err: '' }
  const io: Io = {
    stdout: { write: (text) => (written.out += text) },
    stderr: { write: (text) => (written.err += text) },
    env: {},
    isTTY: { stdout: columns !== undefined, stderr: false },
    columns,
    signal: () => new AbortController().signal,
  }
  return { code: await run(argv, io), ...written }
}

it('without a command the help goes to stderr, with exit 2', async () => {
  const { code, out, err } = await mnemonic()
  expect(code).toBe(2)
  expect(out).toBe('')
  expect(err).toContain('Usage: mnemonic')
})

it('--help names every command', async () => {
  const { code, out } = await mnemonic('--help')
  expect(code).toBe(0)
  for (const { name } of VERBS) expect(out).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
})

it.each(['', ...VERBS.map(({ name }) => name)])('%s --help fits a terminal of 80 columns', async (name) => {
  const { out } = await mnemonicAt(80, ...[name, '--help'].filter(Boolean))
  const prose = out.split('\n').filter((line) => !/^ +(\$|bash|zsh|fish) /.test(line))
  expect(prose.filter((line) => line.length > 80)).toEqual([])
})

it.each(VERBS.map(({ name }) => name))('%s --help has a description and an example', async (name) => {
  const { code, out } = await mnemonic(name, '--help')
  expect(code).toBe(0)
  expect(out).toContain(`Usage: mnemonic ${name}`)
  expect(out).toContain(`$ mnemonic ${name}`)
  expect(out).toContain('--json')
})

it.each([
  [['serch', 'x'], 'Did you mean search?', 'mnemonic --help'],
  [['search'], "missing required argument 'query'", 'mnemonic search --help'],
  [['memory'], 'mnemonic memory needs a command', 'mnemonic memory --help'],
  [['memory', 'publsh'], "unknown command 'publsh'", 'mnemonic memory --help'],
  [['--home', '/nowhere', 'search'], "missing required argument 'query'", 'mnemonic search --help'],
  [['forget'], 'say what to forget', 'Give one of --session'],
  [['search', 'x', '--limit', '0'], 'Give a whole number from 1 to 200.', 'mnemonic search --help'],
  [['search', 'x', '--ledger', 'other'], 'Allowed choices are agents, events.', 'mnemonic search --help'],
  [['index', '--all', '--new'], 'cannot be used with', 'mnemonic index --help'],
  [['chunk', 'somewhere'], 'chunk takes a path only together with --validate-only', 'mnemonic chunk --validate-only PATH'],
  [['show', 'abcdef', '--raw'], 'works on a terminal only', 'Leave out --raw'],
  [['status', '--colour'], "unknown option '--colour'", 'mnemonic status --help'],
])('%j is a usage error with something to try', async (argv, message, hint) => {
  const { code, out, err } = await mnemonic(...argv)
  expect(code).toBe(2)
  expect(out).toBe('')
  expect(err).toContain('error: ')
  expect(err).toContain(message)
  expect(err.slice(err.indexOf('try: '))).toContain(hint)
})

it('with --json a usage error is one JSON line on stderr', async () => {
  const { code, out, err } = await mnemonic('search', '--json')
  expect(code).toBe(2)
  expect(out).toBe('')
  expect(JSON.parse(err).error).toMatchObject({ code: 'USAGE', recoverable: false })
})

it('what stands after -- is no option', async () => {
  const { code, err } = await mnemonic('status', '--', '--json')
  expect(code).toBe(2)
  expect(err).toMatch(/^error: too many arguments/)
})

it('no command lists an option twice, nor those of a command above it', async () => {
  const argvs = [['export', 'qmd'], ['export'], ['memory', 'publish'], ['analyze', 'types', 'add']]
  for (const argv of argvs) {
    const { out } = await mnemonic(...argv, '--help')
    const options = [...out.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name)
    expect(options).toEqual([...new Set(options)])
    expect(options).toContain('--home')
  }
  expect((await mnemonic('export', 'qmd', '--help')).out).not.toContain('--file')
  expect((await mnemonic('analyze', '--help')).out).toContain('--session')
  expect(await mnemonic('memory', 'publish', '--compactions', '--home', '/nowhere')).toMatchObject({ code: 2 })
})
