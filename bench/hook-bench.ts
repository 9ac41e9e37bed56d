/** Cost of a hook: its gate beside an empty Node, and a cold prompt over many chunks against its budget. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openMnemonic } from 'agent-mnemonic'
import { readHookFailures } from '../src/core/hook-failures.ts'
import { claudeLog } from '../test/helpers/claude-log.ts'
import { generatedHome, questions } from './latency-home.ts'
import type { BenchContext } from './run.ts'
import { milliseconds, percentile, table } from './table.ts'

const BIN = fileURLToPath(new URL('../../../dist/cli/bin.js', import.meta.url))
const BUDGET_MS = 400
const GATE_HOLD = 1.6
const GATE_RUNS = 21
const PROMPTS = 40
/** As long as a real one. */
const CONFIG = `owner: { name: Ada, timezone: Europe/Berlin }\nignore: { projects: [scratch], channels: [], contacts: [] }\nagents: { defaults: { memory: { read: { max_tokens: 1500 } } } }\nsearch: { limit: 10 }\n`
const FOLDER = '/home/dev/atlas'
const NOT_FOUND = 'Exit code 127\n(eval):1: command not found: tidewatch'
const CHUNKS = { brief: 10_000, full: 100_000 }

interface Run {
  readonly wall: number
  /** All threads; undefined without a shell that reports it. */
  readonly cpu: number | undefined
  readonly output: string
  /** `hybrid …`, `lexical …`. */
  readonly how: string
}

export async function hookBench({ root, print, full, brief, options }: BenchContext): Promise<void> {
  const chunks = full || !brief ? CHUNKS.full : CHUNKS.brief
  const { home, workspace } = await homeOf(join(root, 'hook'), chunks, options.get('home'))
  const opened = await openMnemonic({ home, workspace })
  await opened.embedding.status() // writes the model file, as the first embedding of a home does
  await opened.close()
  const hook = (prompt: string, session_id = 's') =>
    run([BIN, '--home', home, '--workspace', workspace, '--debug', 'hook', 'claude-code', 'prompt'], JSON.stringify({ session_id, prompt }))
  // Asks to recall, since the reader knows none of the generated names. Each in a new session.
  const ask = (questions: readonly string[], name: string) =>
    questions.map((question, i) => hook(`What did we decide about ${question}?`, `${name}${i}`)).slice(1)
  rmSync(join(home, 'hook-failures.json'), { force: true })
  const gate: Run[] = []
  const node: Run[] = []
  for (let i = 0; i < GATE_RUNS; i++) {
    node.push(run(['-e', '0'], ''))
    gate.push(hook('ok, thanks'))
  }
  const tools = await toolRuns(home, workspace)
  const asked = questions(PROMPTS)
  const kinds = [{ name: 'a prompt', runs: ask(asked, 'a'), late: tooLate(home) }]
  writeFileSync(join(home, 'config.yaml'), CONFIG, { mode: 0o600 })
  rmSync(join(home, 'hook-failures.json'), { force: true })
  kinds.push({ name: 'a prompt, with a config.yaml', runs: ask(asked, 'b'), late: tooLate(home) })
  print(
    table(
      `Hooks, ${chunks} chunks`,
      ['process', 'runs', 'wall ms, p50', 'p95', 'processor ms, p50', 'answered'],
      [
        row('node -e 0', node.slice(1)),
        row('hook, stopped at the gate', gate.slice(1)),
        ...kinds.map(({ name, runs }) => row(`hook, ${name}`, runs)),
        ...tools.map(({ name, runs }) => row(name, runs)),
      ],
    ),
  )
  const ratio = medianOf(gate.slice(1), 'wall') / medianOf(node.slice(1), 'wall')
  const work = medianOf(gate.slice(1), 'cpu') / medianOf(node.slice(1), 'cpu')
  print(
    `\nThe gate: ${ratio.toFixed(2)} × node -e 0, ${work.toFixed(2)} × its processor time (hold ≤ ${GATE_HOLD}): ${held(Math.max(ratio, work) <= GATE_HOLD)}`,
  )
  for (const { name, runs, isStopped } of tools) {
    if (isStopped) {
      const ratios = (['wall', 'cpu'] as const).map((what) => medianOf(runs, what) / medianOf(node.slice(1), what))
      print(
        `${name}: ${ratios.map((one) => one.toFixed(2)).join(' × node -e 0, ')} × its processor time (hold ≤ ${GATE_HOLD}): ${held(Math.max(...ratios) <= GATE_HOLD)}`,
      )
    } else {
      const p95 = percentile(
        runs.map(({ wall }) => wall),
        0.95,
      )
      print(
        `${name}: p95 ${milliseconds(p95)} ms of ${BUDGET_MS}: ${held(p95 <= BUDGET_MS)}; ${runs.filter(({ output }) => output !== '').length} of ${runs.length} answered`,
      )
    }
  }
  for (const { name, runs, late } of kinds) {
    const walls = runs.map(({ wall }) => wall)
    const p95 = percentile(walls, 0.95)
    const answers = runs.filter(({ output }) => output !== '')
    const hybrid = answers.filter(({ how }) => how.startsWith('hybrid')).length
    print(
      `${name[0]?.toUpperCase()}${name.slice(1)}: p50 ${milliseconds(percentile(walls, 0.5))} ms, p95 ${milliseconds(p95)} ms of ${BUDGET_MS}: ${held(p95 <= BUDGET_MS)}; ${answers.length} of ${runs.length} answered in time (${hybrid} with vectors, ${answers.length - hybrid} by words alone), ${late} too late`,
    )
  }
  print('Without NODE_EXTRA_CA_CERTS and NODE_OPTIONS: to read certificates makes every start of Node slower, that of node -e 0 too.')
  print('Wall times count only on a machine that does nothing else; processor times are of all threads, the model’s too.')
}

