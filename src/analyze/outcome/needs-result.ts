/**
 * Decides if a call's result can show an outcome. Results are most of the data, and nine of ten are useless. Must be true for every call
 * whose result a rule reads.
 */
import type { ToolCall } from '../../ledgers/deeds/result.ts'
import { toolKind } from '../../ledgers/deeds/tools.ts'
import { plainName } from './made.ts'

/** Matched against raw JSON. */
const TELLING = /commit|(?:[^a-z]|\\[nt])gh |glab |test|jest|mocha|tox|nox|spec|phpunit|verify|check/
const TELLING_TOOL = /pr$|pullrequest|mergerequest|issue|ticket|commit|todo|task|plan|checklist/

export function needsResult({ tool_name, status, params_json }: Omit<ToolCall, 'result_json'>): boolean {
  const kind = toolKind(tool_name)
  if (kind === 'read' || kind === 'search' || kind === 'list' || kind === 'fetch') return false
  // The result holds the reason, or a person's refusal.
  if (status !== 'completed' && status !== 'success') return true
  if (kind === 'edit' || kind === 'create') return false
  return kind === 'delete' || kind === 'move' || TELLING_TOOL.test(plainName(tool_name)) || TELLING.test(params_json ?? '')
}
