/**
 * What a hook says after each failed call, from earlier history: how often, how often it stays silent if nothing was solved, how fast.
 * Precision comes from labels (bench/fix-labels.json).
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMnemonic } from 'agent-mnemonic'
import { ASKED_AT, codingFolder } from './coding-data.ts'
import { dist } from './retrieval-home.ts'
import type { BenchContext } from './run.ts'
import { table } from './table.ts'

type Known = typeof import('../src/browse/fix/known-fix.ts')
type Form = typeof import('../src/browse/fix/passing-form.ts')
type Results = typeof import('../src/ledgers/deeds/result.ts')
type Open = typeof import('../src/store/sqlite/open.ts')

const LABELS = new URL('../../../bench/fix-labels.json', import.meta.url)
const TO_LABEL = 80
const SILENT_AMONG = 500
const LONGEST = 6_000

/** Whether the shown fix fixed the call. */
interface Label {
  readonly id: string
  readonly right: boolean
}

interface Failing {
  readonly id: string
  readonly session: string
  readonly project: string | null
  readonly tool: string
  readonly shown: string
  readonly command: string | undefined
  readonly at: number
  readonly passed: boolean
  readonly solved: string | null
  readonly text: string
  readonly isKnown: boolean
}

export async function fixBench(context: BenchContext): Promise<void> {
  const database = context.options.has('home') ? join(context.options.get('home') as string, 'mnemonic.db') : await synced(context)
  if (database === undefined) return
  const [{ knownFix }, { passingForm }, { resultOf }, { openSqlite }] = [
    await dist<Known>('browse/fix/known-fix.js'),
    await dist<Form>('browse/fix/passing-form.js'),
    await dist<Results>('ledgers/deeds/result.js'),
    await dist<Open>('store/sqlite/open.js'),
  ]
  const store = await openSqlite({ path: database, clock: () => ASKED_AT })
  try {
    const failing = await failingCalls(store, resultOf)
    const times: number[] = []
    const shown: { call: Failing; lines: readonly string[]; confidence: number; signature: string }[] = []
    let forms = 0
    for (const call of failing) {
      const project = call.project === null ? undefined : { keys: [call.project], folders: [], ids: [] }
      const started = performance.now()
      const found = await knownFix(store, {
        agentId: 'main',
        project,
        tool: call.tool,
        command: call.command,
        text: call.text,
        before: call.at,
        session: call.session,
      })
      times.push(performance.now() - started)
      if (found !== undefined) shown.push({ call, lines: found.lines, confidence: found.confidence, signature: found.signature })
      if (
        call.command !== undefined &&
        project !== undefined &&
        (await passingForm(store, { agentId: 'main', project, command: call.command }))
      )
        forms += 1
    }
    const later = failing.filter(({ passed }) => passed)
    const unsolved = failing.filter(({ isKnown }) => !isKnown).slice(0, SILENT_AMONG)
    const told = new Set(shown.map(({ call }) => call.id))
    times.sort((a, b) => a - b)
    const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1)
    context.print(
      table(
        'Failed calls of the coding sessions: what earlier sessions knew',
        ['calls', 'count', 'something shown', '%'],
        [
          row('failed', failing, told),
          row('command passed later in the session', later, told),
          row(
            'error solved in an earlier session',
            failing.filter(({ isKnown }) => isKnown),
            told,
          ),
          row('error not solved before (to be silent)', unsolved, told),
        ],
      ),
    )
    context.print(`one look-up: ${at(0.5)} ms median, ${at(0.95)} ms p95; another form known for ${forms} commands`)
    const labels = existsSync(LABELS) ? (JSON.parse(readFileSync(LABELS, 'utf8')) as Label[]) : []
    const known = new Map(labels.map(({ id, right }) => [id, right]))
    const judged = shown.filter(({ call }) => known.has(call.id))
    const right = judged.filter(({ call }) => known.get(call.id))
    if (judged.length > 0)
      context.print(
        `labelled: ${judged.length} of ${shown.length} shown, ${right.length} right (${((100 * right.length) / judged.length).toFixed(0)} %)`,
      )
    const out = context.options.get('answers')
    if (out === undefined) return
    const sample = sampled(shown.filter(({ call }) => call.passed))
    const rows = []
    for (const { call, lines, confidence, signature } of sample)
      rows.push({
        id: call.id,
        error: call.text.slice(0, LONGEST),
        command: call.shown,
        shown: lines,
        confidence,
        signature,
        later: await courseAfter(store, call),
      })
    mkdirSync(out, { recursive: true })
    writeFileSync(join(out, 'fix-to-label.jsonl'), rows.map((one) => `${JSON.stringify(one)}\n`).join(''))
    writeFileSync(
      join(out, 'fix-shown.jsonl'),
      shown
        .map(
          ({ call, lines, confidence }) =>
            `${JSON.stringify({ id: call.id, passed: call.passed, command: call.shown, shown: lines, confidence })}\n`,
        )
        .join(''),
    )
    context.print(`${rows.length} of ${shown.length} written to ${join(out, 'fix-to-label.jsonl')}`)
  } finally {
    await store.close()
  }
}

