import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { MnemonicError } from '../../core/error.ts'
import { type HookEntry, type JsonEntry, placesOf, valueAt } from './entries.ts'
import { insertInto, type JsonPath, nodeAt, removeAt, replaceAt } from './json-text.ts'
import type { ConfigPart } from './part.ts'

export interface JsonConfig {
  readonly path: string
  readonly what: string
  readonly entries: readonly JsonEntry[]
  /** Other content that a new file needs. */
  readonly fresh?: Readonly<Record<string, unknown>>
  readonly hint?: string
}

/** Only these keys are updated if the program moves. */
const PROGRAM_KEYS = ['command', 'args'] as const

export function jsonConfig(config: JsonConfig): ConfigPart {
  return {
    path: config.path,
    what: config.what,
    holds: (text) => placesOf(parsed(config, text).tree, config.entries).length > 0,
    add(text) {
      const added = checked(config, text ?? '', withEntries(config, text, config.entries))
      const { tree } = parsed(config, added)
      // The last of duplicate keys counts: an insertion into the first would have no effect.
      if (config.entries.some((entry) => entry.kind !== 'listed' && placesOf(tree, [entry]).length === 0)) throw moreThanOurs(config)
      return added
    },
    remove(text, before) {
      const found = foundEntries(config, text)
      if (found.length === 0) return text
      // Restores the backup byte for byte if nothing else changed.
      if (before === undefined && withEntries(config, undefined, found) === text) return undefined
      if (before !== undefined && withEntries(config, before, found) === text) return before
      return checked(config, text, without(config, text, before))
    },
  }
}

function foundEntries(config: JsonConfig, text: string): JsonEntry[] {
  const { tree } = parsed(config, text)
  return config.entries.flatMap((entry): JsonEntry[] => {
    const place = placesOf(tree, [entry])[0]
    if (place === undefined) return []
    const value = valueAt(tree, place.path) as Record<string, unknown>
    if (entry.kind === 'key') return [{ ...entry, value }]
    return [entry.kind === 'hook' ? { ...entry, handler: value } : entry]
  })
}

function withEntries(config: JsonConfig, given: string | undefined, entries: readonly JsonEntry[]): string {
  const isFresh = given === undefined || given.trim() === ''
  let text = isFresh ? freshText(config) : given
  for (const entry of entries) {
    const { tree } = parsed(config, text)
    const places = placesOf(tree, [entry])
    if (places.length === 0) text = inserted(config, text, entry)
    else for (const { path } of places) text = updated(text, tree, entry, path)
  }
  return text
}

function freshText({ fresh = {} }: JsonConfig): string {
  return `${JSON.stringify(fresh, null, 2)}\n`
}

function inserted(config: JsonConfig, text: string, entry: JsonEntry): string {
  const { tree, root } = parsed(config, text)
  if (entry.kind === 'key') {
    if (valueAt(tree, entry.path) !== undefined) throw taken(config, text, root, entry.path)
    return put(config, text, entry.path.slice(0, -1), entry.path.at(-1), entry.value)
  }
  if (entry.kind === 'listed')
    return Array.isArray(valueAt(tree, entry.path)) ? put(config, text, entry.path, undefined, entry.value) : text
  const item = entry.grouped ? { ...matcherOf(entry), hooks: [entry.handler] } : { ...matcherOf(entry), ...entry.handler }
  const list = valueAt(tree, entry.path)
  if (list === undefined) return put(config, text, entry.path.slice(0, -1), entry.path.at(-1), [item])
  if (!Array.isArray(list)) throw misshapen(config, text, root, entry.path, 'a list')
  return put(config, text, entry.path, undefined, item)
}

function matcherOf({ matcher }: HookEntry): { matcher?: string } {
  return matcher === undefined ? {} : { matcher }
}

function put(config: JsonConfig, text: string, above: readonly string[], key: string | undefined, value: unknown): string {
  const { root } = parsed(config, text)
  let depth = above.length
  while (depth > 0 && nodeAt(root, above.slice(0, depth)) === undefined) depth--
  const at = nodeAt(root, above.slice(0, depth))
  const wanted = key === undefined && depth === above.length ? 'array' : 'object'
  if (at?.type !== wanted) throw misshapen(config, text, root, above.slice(0, depth), wanted === 'array' ? 'a list' : 'an object')
  const missing = above.slice(depth)
  if (missing.length === 0) return insertInto(text, at, key, value)
  const nested = [...missing.slice(1), ...(key === undefined ? [] : [key])].reduceRight<unknown>(
    (inner, name) => ({ [name]: inner }),
    value,
  )
  return insertInto(text, at, missing[0], nested)
}

function updated(text: string, tree: unknown, entry: JsonEntry, path: JsonPath): string {
  if (entry.kind === 'listed') return text
  const wanted = entry.kind === 'key' ? entry.value : entry.handler
  let now = text
  for (const key of PROGRAM_KEYS) {
    if (wanted[key] === undefined || JSON.stringify(valueAt(tree, [...path, key])) === JSON.stringify(wanted[key])) continue
    now = replaceAt(now, [...path, key], wanted[key])
  }
  return now
}

