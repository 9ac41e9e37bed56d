/** macOS protects Messages: the error explains how to grant access. */
import { MnemonicError } from '../../../core/error.ts'

const REFUSED: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'SQLITE_CANTOPEN', 'SQLITE_AUTH', 'SQLITE_PERM', 'SQLITE_READONLY'])

const GRANT =
  'Open System Settings → Privacy & Security → Full Disk Access, switch it on for your terminal (or the app that runs Mnemonic), quit and reopen it, then sync again.'

export function withLeave(error: unknown, path: string, platform: NodeJS.Platform = process.platform): unknown {
  if (!(error instanceof MnemonicError) || error.code !== 'SOURCE_UNREADABLE') return error
  const code = error.details.code
  const isProtected = platform === 'darwin' || /[/\\]Library[/\\]Messages[/\\]/.test(path)
  const refused =
    REFUSED.has(typeof code === 'string' ? code.replace(/^(SQLITE_[A-Z]+)_.*$/, '$1') : code) ||
    /authorization denied/i.test(String(error.cause ?? error.message))
  if (!isProtected || !refused) return error
  return new MnemonicError('SOURCE_UNREADABLE', `cannot read ${path}: macOS does not let this program read your messages. ${GRANT}`, {
    details: { path, code },
    hint: GRANT,
    cause: error,
  })
}
