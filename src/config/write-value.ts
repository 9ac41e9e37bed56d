/** Sets one key in config.yaml. Comments, order and other values stay; spacing may change. */
import { readFileSync, realpathSync } from 'node:fs'
import { isMap, isScalar, parseDocument } from 'yaml'
import { writeAtomicSync } from '../core/atomic-file.ts'
import { MnemonicError } from '../core/error.ts'
import { readConfigFile } from './config-file.ts'
import { emptyTree, fromDotted, merge, valueAt } from './tree.ts'

export function writeValue(file: string, path: readonly string[], value: boolean): boolean {
  const before = readConfigFile(file)?.tree ?? emptyTree()
  if (valueAt(before, path) === value) return false
  const target = targetOf(file)
  const wanted = merge(before, fromDotted({ [path.join('.')]: value }))
  writeAtomicSync(target, withValue(target, path, String(value)), (made) => {
    const after = readConfigFile(made)?.tree
    if (plain(after) !== plain(wanted)) throw unwritable(file, path, value)
  })
  return true
}

/** Resolves a symlink, so that the write does not replace the link itself. */
function targetOf(file: string): string {
  try {
    return realpathSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return file
  }
}

/** Parses without types, so that every other value is written back verbatim. */
function withValue(file: string, path: readonly string[], value: string): string {
  const document = parseDocument(textOf(file), { schema: 'failsafe' })
  // An empty key has no mapping yet that could take a child.
  for (let end = 1; end < path.length; end++) {
    const above = path.slice(0, end)
    const node = document.getIn(above, true)
    if (node === undefined || isMap(node)) continue
    const empty = document.createNode({})
    if (isScalar(node)) empty.commentBefore = [node.commentBefore, node.comment].filter(Boolean).join('\n') || null
    document.setIn(above, empty)
  }
  document.setIn(path, value)
  return document.toString({ lineWidth: 0 })
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return ''
  }
}

function plain(tree: unknown): string {
  const sorted = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value)
          .filter(([, inner]) => inner !== undefined)
          .map(([key, inner]) => [key, sorted(inner)])
          .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
      : value
  return JSON.stringify(sorted(tree))
}

function unwritable(file: string, path: readonly string[], value: boolean): MnemonicError {
  const lines = path.map((key, depth) => `"${'  '.repeat(depth)}${key}:${depth === path.length - 1 ? ` ${value}` : ''}"`)
  return new MnemonicError('CONFIG_INVALID', `${file} cannot be changed without losing something in it`, {
    details: { file },
    hint: `Write the lines ${lines.join(', ')} into it by hand. Nothing was changed.`,
  })
}
