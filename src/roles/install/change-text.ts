/** Reads and writes files of other programs. Backs up before the first change; keeps mode and links. */
import { accessSync, chmodSync, constants, existsSync, lstatSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { notDone, writeAtomicSync } from '../../core/atomic-file.ts'
import { MnemonicError } from '../../core/error.ts'
import type { ConfigPart } from './part.ts'

const BOM = '\uFEFF'

/** `text` excludes the byte order mark. */
export interface Found {
  readonly text: string | undefined
  readonly bom: boolean
}

export function readPart(part: ConfigPart): Found {
  const text = part.place === undefined ? readFileText(part.path) : part.place.read()
  return text?.startsWith(BOM) ? { text: text.slice(1), bom: true } : { text, bom: false }
}

function readFileText(path: string): string | undefined {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw notDone('read', path, error)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new MnemonicError('CONFIG_INVALID', `${path} is not UTF-8 text`, {
      details: { file: path },
      hint: 'Save it as UTF-8, then run it again. Nothing was changed.',
      cause,
    })
  }
}

export function backupOf(part: ConfigPart): string {
  return `${part.path}.mnemonic-backup`
}

export function readBackup(part: ConfigPart): string | undefined {
  const kept = part.place === undefined ? readFileText(backupOf(part)) : undefined
  return kept?.startsWith(BOM) ? kept.slice(1) : kept
}

/** Must run before any write. A file that its owner made read-only is not changed. */
export function requireWritable(part: ConfigPart): void {
  if (part.place !== undefined) return
  const target = targetOf(part.path)
  const info = statSync(target, { throwIfNoEntry: false })
  if (info !== undefined && !info.isFile()) throw notDone('write', part.path, Object.assign(new Error('not a file'), { code: 'EISDIR' }))
  if (info !== undefined && (info.mode & 0o200) === 0) {
    throw new MnemonicError('STORAGE_ERROR', `${part.path} is read-only`, {
      details: { path: part.path, code: 'EROFS' },
      hint: 'Another program may manage it: add the entries there, with what --dry-run prints. Nothing was changed.',
    })
  }
  for (const folder of new Set([dirname(part.path), dirname(target)])) {
    let at = folder
    while (!existsSync(at)) at = dirname(at)
    try {
      accessSync(at, constants.W_OK | constants.X_OK)
    } catch (error) {
      throw notDone('write', part.path, error)
    }
  }
}

function targetOf(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw notDone('read', path, error)
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw notDone('write', path, error)
    return path
  }
}

/** Another program wrote the file after it was read. */
export class ChangedMeanwhile extends Error {}

export interface Write {
  readonly found: Found
  readonly text: string | undefined
  readonly backup: boolean
}

/** Throws ChangedMeanwhile if the part no longer contains `found`. */
export function writePart(part: ConfigPart, { found, text, backup }: Write): void {
  if (part.place !== undefined) {
    part.place.write(text)
    return
  }
  const target = targetOf(part.path)
  const isSame = () => {
    const now = readPart(part)
    if (now.text !== found.text || now.bom !== found.bom) throw new ChangedMeanwhile()
  }
  if (text === undefined) {
    isSame()
    rmSync(part.path, { force: true })
    return
  }
  const info = statSync(target, { throwIfNoEntry: false })
  // One backup per file: from before the last change that added our first entry.
  if (backup && info !== undefined) writeAtomicSync(backupOf(part), readFileSync(target))
  writeAtomicSync(target, `${found.bom ? BOM : ''}${text}`, (made) => {
    chmodSync(made, info === undefined ? 0o600 : info.mode & 0o7777)
    isSame()
  })
}

export function dropBackup(part: ConfigPart): void {
  if (part.place === undefined) rmSync(backupOf(part), { force: true })
}
