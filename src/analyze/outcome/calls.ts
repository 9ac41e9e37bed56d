import { type Deeds, deedsOf, deedsOnce } from '../../ledgers/deeds/deeds.ts'
import { parsed } from '../../ledgers/deeds/json.ts'
import { resultOf } from '../../ledgers/deeds/result.ts'
import { toolKind } from '../../ledgers/deeds/tools.ts'
import type { EpisodeCall } from '../analyzer.ts'
import { plainLine } from '../plain-line.ts'
import { componentsOf } from './components.ts'
import type { Deed, Outcome, Pull, Source, Tests } from './deed.ts'
import { Ends } from './ends.ts'
import { type Made, madeBy } from './made.ts'
import { needsResult } from './needs-result.ts'
import { projectPath } from './project-path.ts'
import { runsTests } from './test-run.ts'
import { planOf, todoList } from './todo-list.ts'

export type Calls = Omit<Outcome, 'asked' | 'reports' | 'decisions' | 'actions' | 'trust'>

export interface CallReader {
  did(call: EpisodeCall): void
  calls(): Calls
}

const MOST_FILES = 2_000
const MOST_NOTED = 10_000
const LONGEST = 200

export function callReader(project: string | null, brief: boolean): CallReader {
  const files = touchedFiles(project)
  const made = madeThings()
  const todos = todoList()
  const noted: Pick<Deed, 'source' | 'turn'>[] = []
  let plan: Deed | undefined
  let tests: Tests | undefined
  let calls = 0

  return {
    did(call) {
      calls += 1
      const kind = toolKind(call.tool_name)
      const looks = kind === 'read' || kind === 'search' || kind === 'list' || kind === 'fetch'
      if (looks && brief) return
      const params = parsed(call.params_json)
      const deeds = call.result_json === null || needsResult(call) ? deedsOnce(call) : deedsOf(call, { params, result: undefined })
      const where = { source: { message: call.message ?? '', call: call.id }, turn: call.turn }
      files.add(deeds, where)
      if (looks) return
      for (const one of madeBy(call.tool_name, params, deeds)) made.add(one, where)
      if (deeds.commands.some(runsTests)) {
        const state = deeds.failed ? 'red' : 'green'
        tests = { state, mended: state === 'green' && (tests?.mended || tests?.state === 'red'), source: where.source }
      }
      const shown = deeds.failed ? undefined : planOf(call.tool_name, params)
      if (shown !== undefined) plan = { text: plainLine(shown, LONGEST), ...where }
      if (noted.length === MOST_NOTED) return
      todos.read(call.tool_name, params, noted.length, () => resultOf(call).text)
      noted.push(where)
    },
    calls: () => ({
      ...made.all(),
      ...files.all(),
      ...{ plan, tests, calls },
      todos: todos
        .entries()
        .map(({ text, status, at }) => ({ text: plainLine(text, LONGEST), status, ...(noted[at] as (typeof noted)[0]) })),
    }),
  }
}

function madeThings() {
  const commits = new Ends<Deed>()
  const pulls = new Ends<Pull>()
  const issues = new Ends<Deed>()
  const merges = new Ends<Deed>()
  return {
    add(one: Made, where: Pick<Deed, 'source' | 'turn'>): void {
      const text = plainLine(one.text, LONGEST)
      if (one.kind === 'pull') {
        if (text !== '' || one.number !== null) pulls.add({ text, ...where, action: one.action, number: one.number })
      } else if (text !== '' && one.kind === 'commit') {
        if (one.amends) commits.drop()
        commits.add({ text, ...where })
      } else if (text !== '') (one.kind === 'issue' ? issues : merges).add({ text, ...where })
    },
    all: () => ({ commits: commits.all(), pulls: pulls.all(), issues: issues.all(), merges: merges.all() }),
  }
}

const SCRATCH = /^(?:\/private)?\/(?:tmp|var\/folders|var\/tmp)\//

function touchedFiles(project: string | null) {
  const changed = new Map<string, { times: number; source: Source }>()
  const read = new Set<string>()
  const turns = new Map<string, number>()
  return {
    add({ files }: Deeds, { source, turn }: Pick<Deed, 'source' | 'turn'>): void {
      for (const { path, action } of files) {
        const short = projectPath(path, project)
        if (short === undefined || SCRATCH.test(short)) continue
        if (action === 'read') {
          if (read.size < MOST_FILES) read.add(short)
        } else if (changed.has(short) || changed.size < MOST_FILES) {
          changed.set(short, { times: (changed.get(short)?.times ?? 0) + 1, source })
          if (turn !== null) turns.set(turn, (turns.get(turn) ?? 0) + 1)
        }
      }
    },
    all() {
      const files = [...changed]
        .map(([path, { times, source }]) => ({ path, times, source }))
        .sort((a, b) => b.times - a.times || (a.path < b.path ? -1 : 1))
      // On a tie, the later turn.
      const busiest = [...turns].reduce<[string | null, number]>((most, one) => (one[1] >= most[1] ? one : most), [null, 0])[0]
      return { files, busiest, read: [...read].filter((path) => !changed.has(path)), components: componentsOf(files) }
    },
  }
}
