/**
 * Harnesses behind agent mode, by programs that take their arguments and print as they do; the logs that such runs leave; hooks that fire in them; and a
 * worker that is killed in the middle of one.
 */
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { isRunning } from '../../src/core/is-running.ts'
import { enqueue } from '../../src/roles/writer/queue.ts'
import { WORKER_LEASE } from '../../src/roles/writer/start-worker.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { claudeLog } from '../helpers/claude-log.ts'
import { testHome } from '../helpers/home.ts'
import { BINARY, binaryHome, ended } from '../helpers/run-binary.ts'
import { scriptedAgent } from '../helpers/scripted-agent.ts'

vi.setConfig({ testTimeout: 120_000 })

const SESSION = 'c0ffee00-0000-4000-8000-000000000001'
const SAID = 'I had lunch with Zelda Quist, she now leads the Orrery team.'
const WRITES = `const prompt = readPrompt()
note(process.argv.slice(2))
write('entity', 'Zelda Quist', 'person', '--quote', '${SAID}')
write('relation', 'Zelda Quist', 'LEADS', 'Orrery team', '--quote', '${SAID}')`
const line = (value: object) => `console.log(JSON.stringify(${JSON.stringify(value)}))`

const usage = { input_tokens: 900, cache_creation_input_tokens: 50, cache_read_input_tokens: 40, output_tokens: 10 }
const answered = (id: string, more: object = {}) => line({ type: 'assistant', message: { id, usage: { ...usage, ...more } } })
const result = (more: object = {}) =>
  line({ type: 'result', subtype: 'success', is_error: false, result: 'Of Zelda.', usage, permission_denials: [], ...more })

async function withHarness(name: 'claude' | 'codex', body: string, write: object = {}) {
  const home = testHome()
  vi.stubEnv('HOME', home.root)
  const agent = scriptedAgent(home.root, body, name)
  vi.stubEnv('PATH', [dirname(agent.command[0] as string), process.env.PATH].join(delimiter))
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const mnemonic = await home.open({
    config: {
      embedding: { sync_seconds: 0 },
      sources: { 'claude-code': { paths: [home.logs] } },
      agents: { defaults: { memory: { write: { mode: 'agent', agent: name, ...write } } } },
    },
  })
  const log = claudeLog(home.logs, SESSION)
  log.turn(SAID, 'Noted.')
  const store = await openSqlite({ path: home.database, clock: Date.now })
  await enqueue(store, { kind: 'publish', agent: 'main', harness: 'claude-code', session: SESSION, log: log.path }, { now: Date.now() })
  await store.close()
  const report = await mnemonic.write()
  return { agent, mnemonic, run: report.sessions[0]?.agent[0] }
}

it('Claude Code gets the two scripts and nothing else, and says what it took', async () => {
  const { agent, run, mnemonic } = await withHarness(
    'claude',
    [WRITES, answered('a'), answered('a'), result({ permission_denials: [{ tool_name: 'Bash' }] })].join('\n'),
  )
  expect(run).toMatchObject({ agent: 'claude', status: 'done', writes: 2, tokens: 1000, noted: ['asked for 1 other tool call, refused'] })
  const args = agent.noted()[0] as string[]
  expect(args[0]).toBe('-p')
  const of = (flag: string) => args[args.indexOf(flag) + 1]
  expect([of('--tools'), of('--permission-mode'), of('--setting-sources'), of('--output-format')]).toEqual([
    'Bash',
    'dontAsk',
    '',
    'stream-json',
  ])
  expect(
    of('--allowedTools')
      ?.split(',')
      .every((rule) => /^Bash\((?:\.\/)?skills\/cortex\/cortex-(?:search|write)\.sh:\*\)$/.test(rule)),
  ).toBe(true)
  for (const flag of ['--strict-mcp-config', '--disable-slash-commands', '--no-session-persistence', '--max-turns', '--verbose'])
    expect(args).toContain(flag)
  expect(JSON.parse(of('--settings') ?? '{}')).toEqual({ disableAllHooks: true })
  expect((await mnemonic.entities.show('Zelda Quist')).current.map(({ type }) => type)).toContain('LEADS')
  const before = (await mnemonic.sql('select answer_json from llm_answers')).rows
  expect(JSON.stringify(before)).toContain('Of Zelda.')
})

