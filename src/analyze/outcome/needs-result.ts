/**
 * Whether what a tool call gave can say anything about what came of it. Results are the most there is to read, and of nine calls in ten nobody
 * needs them. Cheap, and true of every call of which a rule takes something of the result. Pure.
 */
import type { ToolCall } from '../../ledgers/deeds/result.ts'
import { toolKind } from '../../ledgers/deeds/tools.ts'
import { plainName } from './made.ts'

/** Words of every command that makes something which outlives the session, or runs tests; looked for in the JSON as it stands. */
const TELLING = /commit|(?:[^a-z]|\\[nt])gh |glab |test|jest|mocha|tox|nox|spec|phpunit|verify|check/
/** Tools that open or merge something, keep a list or show a plan. */
const TELLING_TOOL = /pr$|pullrequest|mergerequest|issue|ticket|commit|todo|task|plan|checklist/

export function needsResult({ tool_name, status, params_json }: Omit<ToolCall, 'result_json'>): boolean {
  const kind = toolKind(tool_name)
  // What was read, found or listed says nothing of what came of it.
  if (kind === 'read' || kind === 'search' || kind === 'list' || kind === 'fetch') return false
  // Why it failed, and whether a person refused it, stands in the result.
  if (status !== 'completed' && status !== 'success') return true
  // An edit that succeeded says it by itself.
  if (kind === 'edit' || kind === 'create') return false
  return kind === 'delete' || kind === 'move' || TELLING_TOOL.test(plainName(tool_name)) || TELLING.test(params_json ?? '')
}
