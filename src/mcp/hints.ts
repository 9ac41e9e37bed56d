/** Rewrites hints for agents, who have tools instead of shell commands. */
import { given } from '../core/given.ts'
import type { Hints } from '../library/index.ts'

export const TOOL_HINTS: Hints = {
  read: (id, from, around) => `memory_get ${JSON.stringify({ id, ...given({ from, around }) })}`,
  before: (to, id) => (id === undefined ? `"to":${to}` : `memory_get ${JSON.stringify({ id, to })}`),
  readHit: (number) => `memory_get {"id":"${number}"}`,
  isTold: true,
  nearest: 'pass "nearest": true',
}

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
  [/\bmnemonic sync\b/g, 'memory_status (a sync runs in the background)'],
]

export function toolHint(hint: string): string {
  return TOOLS.reduce((text, [command, tool]) => text.replace(command, tool), hint)
}
