import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { HARNESSES, PLAIN_ID, shellWord } from './resume-commands.ts'

it
  .skipIf(process.platform === 'win32')
  .each([
    'plain',
    'with space',
    "it's",
    '$(touch hacked)',
    '`id`; rm -rf ~',
    '"quoted" \\ back',
    '*?[a]{b,c}',
    '~',
    '-n',
    'a&&b|c>d',
    'ünïcode 日本',
    '',
  ])('%j is one word of a shell, whatever is in it', (text) => {
  const { stdout } = spawnSync('sh', ['-c', `printf '%s|' ${shellWord(text)}`], { encoding: 'utf8' })
  expect(stdout).toBe(`${text}|`)
})

it.each(['-x', '--help', '../up', '/root', 'a b', 'a;b', '', 'a\nb', '$(x)', 'a'.repeat(201)])('%j may not stand in a command', (id) => {
  expect(PLAIN_ID.test(id)).toBe(false)
})

it('each harness has its own command', () => {
  const session = { native_id: 'ID', session_key: 'agent:main:KEY' }
  const commands = Object.entries(HARNESSES).map(([source, { argv }]) => [source, argv(session)?.join(' ')])
  expect(Object.fromEntries(commands)).toEqual({
    'claude-code': 'claude --resume ID',
    codex: 'codex resume ID',
    'gemini-cli': 'gemini --resume ID',
    opencode: 'opencode --session ID',
    cursor: 'cursor-agent --resume ID',
    copilot: 'copilot --resume=ID',
    pi: 'pi --session ID',
    openclaw: 'openclaw resume agent:main:KEY',
  })
  expect(HARNESSES.openclaw?.argv({ native_id: 'ID', session_key: null })).toBeUndefined()
})
