import { MnemonicError } from '../core/error.ts'
import type { Served } from './served.ts'
import type { AnyTool } from './tool.ts'
import { decisions } from './tools/decisions.ts'
import { entityGet } from './tools/entity-get.ts'
import { fix } from './tools/fix.ts'
import { forget } from './tools/forget.ts'
import { forkContext } from './tools/fork-context.ts'
import { how } from './tools/how.ts'
import { memoryGet } from './tools/memory-get.ts'
import { memorySearch } from './tools/memory-search.ts'
import { memoryStatus } from './tools/memory-status.ts'
import { remember } from './tools/remember.ts'
import { sessionList } from './tools/session-list.ts'
import { sessionSearch } from './tools/session-search.ts'
import { timeline } from './tools/timeline.ts'
import { why } from './tools/why.ts'

export const TOOL_NAMES = [
  ...['memory_search', 'memory_get', 'session_search', 'session_list', 'fork_context', 'entity_get', 'decisions', 'how', 'fix'],
  ...['timeline', 'why', 'remember', 'forget', 'memory_status'],
] as const

export function checkedTools(names: readonly string[]): readonly string[] {
  const unknown = names.filter((name) => !(TOOL_NAMES as readonly string[]).includes(name))
  if (unknown.length === 0 && names.length > 0) return names
  const what = unknown.length === 0 ? 'no tool is named' : `no tool is called ${unknown.map((name) => JSON.stringify(name)).join(', ')}`
  throw new MnemonicError('USAGE', what, { details: { tools: names }, hint: `There are: ${TOOL_NAMES.join(', ')}` })
}

export function chosenTools(served: Served, names: readonly string[] = TOOL_NAMES): AnyTool[] {
  const all: readonly AnyTool[] = [
    memorySearch(served),
    memoryGet(served),
    sessionSearch(served),
    sessionList(served),
    forkContext(served),
    entityGet(served),
    decisions(served),
    how(served),
    fix(served),
    timeline(served),
    why(served),
    remember(served),
    forget(served),
    memoryStatus(served),
  ]
  return all.filter(({ name }) => names.includes(name))
}
