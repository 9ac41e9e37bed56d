import type Database from 'better-sqlite3'
import { given } from '../../../core/given.ts'
import type { WorkFilter } from '../../work.ts'
import { type Condition, chunkCondition } from '../chunk-condition.ts'
import { pathMatcher } from './path-glob.ts'

export function workCondition(filter: WorkFilter, command: string | undefined): Condition {
  const { agentId, after, before, project, sessionId, branches, sources, file, actions, tool, errors } = filter
  const shared = chunkCondition(given({ agentId, after, before, project, sessionId, branches }))
  const parts = [shared.sql]
  const params: Record<string, string | number> = { ...shared.params }
  if (errors !== undefined) parts.push(`c.failed = ${Number(errors)}`)
  // `sessions` covers all work.
  if (sources !== undefined && !sources.includes('sessions')) {
    parts.push(`c.session in (select n.number from index_sessions n join agent_sessions a on a.id = n.id
      where a.source in (select value from json_each(@sources)))`)
    params.sources = JSON.stringify(sources)
  }
  if (tool !== undefined) {
    parts.push('c.tool in (select number from work_names where lower(name) = lower(@tool))')
    params.tool = tool
  }
  if (file !== undefined || actions !== undefined) {
    const touched = fileCondition(filter)
    parts.push(`c.id in (select f.call from work_files f where ${touched.sql})`)
    Object.assign(params, touched.params)
  }
  if (command !== undefined) {
    parts.push('c.id in (select rowid from work_fts where work_fts match @command)')
    params.command = command
  }
  return { sql: parts.join(' and '), params }
}

export function fileCondition({ file, actions }: WorkFilter): Condition {
  const parts = ['true']
  const params: Record<string, string> = {}
  if (file !== undefined) {
    parts.push('f.path in (select number from work_names where mnemonic_is_path(name, @file))')
    params.file = file
  }
  if (actions !== undefined) {
    parts.push('f.action in (select value from json_each(@actions))')
    params.actions = JSON.stringify(actions)
  }
  return { sql: parts.join(' and '), params }
}

export function registerPathFunction(db: Database.Database): void {
  let last: { readonly glob: unknown; readonly matches: (path: string) => boolean } = { glob: undefined, matches: () => false }
  db.function('mnemonic_is_path', { deterministic: true }, (path: unknown, glob: unknown) => {
    if (last.glob !== glob) last = { glob, matches: pathMatcher(String(glob)) }
    return Number(last.matches(String(path)))
  })
}
