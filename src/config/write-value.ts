/** Writes one value into config.yaml. Changes that one key: comments, order and all other values stay; spacing may change. */
import { readFileSync, realpathSync } from 'node:fs'
import { isMap, isScalar, parseDocument } from 'yaml'
import { writeAtomicSync } from '../core/atomic-file.ts'
import { MnemonicError } from '../core/error.ts'
import { readConfigFile } from './config-file.ts'
import { emptyTree, fromDotted, merge, valueAt } from './tree.ts'

/** False when the file had that value already. Throws CONFIG_INVALID for a file that cannot be read. */
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

/** The target of a link, so that the link itself stays. */
function targetOf(file: string): string {
  try {
    return realpathSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return file
  }
}

/** The text of the file with one more value. Parsed without types: everything else is written as it was. */
function withValue(file: string, path: readonly string[], value: string): string {
  const document = parseDocument(textOf(file), { schema: 'failsafe' })
  // A key without a value has no mapping into which a key can be put.
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

/** Equal for trees that say the same, whatever their prototypes and their order are. */
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
