/** File paths in calls. Pure: never touches the disk. */
import { redact } from '../../core/redact.ts'

export type FileAction = 'read' | 'edit' | 'create' | 'delete'

export interface FileDeed {
  /** As the call wrote it, with slashes; prefixed with the command's folder if known. */
  readonly path: string
  readonly action: FileAction
}

const LONGEST = 500
/** Characters that a plain file name in a call never has. */
const NOT_PLAIN = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff*?"<>|`${}]/
const REMOTE = /^[a-z][a-z0-9+.-]+:\/\//i

/** Undefined unless it is surely one file's path. */
export function plainPath(raw: string, folder?: string | undefined): string | undefined {
  if (raw.length === 0 || raw.length > LONGEST) return undefined
  const local = raw.startsWith('file://') ? raw.slice(7) : raw
  const path = local.trim().replaceAll('\\', '/')
  if (NOT_PLAIN.test(path) || REMOTE.test(path) || !/[\p{L}\p{N}]/u.test(path) || path.startsWith('/dev/')) return undefined
  // Without its double slash a secret would no longer be recognised.
  if (path.includes('//') && redact(path).spans.length > 0) return undefined
  const whole = folder === undefined || isAbsolute(path) ? path : `${folder.replaceAll('\\', '/').replace(/\/+$/, '')}/${path}`
  return normal(whole).toWellFormed()
}

export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:[\\/]/.test(path)
}

function normal(path: string): string {
  if (!path.includes('./') && !path.includes('//') && !path.endsWith('/..') && !path.endsWith('/.')) return path
  const kept: string[] = []
  for (const [i, part] of path.split('/').entries()) {
    if (part === '.' || (part === '' && i > 0)) continue
    const last = kept.at(-1)
    if (part === '..' && last !== undefined && last !== '..' && last !== '') kept.pop()
    else kept.push(part)
  }
  return kept.join('/')
}
