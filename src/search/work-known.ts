/** What a filter of tool work names must exist: an unknown tool or file is a mistake, not a search without results. Reads only where it is. */
import { MnemonicError } from '../core/error.ts'
import { redactVisible } from '../core/redact.ts'
import { oneLine } from '../core/text.ts'
import { deedsOf } from '../index/deeds.ts'
import type { Store } from '../store/store.ts'
import type { WorkFilter } from '../store/work.ts'

const MOST_LISTED = 20
const MOST_COMPARED = 20_000
/** So many of the newest calls are looked at for their commands, and so much of each. */
const MOST_READ = 1000
const LONGEST_READ = 4096

/** Throws USAGE for a tool that no call used, a glob that names no file, or words of no command. Asked only after nothing was found. */
export async function checkWorkNames(store: Store, { tool, file, command, agentId }: WorkFilter): Promise<void> {
  const whose = agentId === undefined ? {} : { agentId }
  if (tool !== undefined && (await store.work.search({ any: [] }, { ...whose, tool }, 1)).total === 0) {
    const rows = await store.read.selectFrom('agent_tool_calls').select('tool_name').distinct().orderBy('tool_name').execute()
    throw unknown({ what: 'tool', name: tool, known: rows.flatMap(({ tool_name }) => tool_name ?? []) })
  }
  if (file !== undefined && (await store.work.files({ ...whose, file }, 1)).total === 0) {
    const { files } = await store.work.files(whose, MOST_COMPARED)
    throw unknown({ what: 'file', name: file, known: [...new Set(files.map(({ path }) => nameOf(path)))] })
  }
  if (command !== undefined && (await store.work.search({ any: [] }, { ...whose, command }, 1)).total === 0)
    throw unknown({ what: 'command', name: command, known: await newestCommands(store, whose) })
}

/** How the newest commands begin. */
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

const SAID = {
  tool: 'no call used a tool called',
  file: 'no call touched a file like',
  command: 'no call ran a command with',
}

function unknown({ what, name, known }: { what: keyof typeof SAID; name: string; known: readonly string[] }): MnemonicError {
  const nearest = nearestNames(name, known).slice(0, MOST_LISTED)
  const listed = nearest.map((one) => oneLine(one, 200))
  const more = known.length > listed.length ? `, and ${known.length - listed.length} more` : ''
  return new MnemonicError('USAGE', `${SAID[what]} ${JSON.stringify(oneLine(name, 100))}`, {
    details: { unknown: [name], known: listed },
    hint: listed.length === 0 ? 'No tool call is indexed yet: mnemonic sync.' : `There are: ${listed.join(', ')}${more}.`,
  })
}

/** The most alike first, by the pairs of letters of the last name of a path. */
function nearestNames(name: string, known: readonly string[]): string[] {
  const wanted = pairsOf(lastName(name))
  return known
    .map((one) => ({ one, alike: alike(wanted, pairsOf(lastName(one))) }))
    .toSorted((a, b) => b.alike - a.alike || (a.one < b.one ? -1 : 1))
    .map(({ one }) => one)
}

function lastName(path: string): string {
  return nameOf(path).toLowerCase()
}

/** A file without its folders: worktrees and clones hold the same one many times. */
function nameOf(path: string): string {
  return path.split(/[\\/]/).findLast(Boolean) ?? path
}

function pairsOf(text: string): Set<string> {
  const padded = ` ${text.slice(0, 200)} `
  return new Set([...padded].slice(1).map((_, i) => padded.slice(i, i + 2)))
}

function alike(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0
  for (const pair of a) if (b.has(pair)) both += 1
  return (2 * both) / (a.size + b.size)
}
