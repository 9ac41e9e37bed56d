/** What sessions are called in lists, where they made commits: by the command line, over logs as a harness writes them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMnemonic } from 'agent-mnemonic'
import { expect, it, onTestFinished } from 'vitest'
import { foundItems } from '../../src/cli/commands/search-interactive.ts'
import { binaryHome } from '../helpers/run-binary.ts'

const HELP = 'help! sam made a bunch of stacked lanterns, bring them in order'
const COMMIT = 'docs: describe how the wick is trimmed'

/** Prompts, each answered; behind the one that is named a commit is made. */
function session(name: string, prompts: readonly string[], commitAfter: number): string {
  let [count, parent] = [0, null as string | null]
  const line = (role: 'user' | 'assistant', content: unknown) => {
    const uuid = `${name}-${count}`
    const common = {
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd: '/home/dev/lantern',
      sessionId: name,
      version: '2.1.7',
    }
    const message = role === 'user' ? { role, content } : { id: `msg_${uuid}`, role, type: 'message', content }
    parent = uuid
    return JSON.stringify({
      ...common,
      type: role,
      message,
      uuid,
      timestamp: new Date(Date.now() - 86_400_000 + ++count * 1000).toISOString(),
    })
  }
  const lines = prompts.flatMap((prompt, at) => {
    const made = [line('user', prompt)]
    if (at === commitAfter) {
      const id = `call-${name}`
      made.push(line('assistant', [{ type: 'tool_use', id, name: 'Bash', input: { command: `git commit -m "${COMMIT}"` } }]))
      made.push(line('user', [{ type: 'tool_result', tool_use_id: id, content: `[main 1a2b3c4] ${COMMIT}\n 1 file changed` }]))
    }
    return [...made, line('assistant', [{ type: 'text', text: `Done with step ${at} of the lantern.` }])]
  })
  return `${lines.join('\n')}\n`
}

it('a commit names a session only where it is much of it, and lists show both names', async () => {
  const home = binaryHome()
  onTestFinished(() => home.remove())
  const folder = join(home.root, 'logs', '-home-dev-lantern')
  mkdirSync(folder, { recursive: true })
  const [long, short] = ['aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002']
  const more = [
    'now the second lantern needs a wick',
    'why does the third lantern smoke so much?',
    'trim the wick of the fourth lantern',
    'yes',
    'and the harbour light',
  ]
  writeFileSync(join(folder, `${long}.jsonl`), session(long, [HELP, ...more], 3))
  writeFileSync(join(folder, `${short}.jsonl`), session(short, ['write down how one trims a wick', 'commit it'], 1))
  await home.runHere('sync', '--no-embed', '--adapter', 'claude-code', '--path', join(home.root, 'logs'))
  const { sessions } = JSON.parse((await home.runHere('sessions', '--json')).stdout) as {
    sessions: { session_id: string; title: string; title_origin: string; about: string | null }[]
  }
  const of = (id: string) => sessions.find(({ session_id }) => session_id.endsWith(id))
  expect(of(long)).toMatchObject({ title: HELP, title_origin: 'prompt', about: COMMIT })
  expect(of(short)).toMatchObject({ title: COMMIT, title_origin: 'commit', about: 'write down how one trims a wick' })
  const { stdout } = await home.runHereWith({ COLUMNS: '200' }, 'sessions')
  expect(stdout).toContain(`${HELP.slice(0, 30)}`)
  expect(stdout).toMatch(/docs: describe how the wick is trimmed · write down/)
  await using memory = await openMnemonic({ home: join(home.root, 'home'), workspace: join(home.root, 'workspace') })
  const { items } = await foundItems(memory, 'wick', {})
  expect(items.map(({ title, about }) => [title, about])).toContainEqual([HELP, COMMIT])
})
