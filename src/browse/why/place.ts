import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { MnemonicError } from '../../core/error.ts'
import { expandHome } from '../../core/home-folder.ts'
import { gitFolder, isRemote } from '../../ingest/git-folder.ts'

export interface WhyPlace {
  readonly file: string
  readonly root: string | undefined
  /** Relative to the root, with slashes; else the full path. */
  readonly name: string
  readonly lines: readonly string[] | undefined
  readonly from: number | undefined
  readonly to: number | undefined
}

export interface NamedLines {
  readonly file: string
  readonly from?: number
  readonly to?: number
}

const MOST_BYTES = 8 << 20

/**
 * `a.ts`, `a.ts:12`, `a.ts:12-20`, `a.ts:12,20`, `a.ts:12:5`, `a.ts(12,5)`, `a.ts#L12-L20`. A compiler's message may follow. A file of
 * exactly that name wins.
 */
export function namedLines(text: string, isFile: (path: string) => boolean): NamedLines {
  if (isFile(text)) return { file: text }
  const file = (path: string) => (!isFile(path) && isFile(slashes(path)) ? slashes(path) : path)
  const found =
    /^(.+?)(?::|#)L?(\d{1,9})(?:(?:[-,]|\.\.)L?(\d{1,9})|:\d{1,9}(?:-\d{1,9})?)?:?$/.exec(text) ??
    /^(.+?)\((\d{1,9})(?:,\d{1,9})?\)(?::.*)?$/s.exec(text) ??
    /^(.+?):(\d{1,9})(?::\d{1,9})?(?::| -) .*$/s.exec(text)
  if (found === null) return { file: file(text) }
  const from = Number(found[2])
  return { file: file(found[1] as string), from, to: found[3] === undefined ? from : Number(found[3]) }
}

export function placeOf(text: string, folder: string): WhyPlace {
  const absolute = (path: string) => resolve(folder, expandHome(path))
  const isFile = (path: string) => !isRemote(path) && statOf(absolute(path))?.isFile() === true
  const { file: named, from, to } = namedLines(text, isFile)
  if (named.trim() === '' || named.includes('\0') || isRemote(named))
    throw new MnemonicError('USAGE', 'a file of this machine is needed', { details: { file: named }, hint: 'mnemonic why src/main.ts:12' })
  if (from !== undefined && (from < 1 || (to ?? from) < from))
    throw new MnemonicError('USAGE', `lines are counted from 1, and a range goes up: ${from}-${to ?? from} is none`, {
      details: { from, to },
    })
  const stat = statOf(absolute(named))
  if (stat !== undefined && !stat.isFile())
    throw new MnemonicError('USAGE', `${named} is no file`, {
      details: { file: named },
      hint: 'Which files sessions touched: mnemonic files',
    })
  const file =
    stat === undefined
      ? resolve(realFolder(dirname(absolute(named))), absolute(named).split(sep).at(-1) as string)
      : realpathSync.native(absolute(named))
  const root = rootOf(dirname(file))
  const name = root === undefined ? slashes(file) : slashes(relative(root, file))
  return { file, root, name, lines: stat === undefined ? undefined : linesOf(file, stat.size, named), from, to }
}

function linesOf(file: string, size: number, named: string): readonly string[] {
  if (size > MOST_BYTES)
    throw new MnemonicError('USAGE', `${named} has ${size} bytes: files of up to ${MOST_BYTES} are read`, {
      details: { file: named, size },
    })
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (cause) {
    throw new MnemonicError('SOURCE_UNREADABLE', `cannot read ${named}: ${(cause as NodeJS.ErrnoException).code ?? 'unknown'}`, {
      cause,
      details: { file: named },
    })
  }
  return textLines(bytes, named)
}

/** Text after the last line end counts only if it is not empty. */
export function textLines(bytes: Buffer, named: string): readonly string[] {
  if (bytes.includes(0)) throw new MnemonicError('USAGE', `${named} is binary: it has no lines`, { details: { file: named } })
  const lines = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function rootOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (gitFolder(at) !== undefined) return at
    if (dirname(at) === at) return undefined
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return folder
  }
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}

export function slashes(path: string): string {
  return path.replaceAll('\\', '/')
}

export function isBelow(folder: string, path: string): boolean {
  const from = relative(folder, path)
  return from !== '' && !from.startsWith('..') && !isAbsolute(from)
}
