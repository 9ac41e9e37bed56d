/** The files that a session's tool calls changed or read, by the names of the calls and of their parameters. Never reads a file. */
import { redactSensitiveText } from '../core/redact.ts'

export interface FileCall {
  readonly name: string
  /** The parsed parameters of the call, whatever they are. */
  readonly params: unknown
}

const CHANGES = /edit|write|patch|create|replace|insert|delete|remove|move|rename|notebook|append|apply/i
const PATH_KEYS = new Set(
  'file_path filepath path file filename notebook_path target_file relative_workspace_path relativeworkspacepath old_path new_path targetfile'.split(
    ' ',
  ),
)
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.{1,300})$/gm
const MOST_CALLS = 20_000
const LONGEST_PATCH = 1_000_000

export interface SessionFiles {
  /** In the order of their first change. */
  readonly changed: string[]
  /** Those that were only read, in order. */
  readonly read: string[]
}

/** At most `most` of each. Paths below the project are relative to it. */
export function sessionFiles(calls: Iterable<FileCall>, options: { project: string | null; most: number }): SessionFiles {
  const changed = new Set<string>()
  const read = new Set<string>()
  let seen = 0
  for (const { name, params } of calls) {
    if (seen++ === MOST_CALLS) break
    for (const { path, patched } of pathsOf(params)) {
      const clean = cleanPath(path, options.project)
      if (clean !== undefined) (patched || CHANGES.test(name) ? changed : read).add(clean)
    }
  }
  for (const path of changed) read.delete(path)
  return { changed: [...changed].slice(0, options.most), read: [...read].slice(0, options.most) }
}

function* pathsOf(params: unknown): Generator<{ path: string; patched: boolean }> {
  if (typeof params === 'string') yield* patchedPaths(params)
  if (params === null || typeof params !== 'object') return
  for (const [key, value] of Object.entries(params).slice(0, 100)) {
    if (typeof value === 'string') {
      if (PATH_KEYS.has(key.toLowerCase())) yield { path: value, patched: false }
      else yield* patchedPaths(value)
    } else if (Array.isArray(value)) {
      for (const item of value.slice(0, 100)) if (typeof item === 'string') yield* patchedPaths(item)
    }
  }
}

function* patchedPaths(text: string): Generator<{ path: string; patched: boolean }> {
  if (text.length > LONGEST_PATCH || !text.includes('*** ')) return
  for (const match of text.matchAll(PATCHED)) yield { path: match[1] ?? '', patched: true }
}

/** Relative to the project where it is below it. Undefined for what is no plain path of a file. */
function cleanPath(raw: string, project: string | null): string | undefined {
  const path = raw.trim().replaceAll('\\', '/')
  if (
    path === '' ||
    path.length > 300 ||
    /[\x00-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff*?"<>|]/.test(path) ||
    /^[a-z][a-z+.-]+:\/\//i.test(path)
  )
    return undefined
  const root = project === null ? '' : `${project.replaceAll('\\', '/').replace(/\/+$/, '')}/`
  const short = root.length > 1 && path.startsWith(root) ? path.slice(root.length) : path
  return /[\p{L}\p{N}]/u.test(short) && redactSensitiveText(short, { mode: 'tools' }) === short ? short.toWellFormed() : undefined
}
