/** Questions about a project, asked as prompts in its folder: what its tool calls say is given first, and nothing that only sounds alike. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claudeLog } from '../helpers/claude-log.ts'
import { type BinaryHome, binaryHome } from '../helpers/run-binary.ts'

const START = Date.parse('2026-03-01T10:00:00Z')
const HOUR = 3_600_000
let home: BinaryHome

/** The facts that a question gets. */
async function facts(question: string): Promise<string[]> {
  const { code, stdout, stderr } = await home.runHere('read', question, '--folder', '/home/dev/harbor', '--json')
  expect(code, stderr).toBe(0)
  const { pieces } = JSON.parse(stdout) as { pieces: { kind: string; text: string }[] }
  return pieces.filter(({ kind }) => kind === 'fact').map(({ text }) => text)
}

beforeAll(async () => {
  home = binaryHome()
  const log = (id: string, at: number) =>
    claudeLog(join(home.root, 'claude', 'projects'), `${id}-0000-4000-8000-000000000000`, {
      cwd: '/home/dev/harbor',
      from: START + at * HOUR,
    })
  for (let i = 0; i < 2; i += 1) {
    const work = log(`5eed000${i}`, i)
    work.turn('Please mend the tide gate.', 'I will run the checks.')
    work.call('Bash', { command: 'go test ./...' }, 'ok harbor/gate')
    work.call('Bash', { command: 'go test ./gate -run TestTide' }, 'ok harbor/gate')
    work.call('Bash', { command: 'gofmt -w .' }, '')
    work.call('Bash', { command: 'go run ./cmd/harbor status' }, 'closed')
    work.call('Edit', { file_path: '/home/dev/harbor/gate/sluice.go', old_string: 'a', new_string: 'b' }, 'updated')
    work.turn('Good.', 'Done.')
  }
  const read = (session: ReturnType<typeof claudeLog>, path: string, text: string) =>
    session.call(
      'Read',
      { file_path: `/home/dev/harbor/${path}` },
      text
        .split('\n')
        .map((line, i) => `${i + 1}→${line}`)
        .join('\n'),
    )
  const hosts = log('5eed0002', 3)
  hosts.turn('Make the gate close before the flood comes', 'On it.')
  hosts.call('Bash', { command: 'git checkout ada/flood-guard' }, "Switched to branch 'ada/flood-guard'")
  hosts.call('Bash', { command: 'git commit -m "Close the gate early"' }, '[ada/flood-guard 1a2b3c4] Close the gate early\n 1 file changed')
  hosts.call(
    'Bash',
    { command: 'gh pr list' },
    '12\tAdd a command for the lighthouse\tgrace/lighthouse\tOPEN\t2026-03-01\n158\tCount the tides\tada/tides\tMERGED\t2026-03-01\n159\tAdd a command for the ferry\tgrace/ferry\tOPEN\t2026-03-01',
  )
  hosts.call(
    'Bash',
    { command: 'gh pr view 12 --json number,title,author' },
    JSON.stringify({ number: 12, title: 'Add a command for the lighthouse', author: { login: 'grace', name: 'Grace Hopper' } }),
  )
  read(
    hosts,
    'gate/env.go',
    '// HARBOR_DRY_RUN lets the gate say what it would do, and do nothing.\nvar dry = os.Getenv("HARBOR_DRY_RUN")\n',
  )
  read(hosts, 'docs/words.md', 'A tide table is a list of the hours of high water.\n\nThe tide table is stored in data/tides.json.\n')
  hosts.turn('Thanks.', 'You are welcome.')
  const { code, stderr } = await home.runHere('sync', '--no-embed')
  expect(code, stderr).toBe(0)
})
afterAll(() => home.remove())

describe('a question about the project', () => {
  it.each([
    ['what formats the code?', /^format: `gofmt -w \.`/],
    ['how do I run a single test?', /^one test: `go test \.\/gate -run TestTide`/],
    ['how do I run harbor from source?', /^run: `go run \.\/cmd\/harbor/],
    ['what is HARBOR_DRY_RUN for?', /HARBOR_DRY_RUN: HARBOR_DRY_RUN lets the gate say what it would do/],
    ['what is being done on ada/flood-guard?', /^branches: ada\/flood-guard: Close the gate early/],
    ['is PR 158 merged?', /^pull request: #158 Count the tides \(merged/],
    ['who wrote the lighthouse command?', /#12 Add a command for the lighthouse \(.*by grace/],
    ["what is grace's real name?", /^authors: Grace Hopper \(grace\)/],
    ['which file has the sluice?', /^files: gate\/sluice\.go/],
  ])('%s', async (question, answer) => {
    expect((await facts(question))[0]).toMatch(answer)
  })

  it('a number, a branch and a variable mean one thing', async () => {
    expect(await facts('is PR 158 merged?')).toHaveLength(1)
    expect(await facts("what's on ada/flood-guard?")).toHaveLength(1)
  })

  it('a word that every line has chooses none: the ferry is not the lighthouse', async () => {
    expect((await facts('who wrote the lighthouse command?')).join('\n')).not.toContain('ferry')
  })

  it('a name with a slash that is no branch brings no branches', async () => {
    expect(await facts('what replaced gate/flood?')).toEqual([])
  })
})
