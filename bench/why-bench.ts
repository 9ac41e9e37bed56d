/** Whether `why` finds the session that wrote a line, on repositories replayed from coding sessions. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openMnemonic } from 'agent-mnemonic'
import { ASKED_AT, codingFolder } from './coding-data.ts'
import { dist } from './retrieval-home.ts'
import type { BenchContext } from './run.ts'
import { table } from './table.ts'
import { type OwnedLine, replay } from './why-repository.ts'

type DiffLines = typeof import('../src/core/diff-lines.ts')

const LINES = 200
const LINES_IN_FULL = 1500
const SEED = 20261119
const PAGE = 1000
const ORIGIN = 'github.com/entireio/cli'

export async function whyBench(context: BenchContext): Promise<void> {
  const { root, print, options, full } = context
  const count = full ? LINES_IN_FULL : LINES
  const seed = Number(options.get('seed') ?? SEED)
  const folder = codingFolder(context)
  if (!existsSync(join(folder, 'sessions.tar.xz'))) {
    print(`left out: no sessions.tar.xz in ${folder}; bench/coding/README.md says how to get the sessions`)
    return
  }
  const logs = join(root, 'why', 'logs')
  mkdirSync(logs, { recursive: true })
  execFileSync('tar', ['xJf', join(folder, 'sessions.tar.xz'), '-C', logs])
  const home = join(root, 'why', 'home')
  const made = options.get('home')
  if (made !== undefined) cpSync(made, home, { recursive: true })
  const mnemonic = await openMnemonic({
    ...{ home, workspace: join(root, 'why', 'workspace'), clock: () => ASKED_AT },
    config: { owner: { timezone: 'UTC' }, embedding: { sync_seconds: 0 } },
  })
  try {
    if (made === undefined) await mnemonic.sync({ path: logs, adapters: ['claude-code', 'aix-events'] })
    const rows = async (query: string) => {
      const all: string[][] = []
      for (let read = PAGE; read === PAGE; ) {
        const page = (await mnemonic.sql(`${query} order by 1 limit ${PAGE} offset ${all.length}`, { limit: PAGE })).rows.map((row) =>
          row.map(String),
        )
        all.push(...page)
        read = page.length
      }
      return all
    }
    const roots = (
      await rows('select distinct coalesce(project, workspace_path) from agent_sessions where workspace_path is not null')
    ).flat()
    const sessions = new Map((await rows('select native_id, session_id from agent_tool_calls')) as [string, string][])
    for (const key of (await rows('select distinct coalesce(repository, project) from agent_sessions where project is not null')).flat())
      if (key !== ORIGIN && key !== 'null') await mnemonic.projects.merge(key, ORIGIN)
    const { matchLines } = await dist<DiffLines>('core/diff-lines.js')
    const replayed = replay(logs, roots, join(root, 'why', 'repositories'), matchLines, ORIGIN)
    const owned = replayed.lines.filter(({ call }) => call !== undefined && sessions.has(call))
    const others = replayed.lines.filter(({ call }) => call === undefined)
    print(
      `${replayed.edits} edits replayed into ${replayed.repositories} repositories with ${replayed.commits} commits: ${owned.length} lines by sessions, ${others.length} by others`,
    )
    const found: string[][] = []
    for (const git of [true, false]) {
      const counts = { right: 0, wrong: 0, unknown: 0, none: 0, commit: 0 }
      const times: number[] = []
      for (const line of sample(owned, count, seed)) {
        const started = performance.now()
        const answer = await mnemonic.why({ at: `${line.file}:${line.line}`, folder: line.repository, git })
        times.push(performance.now() - started)
        const [part] = answer.parts
        const expected = sessions.get(line.call ?? '')
        const kind =
          part === undefined
            ? 'none'
            : part.turn === null
              ? (part.kind as 'unknown' | 'none')
              : part.turn.session_id === expected
                ? 'right'
                : 'wrong'
        counts[kind]++
        if (process.env.WHY_LIST && kind !== 'right')
          print(
            `${git} ${kind} ${line.repository}/${line.file}:${line.line} ${line.call} expected ${expected} got ${part?.turn?.session_id} ${part?.reason} ${part?.candidates.join(' ')} | ${line.text.slice(0, 80)}`,
          )
      }
      times.sort((a, b) => a - b)
      const shown = [counts.right, counts.wrong, counts.unknown, counts.none].map(String)
      found.push([
        git ? 'git and edits' : 'edits alone',
        ...shown,
        `${((100 * counts.right) / count).toFixed(1)} %`,
        `${Math.round(times[count >> 1] ?? 0)} ms`,
      ])
    }
    print(
      table(
        'Lines that an edit call of a session wrote, by seed',
        [`${count} lines`, 'right', 'wrong', 'unknown', 'no session', 'share right', 'median'],
        found,
      ),
    )
    const claims = { edit: 0, commit: 0, unknown: 0, none: 0 }
    for (const line of sample(others, LINES / 2, seed))
      for (const { kind } of (await mnemonic.why({ at: `${line.file}:${line.line}`, folder: line.repository })).parts) claims[kind]++
    print(
      `${LINES / 2} lines that came from outside a clone: ${claims.none} no session, ${claims.unknown} unknown, ${claims.edit} by an edit (in another clone)`,
    )
  } finally {
    await mnemonic.close()
  }
}

/** Deterministic by seed. */
function sample(lines: readonly OwnedLine[], count: number, seed: number): OwnedLine[] {
  const left = [...lines]
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const chosen: OwnedLine[] = []
  while (chosen.length < count && left.length > 0) chosen.push(left.splice(Math.floor(next() * left.length), 1)[0] as OwnedLine)
  return chosen
}
