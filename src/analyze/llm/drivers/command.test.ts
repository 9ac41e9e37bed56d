/** A program as a model: its input, its answer, and that no process survives a hang, flood, failure or fork. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { ANALYSIS_MARK, isAnalysisFolder } from '../../../core/analysis-session.ts'
import { isOwnProcess } from '../../../core/own-process.ts'
import { commandDriver } from './command.ts'
import { knownProgram } from './known-programs.ts'

const CALL = { instructions: 'Say what it is about.', text: 'CANARY-IN-THE-TEXT', schema: z.object({}), longestAnswer: 100 }
const LIMITS = { signal: undefined, timeoutMs: 20_000 }

function program(body: string, name = 'answers'): { file: string; note: (name: string) => string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mnemonic-program-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, name)
  const note = (note: string) => join(folder, note)
  writeFileSync(
    file,
    `#!${process.execPath}\nconst { writeFileSync: keep } = require('node:fs')\nconst FOLDER = ${JSON.stringify(folder)};\n${body}\n`,
  )
  chmodSync(file, 0o700)
  return { file, note }
}

const READ = "let text = ''\nfor await (const part of process.stdin) text += part\n"
const main = (body: string) => `(async () => {\n${body}\n})()`
const driver = (command: string[], more: Partial<Parameters<typeof commandDriver>[0]> = {}) =>
  commandDriver({ command, model: undefined, env: process.env, keyVariable: undefined, ...more })

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // A zombie counts as dead.
  return !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

async function diesSoon(pid: number): Promise<boolean> {
  for (let i = 0; i < 100 && isAlive(pid); i++) await sleep(20)
  return !isAlive(pid)
}

it('it gets the prompt on stdin, an empty folder of a known name, and hardly any environment', async () => {
  const { file, note } = program(
    main(`${READ} keep(FOLDER + '/seen', JSON.stringify({ text, cwd: process.cwd(), here: require('node:fs').readdirSync('.'), env: process.env, args: process.argv.slice(2) }))
    console.log('{"ok":true}')`),
  )
  const env = { PATH: process.env.PATH, HOME: '/home/x', OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', MINE: 'm', MNEMONIC_HOME: '/h' }
  const said = await driver([file, '--flag', 'a b; $(c)'], { env, keyVariable: 'MINE' }).call(CALL, LIMITS)
  expect(said).toEqual({ text: '{"ok":true}\n', usage: undefined })
  const seen = JSON.parse(readFileSync(note('seen'), 'utf8'))
  expect(seen.text.startsWith(ANALYSIS_MARK)).toBe(true)
  expect(seen.text).toContain('Say what it is about.\n\nCANARY-IN-THE-TEXT')
  expect(isAnalysisFolder(seen.cwd)).toBe(true)
  expect(seen.here).toEqual([])
  expect(existsSync(seen.cwd)).toBe(false)
  expect(seen.args).toEqual(['--flag', 'a b; $(c)'])
  expect(
    Object.keys(seen.env)
      .filter((name) => !name.startsWith('__'))
      .sort(),
  ).toEqual(['HOME', 'MINE', 'MNEMONIC_ANALYSIS', 'NO_COLOR', 'PATH', 'TERM'])
  expect(isOwnProcess(seen.env)).toBe(true)
  expect(isOwnProcess(env)).toBe(false)
})

describe('nothing of it is left', () => {
  it('when it hangs, with the child that it started', async () => {
    const { file, note } = program(
      `const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
      keep(FOLDER + '/pids', process.pid + ' ' + child.pid)
      setInterval(() => {}, 1000)`,
    )
    const ended = await driver([file]).call(CALL, { ...LIMITS, timeoutMs: 1500 })
    expect(ended).toMatchObject({ failure: { timedOut: true, retryable: false } })
    for (const pid of readFileSync(note('pids'), 'utf8').split(' ').map(Number)) expect(await diesSoon(pid)).toBe(true)
  })

  it('when it floods', async () => {
    const { file, note } = program(
      `keep(FOLDER + '/pids', String(process.pid))\nsetInterval(() => process.stdout.write('x'.repeat(65536)), 0)`,
    )
    const ended = await driver([file], { mostBytes: 300_000 }).call(CALL, LIMITS)
    expect(ended).toMatchObject({ failure: { retryable: false } })
    expect('failure' in ended && ended.failure.error.message).toMatch(/printed more than 293 KB and was ended/)
    expect(await diesSoon(Number(readFileSync(note('pids'), 'utf8')))).toBe(true)
  })

  it('when it answers, and leaves a child behind that holds its output open', async () => {
    const { file, note } = program(
      main(`${READ} const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
      keep(FOLDER + '/pids', String(child.pid))
      process.stdout.write('{}', () => process.exit(0))`),
    )
    expect(await driver([file]).call(CALL, LIMITS)).toMatchObject({ text: '{}' })
    expect(await diesSoon(Number(readFileSync(note('pids'), 'utf8')))).toBe(true)
  })

  it('when the owner stops it', async () => {
    const { file, note } = program(
      `keep(FOLDER + '/pids', String(process.pid))\nprocess.on('SIGTERM', () => {})\nsetInterval(() => {}, 1000)`,
    )
    const stop = new AbortController()
    const call = driver([file]).call(CALL, { ...LIMITS, signal: stop.signal })
    while (!existsSync(note('pids'))) await sleep(20)
    stop.abort()
    await expect(call).rejects.toMatchObject({ code: 'INTERRUPTED' })
    expect(await diesSoon(Number(readFileSync(note('pids'), 'utf8')))).toBe(true)
  })
})

describe('it is reported', () => {
  const message = async (file: string) => {
    const ended = await driver([file]).call(CALL, LIMITS)
    return 'failure' in ended ? ended.failure : undefined
  }

  it('when it is not there', async () => {
    const failure = await message('/no/such/program')
    expect(failure?.error.message).toBe('/no/such/program cannot be run: ENOENT')
    expect(failure).toMatchObject({ retryable: false, error: { details: { fault: 'provider' } } })
  })

  it('when it fails, with its own last words', async () => {
    const failure = await message(program(`console.error('starting\\nNot logged in')\nprocess.exit(3)`).file)
    expect(failure?.error.message).toMatch(/answers ended with code 3: Not logged in$/)
    expect(failure?.retryable).toBe(true)
  })

  it('but not with words that it was given', async () => {
    const failure = await message(program(main(`${READ} console.error('cannot read: ' + text.trim().slice(-18))\nprocess.exit(1)`)).file)
    expect(failure?.error.message).toMatch(/answers ended with code 1$/)
  })

  it('when it does not read what it is given', async () => {
    const { file } = program(`process.stdin.destroy()\nconsole.log('{}')`)
    expect(await driver([file]).call({ ...CALL, text: 'x'.repeat(2_000_000) }, LIMITS)).toMatchObject({ text: '{}\n' })
  })
})

describe('harnesses that are known', () => {
  it('claude runs without tools, hooks, servers, settings, and keeps no session', () => {
    const args = knownProgram('/usr/local/bin/claude')?.args(['-p'], 'haiku') ?? []
    for (const flag of ['-p', '--strict-mcp-config', '--disable-slash-commands', '--no-session-persistence']) expect(args).toContain(flag)
    const value = (flag: string) => args[args.indexOf(flag) + 1]
    expect([value('--tools'), value('--setting-sources'), value('--output-format'), value('--model')]).toEqual(['', '', 'json', 'haiku'])
    expect(JSON.parse(value('--settings') ?? '')).toEqual({ disableAllHooks: true })
    expect(args.filter((word) => word === '-p')).toHaveLength(1)
  })

  it('what the owner wrote stays', () => {
    const args = knownProgram('claude')?.args(['--model', 'opus', '--tools=Read'], 'haiku') ?? []
    expect(args.filter((word) => word.startsWith('--model') || word.startsWith('--tools'))).toEqual(['--model', '--tools=Read'])
  })

  it('codex runs read-only, without shell, hooks, settings of the user, documents of a project, and keeps no session', () => {
    const args = knownProgram('codex')?.args(['exec'], undefined) ?? []
    expect(args[0]).toBe('exec')
    expect(args.at(-1)).toBe('-')
    for (const flag of ['--ephemeral', '--ignore-user-config', '--ignore-rules', '--skip-git-repo-check', '--json'])
      expect(args).toContain(flag)
    expect(args.join(' ')).toContain('--sandbox read-only')
    expect(args.join(' ')).toContain('-c features.shell_tool=false')
  })

  it('the answer and the usage of claude', () => {
    const usage = { input_tokens: 10, cache_creation_input_tokens: 5, cache_read_input_tokens: 85, output_tokens: 7 }
    const result = { type: 'result', subtype: 'success', is_error: false, result: '{"a":1}', total_cost_usd: 0.1, usage }
    const read = (printed: unknown) => knownProgram('claude')?.read(JSON.stringify(printed))
    expect(read(result)).toEqual({ text: '{"a":1}', usage: { input: 100, output: 7 } })
    expect(read([{ type: 'system' }, result])).toEqual({ text: '{"a":1}', usage: { input: 100, output: 7 } })
    expect(read({ ...result, is_error: true, result: 'Please run /login' })).toEqual({ text: '', failed: 'Please run /login' })
    expect(knownProgram('claude')?.read('what?')).toEqual({ text: 'what?' })
  })

  it('the answer and the usage of codex', () => {
    const lines = (...all: object[]) => all.map((line) => JSON.stringify(line)).join('\n')
    const said = { type: 'item.completed', item: { id: 'i', type: 'agent_message', text: '{"a":1}' } }
    const done = { type: 'turn.completed', usage: { input_tokens: 90, cached_input_tokens: 40, output_tokens: 9 } }
    const read = (printed: string) => knownProgram('codex')?.read(printed)
    expect(read(lines({ type: 'thread.started', thread_id: 't' }, said, done))).toEqual({
      text: '{"a":1}',
      usage: { input: 90, output: 9 },
    })
    expect(read(lines({ type: 'thread.started' }, { type: 'turn.failed', error: { message: 'usage limit' } }))).toEqual({
      text: '',
      failed: 'usage limit',
    })
    expect(read('{"a":1}')).toEqual({ text: '{"a":1}' })
  })
})

it('a program with the name of something that every object has is run as it is', () => {
  for (const name of ['constructor', '__proto__', 'toString', '/bin/hasOwnProperty']) expect(knownProgram(name)).toBeUndefined()
})