/** Removes our entries and containers that this empties, unless they were empty before. */
function without(config: JsonConfig, text: string, before: string | undefined): string {
  const was = before === undefined || before.trim() === '' ? undefined : parsed(config, before).tree
  let now = text
  for (;;) {
    const { tree } = parsed(config, now)
    const [place] = placesOf(tree, config.entries)
    if (place === undefined) return now
    now = removeAt(now, emptied(tree, place.path, place.entry, was))
  }
}

function emptied(tree: unknown, path: JsonPath, entry: JsonEntry, was: unknown): JsonPath {
  let at = path
  while (at.length > 1) {
    const above = at.slice(0, -1)
    const holder = valueAt(tree, above)
    // A group without commands means nothing, even with a matcher.
    const isGroup = entry.kind === 'hook' && entry.grouped && above.length === entry.path.length + 1
    const isAlone = isGroup || size(holder) <= 1
    if (!isAlone || (above.length <= entry.path.length && valueAt(was, above) !== undefined)) return at
    at = above
  }
  return at
}

function size(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

/** Throws if the change touched more than our entries: duplicate keys, an unknown shape. */
function checked(config: JsonConfig, before: string, after: string): string {
  const rest = (text: string) => {
    const tree = structuredClone(text.trim() === '' ? (config.fresh ?? {}) : parsed(config, text).tree)
    for (;;) {
      const [place] = placesOf(tree, config.entries)
      if (place === undefined) break
      takeOut(tree, emptied(tree, place.path, place.entry, undefined))
    }
    for (const { path } of config.entries)
      for (let end = path.length; end > 0; end--) if (size(valueAt(tree, path.slice(0, end))) === 0) takeOut(tree, path.slice(0, end))
    return JSON.stringify(tree)
  }
  if (rest(before) !== rest(after)) throw moreThanOurs(config)
  return after
}

function moreThanOurs(config: JsonConfig): MnemonicError {
  return new MnemonicError('CONFIG_INVALID', `${config.path} cannot be changed without changing more than Mnemonic's own entries`, {
    details: { file: config.path },
    hint: `Look for a key that stands twice in it. Nothing was changed.${config.hint === undefined ? '' : ` ${config.hint}`}`,
  })
}

function takeOut(tree: unknown, path: JsonPath): void {
  const holder = valueAt(tree, path.slice(0, -1))
  const key = path.at(-1)
  if (Array.isArray(holder)) holder.splice(key as number, 1)
  else if (typeof holder === 'object' && holder !== null) delete (holder as Record<string, unknown>)[key as string]
}

function parsed(config: JsonConfig, text: string): { tree: unknown; root: Node } {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  const error = errors[0]
  if (error !== undefined || root === undefined) throw invalid(config, text, error)
  if (root.type !== 'object') throw misshapen(config, text, root, [], 'an object')
  return { tree: plainValue(root), root }
}

/** Like JSON.parse: of duplicate keys the last counts. */
function plainValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plainValue)
  if (node.type !== 'object') return node.value
  const value: Record<string, unknown> = Object.create(null)
  for (const { children: [key, inner] = [] } of node.children ?? [])
    if (key !== undefined && inner !== undefined) value[key.value] = plainValue(inner)
  return value
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

function invalid(config: JsonConfig, text: string, error: ParseError | undefined): MnemonicError {
  const line = lineAt(text, error?.offset ?? 0)
  const reason = error === undefined ? 'it is empty' : printParseErrorCode(error.error)
  return new MnemonicError('CONFIG_INVALID', `${config.path}, line ${line}: not valid JSON (${reason})`, {
    details: { file: config.path, line },
    hint: `Correct that line, then run it again. Nothing was changed.${config.hint === undefined ? '' : ` ${config.hint}`}`,
  })
}

function misshapen(config: JsonConfig, text: string, root: Node | undefined, path: JsonPath, wanted: string): MnemonicError {
  const line = lineAt(text, nodeAt(root, path)?.offset ?? 0)
  const where = path.length === 0 ? 'the file' : path.join('.')
  return new MnemonicError('CONFIG_INVALID', `${config.path}, line ${line}: ${where} is not ${wanted}`, {
    details: { file: config.path, line, key: path.join('.') },
    hint: 'Correct that, then run it again. Nothing was changed.',
  })
}

function taken(config: JsonConfig, text: string, root: Node | undefined, path: JsonPath): MnemonicError {
  const line = lineAt(text, nodeAt(root, path)?.offset ?? 0)
  return new MnemonicError('CONFIG_INVALID', `${config.path}, line ${line}: ${path.join('.')} is there and is not Mnemonic's`, {
    details: { file: config.path, line, key: path.join('.') },
    hint: 'Give that entry another name, or remove it, then run it again. Nothing was changed.',
  })
}
