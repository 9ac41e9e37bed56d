/** Where the work was left, through the program: the command, a search, a prompt, a hook and resume, over logs and a real repository. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMnemonic } from '../../src/library/index.ts'
import { claudeLog } from '../helpers/claude-log.ts'
import { mcpClient } from '../helpers/mcp-client.ts'
import { BINARY, binaryHome, type Ended } from '../helpers/run-binary.ts'

const home = binaryHome()
const logs = join(home.root, 'logs')
const KILN = 'aaaaaaaa-1111-4111-8111-111111111111'
const OTHER = 'bbbbbbbb-1111-4111-8111-111111111111'
const FERRY = 'cccccccc-1111-4111-8111-111111111111'
let project = ''

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-C', project, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { stdio: 'pipe' })

/** In the folder of the project: what is asked there means it. */
function inProject(argv: readonly string[], input = ''): Ended {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [BINARY, ...argv], {
    ...{ cwd: project, env: home.env, input, encoding: 'utf8' },
  })
  return { code: status, signal, stdout, stderr }
}

beforeAll(async () => {
  mkdirSync(join(home.root, 'kiln'), { recursive: true })
  project = realpathSync(join(home.root, 'kiln'))
  git('init', '-q', '-b', 'main')
  writeFileSync(join(project, 'relay.ts'), 'export const relay = 1\n')
  git('add', '.')
  git('commit', '-q', '-m', 'Begin')
  writeFileSync(join(project, 'relay.ts'), 'export const relay = 2\n')
  const kiln = claudeLog(logs, KILN, { cwd: project, from: Date.parse('2026-03-01T10:00:00Z') })
  kiln.turn('Make the relay of the kiln wait for its sensor.', 'I added a wait of two seconds to the relay in relay.ts.')
  kiln.call('Edit', { file_path: join(project, 'relay.ts'), old_string: '1', new_string: '2' }, 'The file has been updated')
  kiln.call('Bash', { command: 'npm test' }, 'Exit code 1\nFAIL relay.test.ts: expected 3 to be 2', true)
  kiln.turn(
    'and what about the lamp?',
    'The lamp is switched by the same relay.\n\n## Next steps\n- Teach the lamp driver to wait\n\nShall I change the lamp driver as well?',
  )
  const ferry = claudeLog(logs, FERRY, { cwd: '/home/dev/ferry', from: Date.parse('2026-03-02T10:00:00Z') })
  ferry.turn('Continue where we left off with the ferry timetable.', 'We left off at the ferry timetable; it is on Sunday now.')
  const other = claudeLog(logs, OTHER, { cwd: project, from: Date.parse('2026-02-20T10:00:00Z') })
  other.turn('Write the manual of the kiln burner.', 'I wrote the manual of the burner in docs/burner.md.')
  other.compact('Summary: the burner. Continue the conversation from where we left off without asking the user any further questions.')
  await home.runHere('sync', '--path', logs, '--adapter', 'claude-code', '--no-embed')
}, 120_000)
afterAll(() => home.remove())

describe('left-off', () => {
  it('says which session it was, what came of it, what is next, asked, failing and not committed by git', () => {
    const answer = JSON.parse(inProject(['left-off', '--json']).stdout)
    expect(answer.sessions.map(({ session_id }: { session_id: string }) => session_id)).toEqual([
      `claude-code:${KILN}`,
      `claude-code:${OTHER}`,
    ])
    expect(answer.state).toMatchObject({
      next: ['Teach the lamp driver to wait'],
      question: 'Shall I change the lamp driver as well?',
      uncommitted: { by: 'git', count: 1, files: ['relay.ts'] },
      failing: { command: 'npm test' },
      interrupted: null,
    })
    expect(answer.tokens).toBeLessThanOrEqual(300)
    expect(answer.text).not.toMatch(/ferry|further questions/)
    const people = inProject(['left-off', '--no-for-agent']).stdout
    expect(people).toContain('uncommitted relay.ts')
    expect(people).toMatch(/next\s+Teach the lamp driver/)
  })

  it('puts the sessions of a branch first, and keeps to a time', () => {
    const branch = JSON.parse(inProject(['left-off', '--json', '--day', '2026-02-20']).stdout)
    expect(branch.sessions[0].session_id).toBe(`claude-code:${OTHER}`)
    expect(branch.time.sessions).toBe(1)
    const none = JSON.parse(inProject(['left-off', '--json', '--day', '2026-01-05']).stdout)
    expect([none.time.sessions, none.sessions[0].session_id]).toEqual([0, `claude-code:${KILN}`])
    expect(none.text).toContain('No session')
    expect(inProject(['left-off', '--project', 'no-such-project']).stderr).toContain('no-such-project')
  })

  it('starts no program that a repository names', () => {
    const trap = join(home.root, 'trapped')
    git('config', 'core.fsmonitor', `touch ${trap}; true`)
    inProject(['left-off'])
    git('config', '--unset', 'core.fsmonitor')
    expect(spawnSync('ls', [trap]).status).not.toBe(0)
  })
})

