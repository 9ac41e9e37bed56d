/** Commits, pull requests, issues and merges of a call, recognised by command or tool name. */
import { redactSensitiveText } from '../../core/redact.ts'
import type { Deeds } from '../../ledgers/deeds/deeds.ts'
import { isRecord } from '../../ledgers/deeds/json.ts'
import { commitSubject, pullTitle } from '../../ledgers/names/title-of-call.ts'

export type Made =
  | { readonly kind: 'commit'; readonly text: string; readonly amends: boolean }
  | { readonly kind: 'pull'; readonly action: 'opened' | 'merged'; readonly text: string; readonly number: string | null }
  | { readonly kind: 'issue'; readonly text: string }
  | { readonly kind: 'merge'; readonly text: string }

const GIT = '\\bgit(?: -\\S+(?: [^\\s-]\\S*)?)*'
const COMMIT = new RegExp(`${GIT} commit\\b`)
const AMEND = new RegExp(`${GIT} commit\\b[^\\n;&|]*--amend`)
const MERGE = new RegExp(`${GIT} (merge|rebase)((?: --?[a-z][\\w=-]*)*) ([\\w][\\w./@-]{1,80})`, 'g')
/** Commits in a throwaway repository do not count. */
const SCRATCH =
  /\bgit init\b|\bcd ["']?(?:\/private)?\/(?:tmp|var\/folders)\/|\bcd ["']?\/tmp\b|\bmktemp\b|\bgit -C ["']?(?:\/private)?\/(?:tmp|var\/folders)\//
const COMMITTED = /^\[[^\]]{1,120} [0-9a-f]{7,40}\] (.{1,300})$/
const PULL_URL = /\/(?:pull|merge_requests|pull-requests)\/(\d{1,7})\b/
const MERGE_PULL = /\b(?:gh pr|glab mr) merge\b(?:\s+(?:--?\S+\s+)*#?(\d{1,7}))?/
const ISSUE_TITLE = /\b(?:gh|glab) issue create\b[\s\S]{0,400}?(?:--title|-t)[ =]+(?:"((?:[^"\\]|\\.){1,300})"|'([^']{1,300})')/

/** `deeds` must be of a successful call. */
export function madeBy(tool: string | null, params: unknown, deeds: Deeds): Made[] {
  const made: Made[] = []
  for (const command of deeds.commands) made.push(...byCommand(command, deeds))
  if (deeds.commands.length === 0 && !deeds.failed && isRecord(params)) made.push(...byTool(plainName(tool), params, deeds))
  return made
}

const MAKES = /\bgit\b|\bgh\b|\bglab\b/

function byCommand(raw: string, deeds: Deeds): Made[] {
  const made: Made[] = []
  if (!MAKES.test(raw)) return made
  const { lines: printed, failed } = deeds
  // Redact first: context may mark a secret.
  const [command = '', ...lines] = [raw, ...printed].map((text) => redactSensitiveText(text, { mode: 'tools' }))
  if (SCRATCH.test(command)) return []
  if (COMMIT.test(command)) {
    const told = lines.flatMap((line) => COMMITTED.exec(line)?.[1] ?? [])
    const given = commitSubject(command)
    const amends = AMEND.test(command)
    // Git's output proves a commit. A quiet commit counts unless the call failed.
    for (const text of told.length > 0 ? told : failed || given === undefined ? [] : [given])
      made.push({ kind: 'commit', text: told.length === 1 && given !== undefined ? given : text, amends })
  }
  for (const [, what, options = '', target] of command.matchAll(MERGE))
    if (!/--(?:abort|quit|ff-only|continue|skip)/.test(options)) {
      made.push({ kind: 'merge', text: `${what === 'merge' ? 'merged' : 'rebased onto'} ${target}` })
    }
  if (failed) return made
  const title = pullTitle(command)
  if (title !== undefined) made.push({ kind: 'pull', action: 'opened', text: title, number: pullNumber(lines) })
  const merged = MERGE_PULL.exec(command)
  if (merged !== null) made.push({ kind: 'pull', action: 'merged', text: '', number: merged[1] === undefined ? null : `#${merged[1]}` })
  const issue = ISSUE_TITLE.exec(command)
  if (issue !== null) made.push({ kind: 'issue', text: issue[1] ?? issue[2] ?? '' })
  return made
}

function byTool(name: string, params: Readonly<Record<string, unknown>>, { lines }: Deeds): Made[] {
  const title = typeof params.title === 'string' ? params.title : ''
  const number = params.pull_number ?? params.pullNumber ?? params.merge_request_iid
  if (/create(?:a)?(?:pullrequest|mergerequest|pr)$/.test(name) && title !== '') {
    return [{ kind: 'pull', action: 'opened', text: title, number: pullNumber(lines) }]
  }
  if (/merge(?:pullrequest|mergerequest|pr)$/.test(name)) {
    return [{ kind: 'pull', action: 'merged', text: title, number: typeof number === 'number' ? `#${number}` : null }]
  }
  if (/(?:create|save|new)(?:issue|ticket)$|issuecreate$/.test(name) && title !== '' && params.id === undefined) {
    return [{ kind: 'issue', text: title }]
  }
  const message = params.message ?? params.commit_message
  return /(?:^|git)commit$/.test(name) && typeof message === 'string'
    ? [{ kind: 'commit', text: message.trim().split('\n', 1)[0] ?? '', amends: params.amend === true }]
    : []
}

function pullNumber(lines: readonly string[]): string | null {
  for (const line of lines) {
    const number = PULL_URL.exec(line)?.[1]
    if (number !== undefined) return `#${number}`
  }
  return null
}

/** Strips the MCP server: `mcp__github__create_pull_request` is `createpullrequest`. */
export function plainName(tool: string | null): string {
  const own = (tool ?? '')
    .slice(0, 200)
    .split(/__|[.:/]/)
    .at(-1) as string
  return own.toLowerCase().replace(/[^a-z]/g, '')
}
