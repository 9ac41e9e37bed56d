/** How an agent goes on: by tools, never by shell commands. Pure. */
import { given } from '../core/given.ts'
import type { Hints } from '../library/index.ts'

export const TOOL_HINTS: Hints = {
  read: (id, from, around) => `memory_get ${JSON.stringify({ id, ...given({ from, around }) })}`,
  before: (to, id) => (id === undefined ? `"to":${to}` : `memory_get ${JSON.stringify({ id, to })}`),
  readHit: (number) => `memory_get {"id":"${number}"}`,
  isTold: true,
  nearest: 'pass "nearest": true',
}

/** What commands of the library's hints are called here. */
const TOOLS: readonly (readonly [RegExp, string])[] = [
  [/\bmnemonic sessions\b/g, 'session_list'],
  [/\bmnemonic show\b/g, 'memory_get'],
  [/\bmnemonic search\b/g, 'memory_search'],
  [/\bmnemonic status\b/g, 'memory_status'],
  [/\bmnemonic decisions\b/g, 'decisions'],
  [/\bmnemonic timeline\b/g, 'timeline'],
  [/\bmnemonic how\b/g, 'how'],
  [/\bmnemonic fix\b/g, 'fix'],
  [/\bmnemonic why\b/g, 'why'],
  [/\bmnemonic entities list shows all[^.]*\./g, 'memory_search with filters {"entity": …}, or another name.'],
  [/\bmnemonic entities show\b/g, 'entity_get'],
  // A sync runs in the background: its state is what an agent can ask for.
  [/\bmnemonic sync\b/g, 'memory_status (a sync runs in the background)'],
]

export function toolHint(hint: string): string {
  return TOOLS.reduce((text, [command, tool]) => text.replace(command, tool), hint)
}