describe('a search for it', () => {
  it('gives the state and no hits of its words, and searches as ever for anything else', () => {
    const found = JSON.parse(inProject(['search', '--json', 'where', 'were', 'we?']).stdout)
    expect([found.results.length, found.left_off.sessions[0].session_id]).toEqual([0, `claude-code:${KILN}`])
    expect(inProject(['search', '--no-for-agent', 'where were we?']).stdout).toContain('Teach the lamp driver')
    const other = JSON.parse(inProject(['search', '--json', 'where was the burner manual?']).stdout)
    expect([other.left_off, other.results.length > 0]).toEqual([undefined, true])
    expect(JSON.parse(inProject(['search', '--json', '--exact', 'where were we?']).stdout).left_off).toBeUndefined()
  })

  it('so does memory_search of MCP, in the project of its folder', async () => {
    const memory = await openMnemonic({ home: home.env.MNEMONIC_HOME ?? '', workspace: home.env.MNEMONIC_WORKSPACE ?? '' })
    const answer = await memory.memorySearch({ query: 'where did we leave off?', prefer_project: project })
    expect([answer.results.length, answer.left_off?.sessions[0]?.session_id]).toEqual([0, `claude-code:${KILN}`])
    const elsewhere = await memory.memorySearch({ query: 'where did we leave off?', prefer_project: home.root })
    expect([elsewhere.results.length, elsewhere.left_off?.text]).toEqual([0, ''])
    const { call } = await mcpClient(memory)
    expect((await call('memory_search', { query: 'where did we leave off?' })).text).not.toContain('ferry')
    await memory.close()
  })
})

describe('a prompt', () => {
  it('is given the state, within its budget, and nothing of other projects', () => {
    const { stdout } = inProject(['read', 'continue where we left off'])
    expect(stdout).toContain(KILN.slice(0, 8))
    expect(stdout).not.toMatch(/ferry|further questions/)
  })

  it('that asks for the past and not about what is given the state or nothing', () => {
    expect(inProject(['read', 'what did we decide?']).stdout.trim()).toBe('')
    expect(inProject(['read', 'how did it go last time?']).stdout).toContain(KILN.slice(0, 8))
  })

  it('no more than "continue" is one only as the first of its session', () => {
    const config = join(home.env.MNEMONIC_HOME ?? '', 'config.yaml')
    writeFileSync(config, 'agents:\n  defaults:\n    memory:\n      read:\n        budget_ms: 20000\n', { mode: 0o600 })
    const log = join(home.root, 'new.jsonl')
    const hook = (session: string, prompt: string) =>
      inProject(
        ['hook', 'claude-code', 'UserPromptSubmit'],
        JSON.stringify({ session_id: session, cwd: project, prompt, transcript_path: log }),
      ).stdout
    expect(hook('new', 'continue')).toContain(KILN.slice(0, 8))
    expect(hook('new', 'where did we leave off last time?')).toBe('')
    writeFileSync(log, '{"type":"user"}\n{"type":"assistant"}\n')
    expect(hook('old', 'continue')).toBe('')
    expect(hook('old', 'what is left?')).toBe('')
    expect(hook('old', 'where did we leave off last time?')).toContain(KILN.slice(0, 8))
    expect(inProject(['read', 'continue']).stdout.trim()).toBe('')
    expect(inProject(['read', '--first', 'continue']).stdout).toContain(KILN.slice(0, 8))
  })
})

it('resume without an id offers that session', () => {
  const { stdout, stderr } = inProject(['resume', '--no-for-agent'])
  expect(stdout).toContain(`claude --resume ${KILN}`)
  expect(stderr).toContain('mnemonic left-off')
})