it('it is ended as soon as it says that it took more than it may, and a failure of its own is told in its words', async () => {
  const spends = [answered('a', { input_tokens: 15_000 }), answered('b', { input_tokens: 15_000 }), 'await sleep(30_000)'].join('\n')
  const { run, mnemonic } = await withHarness('claude', spends, { agent_tokens: 20_000 })
  expect(run).toMatchObject({ status: 'failed', reason: 'claude was ended: it took more than 20,000 tokens', tokens: 30_200 })
  expect(run?.seconds).toBeLessThan(20)
  expect((await mnemonic.status()).spent_today).toMatchObject([
    { purpose: 'memory_writer', calls: 1, input_tokens: 30_180, output_tokens: 20 },
  ])
  const failed = await withHarness(
    'claude',
    [result({ is_error: true, result: 'Credit balance is too low' }), 'process.exit(1)'].join('\n'),
  )
  expect(failed.run?.reason).toBe('claude ended with code 1: Credit balance is too low')
})

it('Codex works in the folder of the run alone, without network, hooks and documents of a project', async () => {
  const { agent, run } = await withHarness(
    'codex',
    [
      WRITES,
      line({ type: 'item.completed', item: { type: 'agent_message', text: 'Of Zelda.' } }),
      line({ type: 'turn.completed', usage: { input_tokens: 700, cached_input_tokens: 600, output_tokens: 20 } }),
    ].join('\n'),
  )
  expect(run).toMatchObject({ agent: 'codex', status: 'done', writes: 2, tokens: 720 })
  const args = agent.noted()[0] as string[]
  expect([args[0], args.at(-1), args[args.indexOf('--sandbox') + 1]]).toEqual(['exec', '-', 'workspace-write'])
  expect(args[args.indexOf('-C') + 1]).toMatch(/mnemonic-analysis-\w{6}$/)
  for (const flag of [
    '--json',
    '--ephemeral',
    '--skip-git-repo-check',
    '--ignore-user-config',
    'sandbox_workspace_write.network_access=false',
  ])
    expect(args).toContain(flag)
})