/** Tool hooks, with a session that solved an error, settled a file and found a form of a command. */
async function toolRuns(home: string, workspace: string): Promise<{ name: string; runs: Run[]; isStopped: boolean }[]> {
  const logs = join(home, '..', 'tool-logs')
  const log = claudeLog(logs, '70015000-0000-4000-8000-000000000000', { cwd: FOLDER })
  log.turn('We decided to keep src/tides.ts free of network calls.', 'Understood.')
  log.call('Bash', { command: 'tidewatch' }, NOT_FOUND, true)
  log.call('Bash', { command: 'brew install tidewatch' }, 'installed')
  log.call('Bash', { command: 'tidewatch' }, 'high')
  log.call('Bash', { command: 'npm test -- --zone' }, 'Exit code 1\nerror: unknown option --zone', true)
  log.call('Bash', { command: 'npm test -- --region' }, '12 passing')
  log.turn('Good.', 'Done.')
  const mnemonic = await openMnemonic({ home, workspace })
  await mnemonic.sync({ path: logs, embed: false, adapters: ['claude-code'] })
  await mnemonic.close()
  const hook = (harness: string, event: string, payload: object, session_id: string) =>
    run([BIN, '--home', home, '--workspace', workspace, 'hook', harness, event], JSON.stringify({ session_id, cwd: FOLDER, ...payload }))
  const edit = (file_path: string) => ({ tool_name: 'Edit', tool_input: { file_path, old_string: 'a', new_string: 'b' } })
  const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command } })
  const cases = [
    ['gate: a call that passed', 'codex', 'tool_failed', { ...bash('ls'), tool_response: 'a\n'.repeat(2000) }, true],
    ['gate: a file that nobody named', 'claude-code', 'before_tool', edit('src/other.ts'), true],
    ['gate: a command that never failed', 'claude-code', 'before_tool', bash('go test ./... -count=1 2>&1 | tail -20'), true],
    ['after a failed call', 'claude-code', 'tool_failed', { ...bash('tidewatch'), error: NOT_FOUND }, false],
    ['before an edit', 'claude-code', 'before_tool', edit(`${FOLDER}/src/tides.ts`), false],
    ['before a command', 'claude-code', 'before_tool', bash('npm test -- --zone'), false],
  ] as const
  return cases.map(([name, harness, event, payload, isStopped], at) => ({
    ...{ name, isStopped },
    runs: Array.from({ length: isStopped ? GATE_RUNS : PROMPTS }, (_, i) => hook(harness, event, payload, `tool-${at}-${i}`)).slice(1),
  }))
}

/** Copies an existing home if given: making a large one takes minutes. */
async function homeOf(folder: string, chunks: number, made: string | undefined): Promise<{ home: string; workspace: string }> {
  if (made === undefined || !existsSync(join(made, 'mnemonic.db'))) return generatedHome(folder, chunks, undefined)
  const home = join(folder, 'home')
  cpSync(made, home, { recursive: true })
  return { home, workspace: join(folder, 'workspace') }
}

/** Hooks that ran out of time. */
function tooLate(home: string): number {
  return readHookFailures(home)?.failed ?? 0
}

const held = (is: boolean) => (is ? 'held' : 'MISSED')

function medianOf(runs: readonly Run[], what: 'wall' | 'cpu'): number {
  return percentile(
    runs.flatMap((one) => one[what] ?? []),
    0.5,
  )
}

function row(name: string, runs: readonly Run[]): string[] {
  const walls = runs.map(({ wall }) => wall)
  const cpu = medianOf(runs, 'cpu')
  const answered = runs.filter(({ output }) => output !== '').length
  return [
    ...[name, String(runs.length), milliseconds(percentile(walls, 0.5)), milliseconds(percentile(walls, 0.95))],
    ...[Number.isNaN(cpu) ? '–' : milliseconds(cpu), String(answered)],
  ]
}

const HAS_BASH = spawnSync('bash', ['-c', 'exit 0']).status === 0

function run(argv: readonly string[], input: string): Run {
  const started = performance.now()
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env
  const options = { input, encoding: 'utf8', env } as const
  const child = HAS_BASH
    ? spawnSync('bash', ['-c', 'TIMEFORMAT="%R %U %S"; time "$@"', 'bash', process.execPath, ...argv], options)
    : spawnSync(process.execPath, argv, options)
  const wall = performance.now() - started
  if (child.status !== 0) throw new Error(`${argv.join(' ')} ended with ${child.status}`)
  const how = /^search: (.*)$/m.exec(child.stderr)?.[1] ?? ''
  const times = /([\d.]+) ([\d.]+) ([\d.]+)\s*$/.exec(child.stderr)
  if (times === null) return { wall, cpu: undefined, output: child.stdout, how }
  const [real = 0, user = 0, system = 0] = times.slice(1).map((seconds) => Number(seconds) * 1000)
  return { wall: real, cpu: user + system, output: child.stdout, how }
}
