import { redactSensitiveText } from '../../core/redact.ts'

/** Relative to the project if inside it. Undefined if it is not a plain path. */
export function projectPath(raw: string, project: string | null): string | undefined {
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