it('the session of a run never enters the ledger: not with its folder, not without, not in another home; its hooks do nothing', async () => {
  const first = binaryHome()
  onTestFinished(() => first.remove())
  const claudeLogs = join(first.root, 'claude', 'projects')
  const agent = scriptedAgent(
    first.root,
    `const prompt = readPrompt()
const hook = (event, more) => spawnSync(process.execPath, [${JSON.stringify(BINARY)}, 'hook', 'claude-code', event], { encoding: 'utf8', input: JSON.stringify({ session_id: 'run', cwd: process.cwd(), prompt: 'What does Zelda lead?', ...more }) })
for (const event of ['session-start', 'prompt', 'stop', 'session-end']) { const { stdout, status } = hook(event, {}); note([status, stdout]) }
note(process.env.MNEMONIC_ANALYSIS)
console.log('done')`,
  )
  mkdirSync(join(first.root, 'home'), { recursive: true })
  const writeConfig = `      write: { mode: agent, agent: command, agent_command: [${agent.command[0]}] }`
  writeFileSync(
    join(first.root, 'home', 'config.yaml'),
    `embedding: { sync_seconds: 0 }\nagents:\n  defaults:\n    memory:\n${writeConfig}\n`,
    { mode: 0o600 },
  )
  const env = { ...first.env, HOME: first.root, TMPDIR: first.root }
  const log = claudeLog(claudeLogs, SESSION)
  log.turn(SAID, 'Noted.')
  const ends = JSON.stringify({ session_id: SESSION, transcript_path: log.path, cwd: '/home/dev/atlas', reason: 'exit' })
  expect((await first.runWith(env, 'sync', '--no-embed')).code).toBe(0)
  const store = await openSqlite({ path: join(first.root, 'home', 'mnemonic.db'), clock: Date.now })
  const spare = () => store.read.selectFrom('writer_tasks').selectAll().execute()
  // As a harness does: the hook leaves the task and starts the worker, which nobody waits for.
  expect(spawnSync(process.execPath, [BINARY, 'hook', 'claude-code', 'session-end'], { env, input: ends, encoding: 'utf8' }).status).toBe(0)
  while ((await spare()).length > 0 || (await store.tasks.lease(WORKER_LEASE)) !== undefined) await sleep(100)
  const { stdout } = await first.runWith(env, 'status', '--json')
  expect(JSON.parse(stdout).writer).toMatchObject({ mode: 'agent', last_agent_run: { status: 'done' } })
  expect(agent.noted()).toEqual([[0, ''], [0, ''], [0, ''], [0, ''], '1'])
  expect(await spare()).toEqual([])
  await store.close()

  // As Claude Code and Codex write it, whatever folder they say; the run's own is gone by now.
  const [folder = ''] = agent.folders()
  const [prompt = ''] = agent.prompts()
  expect(existsSync(folder)).toBe(false)
  const record = (sessionId: string, cwd: string, content: string) =>
    `${JSON.stringify({ type: 'user', message: { role: 'user', content }, uuid: `${sessionId}-1`, parentUuid: null, sessionId, cwd, timestamp: '2026-03-01T11:00:00Z', version: '2.1.0', isSidechain: false, userType: 'external' })}\n`
  for (const [name, cwd, content] of [
    ['aaaaaaaa-0000-4000-8000-000000000001', folder, 'Zelda Quist by the folder.'],
    ['bbbbbbbb-0000-4000-8000-000000000001', '/home/dev/atlas', prompt],
  ] as const) {
    const project = join(claudeLogs, cwd.replaceAll(/[/.]/g, '-'))
    mkdirSync(project, { recursive: true })
    appendFileSync(join(project, `${name}.jsonl`), record(name, cwd, content))
  }
  const rollout = join(first.root, 'codex', 'sessions', '2026', '03', '01')
  mkdirSync(rollout, { recursive: true })
  const codexLine = (type: string, payload: object) => `${JSON.stringify({ timestamp: '2026-03-01T11:00:00.000Z', type, payload })}\n`
  const message = (text: string) => codexLine('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
  for (const [id, cwd, text] of [
    ['cccccccc-0000-7000-8000-000000000001', folder, 'Zelda Quist by the folder.'],
    ['dddddddd-0000-7000-8000-000000000001', '/home/dev/atlas', prompt],
  ] as const)
    writeFileSync(
      join(rollout, `rollout-2026-03-01T11-00-00-${id}.jsonl`),
      codexLine('session_meta', {
        id,
        timestamp: '2026-03-01T11:00:00.000Z',
        cwd,
        originator: 'codex_exec',
        cli_version: '0.166.0',
        source: 'exec',
      }) +
        message(`<environment_context>\n  <cwd>${cwd}</cwd>\n</environment_context>`) +
        message(text),
    )
  const other = binaryHome()
  onTestFinished(() => other.remove())
  for (const [home, place] of [
    [first, env],
    [other, { ...other.env, CLAUDE_CONFIG_DIR: first.env.CLAUDE_CONFIG_DIR, CODEX_HOME: join(first.root, 'codex') }],
  ] as const) {
    expect((await home.runWith({ ...place, CODEX_HOME: join(first.root, 'codex') }, 'sync', '--no-embed')).code).toBe(0)
    const listed = await home.runWith(place, 'sql', 'select id from agent_sessions', '--json')
    expect(JSON.parse(listed.stdout).rows).toEqual([[`claude-code:${SESSION}`]])
  }
})

it('a worker that is killed in the middle of a run leaves nothing that the next one does not clear, and it goes on', async () => {
  const home = binaryHome()
  onTestFinished(() => home.remove())
  const agent = scriptedAgent(home.root, 'readPrompt(); note(process.pid); setInterval(() => {}, 1000)')
  mkdirSync(join(home.root, 'home'), { recursive: true })
  writeFileSync(
    join(home.root, 'home', 'config.yaml'),
    `embedding: { sync_seconds: 0 }\nagents:\n  defaults:\n    memory:\n      write: { mode: agent, agent: command, agent_command: [${agent.command[0]}] }\n`,
    { mode: 0o600 },
  )
  const env = { ...home.env, HOME: home.root, TMPDIR: home.root }
  const log = claudeLog(join(home.root, 'claude', 'projects'), SESSION)
  log.turn(SAID, 'Noted.')
  const store = await openSqlite({ path: join(home.root, 'home', 'mnemonic.db'), clock: Date.now })
  onTestFinished(() => store.close())
  await enqueue(store, { kind: 'publish', agent: 'main', harness: 'claude-code', session: SESSION, log: log.path }, { now: Date.now() })
  const worker = spawn(process.execPath, [BINARY, 'write'], { env, stdio: 'ignore' })
  while (agent.noted().length === 0) await sleep(50)
  const [folder = ''] = agent.folders()
  expect(existsSync(folder)).toBe(true)
  worker.kill('SIGKILL')
  await new Promise((done) => worker.once('exit', done))
  const pid = agent.noted()[0] as number
  // Left behind: what a killed process leaves.
  expect(existsSync(folder)).toBe(true)
  agent.rewrite(`${WRITES}\nconsole.log('Of Zelda.')`)
  const { stdout } = await ended(spawn(process.execPath, [BINARY, 'write', '--json'], { env }))
  expect(JSON.parse(stdout)).toMatchObject({ left: 0, sessions: [{ status: 'done', agent: [{ status: 'done', writes: 2 }] }] })
  expect(existsSync(folder)).toBe(false)
  const state = `/proc/${pid}/stat`
  if (process.platform === 'linux') expect(!existsSync(state) || /\) Z /.test(readFileSync(state, 'latin1'))).toBe(true)
  else if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  expect(await store.read.selectFrom('meta').select('key').where('key', '=', 'agent_run').execute()).toEqual([])
  expect(readdirSync(home.root).filter((name) => name.startsWith('mnemonic-answers-'))).toEqual([])
})
