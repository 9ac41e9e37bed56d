/** Unknown tools, files and commands in filters: a mistake must not look like an empty result. */
import { redactVisible } from '../../core/redact.ts'
import { unknownValue } from '../../core/unknown-value.ts'
import { deedsOf } from '../../ledgers/deeds/deeds.ts'
import type { Store } from '../../store/store.ts'
import type { WorkFilter } from '../../store/work.ts'

const NONE = 'No tool call is indexed yet: mnemonic sync.'
const MOST_COMPARED = 20_000
const MOST_READ = 1000
const LONGEST_READ = 4096

/** Throws USAGE for an unknown tool, glob or command. Runs only if nothing was found. */
export async function checkWorkNames(store: Store, { tool, file, command, agentId }: WorkFilter): Promise<void> {
  const whose = agentId === undefined ? {} : { agentId }
  if (tool !== undefined && (await store.work.search({ any: [] }, { ...whose, tool }, 1)).total === 0) {
    const calls = store.read.selectFrom('agent_tool_calls').select('tool_name').groupBy('tool_name')
    const rows = await calls
      .orderBy((of) => of.fn.countAll(), 'desc')
      .orderBy('tool_name')
      .execute()
    throw unknownValue({
      none: NONE,
      filter: 'tool',
      said: 'no call used a tool called',
      values: [tool],
      known: rows.flatMap(({ tool_name }) => tool_name ?? []),
    })
  }
  if (file !== undefined && (await store.work.files({ ...whose, file }, 1)).total === 0) {
    const { files } = await store.work.files(whose, MOST_COMPARED)
    throw unknownValue({
      none: NONE,
      filter: 'file',
      said: 'no call touched a file like',
      values: [file],
      known: files.map(({ path }) => nameOf(path)),
    })
  }
  if (command !== undefined && (await store.work.search({ any: [] }, { ...whose, command }, 1)).total === 0)
    throw unknownValue({
      none: NONE,
      filter: 'command',
      said: 'no call ran a command with',
      values: [command],
      known: await newestCommands(store, whose),
    })
}

async function newestCommands(store: Store, filter: WorkFilter): Promise<string[]> {
  const { hits } = await store.work.search({ any: [] }, filter, MOST_READ)
  const calls = await store.work.calls(
    hits.map(({ id }) => id),
    LONGEST_READ,
  )
  const commands = calls.flatMap(
    ({ tool, params_json, status }) => deedsOf({ tool_name: tool, params_json, result_json: null, status }).commands,
  )
  return [...new Set(commands.map((one) => redactVisible(one).trim().split(/\s+/).slice(0, 2).join(' ')))]
}

/** Worktrees and clones hold the same file many times. */
function nameOf(path: string): string {
  return path.split(/[\\/]/).findLast(Boolean) ?? path
}
