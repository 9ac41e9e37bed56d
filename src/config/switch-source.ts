/** Switches a source on or off in config.yaml. Changes that one key: comments, order and all other values stay; spacing may change. */
import { readFileSync, realpathSync } from 'node:fs'
import { isMap, isScalar, parseDocument } from 'yaml'
import { writeAtomicSync } from '../core/atomic-file.ts'
import { MnemonicError } from '../core/error.ts'
import { readConfigFile } from './config-file.ts'
import { nearest } from './known-keys.ts'
import { DERIVED_SOURCES, HARNESS_SOURCES, PERSONAL_SOURCES } from './source-names.ts'
import { emptyTree, fromDotted, merge, valueAt } from './tree.ts'

export interface SourceSwitch {
  readonly name: string
  readonly enabled: boolean
  /** False when the file had that value already. */
  readonly changed: boolean
  readonly config: string
}

const NAMES: readonly string[] = [...HARNESS_SOURCES, ...PERSONAL_SOURCES, ...DERIVED_SOURCES]

/** Takes effect with the next command. Throws USAGE for an unknown name, or a source that this version cannot read, CONFIG_INVALID for a file that cannot be read. */
export function switchSource(file: string, name: string, enabled: boolean): SourceSwitch {
  if (!NAMES.includes(name)) {
    const near = nearest(name, NAMES)
    throw new MnemonicError('USAGE', `there is no source ${JSON.stringify(name)}`, {
      details: { source: name },
      hint: near === undefined ? `Known: ${NAMES.join(', ')}.` : `Did you mean ${near}?`,
    })
  }
  const path = ['sources', name, 'enabled']
  const before = readConfigFile(file)?.tree ?? emptyTree()
  if (valueAt(before, path) === enabled) return { name, enabled, changed: false, config: file }
  const target = targetOf(file)
  const wanted = merge(before, fromDotted({ [path.join('.')]: enabled }))
  writeAtomicSync(target, withValue(target, path, String(enabled)), (made) => {
    const after = readConfigFile(made)?.tree
    if (plain(after) !== plain(wanted)) throw unwritable(file)
  })
  return { name, enabled, changed: true, config: file }
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

function unwritable(file: string): MnemonicError {
  return new MnemonicError('CONFIG_INVALID', `${file} cannot be changed without losing something in it`, {
    details: { file },
    hint: 'Write the lines "sources:", "  NAME:", "    enabled: true" into it by hand. Nothing was changed.',
  })
}
