/** What a filter of tool work names must exist: an unknown tool or file is a mistake, not a search without results. Reads only where it is. */
import { MnemonicError } from '../core/error.ts'
import { oneLine } from '../core/text.ts'
import type { Store } from '../store/store.ts'
import type { WorkFilter } from '../store/work.ts'

const MOST_LISTED = 20
const MOST_COMPARED = 20_000

/** Throws USAGE for a tool that no call used, or a glob that names no file. Asked only after nothing was found. */
export async function checkWorkNames(store: Store, { tool, file, agentId }: WorkFilter): Promise<void> {
  const whose = agentId === undefined ? {} : { agentId }
  if (tool !== undefined && (await store.work.search({ any: [] }, { ...whose, tool }, 1)).total === 0) {
    const rows = await store.read.selectFrom('agent_tool_calls').select('tool_name').distinct().orderBy('tool_name').execute()
    throw unknown({ what: 'tool', name: tool, known: rows.flatMap(({ tool_name }) => tool_name ?? []) })
  }
  if (file !== undefined && (await store.work.files({ ...whose, file }, 1)).total === 0) {
    const { files } = await store.work.files(whose, MOST_COMPARED)
    throw unknown({ what: 'file', name: file, known: [...new Set(files.map(({ path }) => nameOf(path)))] })
  }
}

function unknown({ what, name, known }: { what: 'tool' | 'file'; name: string; known: readonly string[] }): MnemonicError {
  const nearest = nearestNames(name, known).slice(0, MOST_LISTED)
  const listed = nearest.map((one) => oneLine(one, 200))
  const more = known.length > listed.length ? `, and ${known.length - listed.length} more` : ''
  const said = what === 'tool' ? 'no call used a tool called' : 'no call touched a file like'
  return new MnemonicError('USAGE', `${said} ${JSON.stringify(oneLine(name, 100))}`, {
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