/** `--home DIR` reuses a database. */
async function synced(context: BenchContext): Promise<string | undefined> {
  const folder = codingFolder(context)
  const root = join(context.root, 'fix')
  const logs = logsIn(folder, root)
  if (logs === undefined) {
    context.print(`left out: no sessions in ${folder}; bench/coding/README.md says how to get the sessions`)
    return undefined
  }
  const mnemonic = await openMnemonic({ home: join(root, 'home'), workspace: join(root, 'workspace'), clock: () => ASKED_AT })
  await mnemonic.sync({ path: logs, adapters: ['claude-code'], embed: false })
  await mnemonic.close()
  return mnemonic.paths.database
}

function row(name: string, calls: readonly Failing[], told: ReadonlySet<string>): string[] {
  const some = calls.filter(({ id }) => told.has(id)).length
  return [name, String(calls.length), String(some), ((100 * some) / Math.max(1, calls.length)).toFixed(1)]
}

/** An archive of sessions, or a folder of logs. */
function logsIn(folder: string, root: string): string | undefined {
  const archive = join(folder, 'sessions.tar.xz')
  if (!existsSync(archive)) return existsSync(folder) && readdirSync(folder).length > 0 ? folder : undefined
  const logs = join(root, 'logs')
  mkdirSync(logs, { recursive: true })
  execFileSync('tar', ['xJf', archive, '-C', logs])
  return logs
}

type Store = Awaited<ReturnType<Open['openSqlite']>>

async function failingCalls({ read }: Store, resultOf: Results['resultOf']): Promise<Failing[]> {
  const rows = await read
    .selectFrom('failures as f')
    .innerJoin('agent_tool_calls as c', 'c.id', 'f.call_id')
    .innerJoin('agent_sessions as s', 's.id', 'f.session_id')
    .select([
      'f.call_id',
      'f.signature',
      'f.session_id',
      'f.tool',
      'f.command',
      'f.shown',
      'f.state',
      'f.at',
      'f.solved_call',
      'f.sequence',
    ])
    .select(['c.params_json', 'c.result_json', 'c.status', 's.project', 's.repository'])
    .orderBy('f.at')
    .orderBy('f.call_id')
    .orderBy('f.rank')
    .execute()
  const calls = new Map<string, typeof rows>()
  for (const one of rows) calls.set(one.call_id, [...(calls.get(one.call_id) ?? []), one])
  const passed = new Set(
    rows.filter(({ state }) => state === 'fixed' || state === 'unchanged' || state === 'unclear').map(({ call_id }) => call_id),
  )
  const found: Failing[] = []
  for (const [id, [first, ...rest]] of calls) {
    if (first === undefined) continue
    const own = [first, ...rest]
    const params = JSON.parse(first.params_json ?? '{}') as { command?: string }
    found.push({
      id,
      ...{ session: first.session_id, project: first.repository ?? first.project, tool: first.tool, shown: first.shown, at: first.at ?? 0 },
      command: params.command,
      passed:
        passed.has(id) ||
        rows.some(
          (other) =>
            other.session_id === first.session_id &&
            other.command === first.command &&
            other.sequence > first.sequence &&
            passed.has(other.call_id),
        ),
      solved: own.find(({ solved_call }) => solved_call !== null)?.solved_call ?? null,
      text: resultOf(first).text,
      isKnown: rows.some(
        (other) =>
          (other.state === 'fixed' || other.state === 'form') &&
          other.session_id !== first.session_id &&
          (other.at ?? 0) < (first.at ?? 0) &&
          own.some(({ signature }) => signature === other.signature),
      ),
    })
  }
  return found
}

/** Deterministic. */
function sampled<T>(all: readonly T[]): T[] {
  let state = 20_260_123
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  return all
    .map((one) => ({ one, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, TO_LABEL)
    .map(({ one }) => one)
}

/** Calls from failure to success, for a judge. */
async function courseAfter({ read }: Store, call: Failing): Promise<unknown[]> {
  const rows = await read
    .selectFrom('agent_tool_calls as c')
    .innerJoin('agent_messages as m', 'm.id', 'c.message_id')
    .select(['c.id', 'c.tool_name', 'c.params_json', 'c.result_json', 'c.status', 'm.content', 'm.sequence'])
    .where('c.session_id', '=', call.session)
    .orderBy('m.sequence')
    .orderBy('c.tool_number')
    .execute()
  const from = rows.findIndex(({ id }) => id === call.id)
  const to = rows.findIndex(({ id }) => id === call.solved)
  return rows
    .slice(from + 1, (to === -1 ? from + 14 : Math.min(to, from + 40)) + 1)
    .map(({ tool_name, params_json, result_json, status, content }) => ({
      ...{
        tool: tool_name,
        status,
        said: (content ?? '').slice(0, 600),
        params: (params_json ?? '').slice(0, 1_500),
        result: (result_json ?? '').slice(0, 500),
      },
    }))
}
