import type { JsonPath } from './json-text.ts'

export interface KeyEntry {
  readonly kind: 'key'
  readonly path: readonly string[]
  readonly value: Readonly<Record<string, unknown>>
  /** Must recognise our values of every version and path. */
  readonly isOurs: (found: unknown) => boolean
}

export interface HookEntry {
  readonly kind: 'hook'
  readonly path: readonly string[]
  /** Whether the harness wants `{ hooks: [handler] }` around it. */
  readonly grouped: boolean
  /** Tools it is called for; absent: all. */
  readonly matcher?: string
  readonly handler: Readonly<Record<string, unknown>>
  readonly isOurs: (found: unknown) => boolean
}

/** A name in an allowlist, added only if the list exists: without it everything is allowed. */
export interface ListedEntry {
  readonly kind: 'listed'
  readonly path: readonly string[]
  readonly value: string
}

export type JsonEntry = KeyEntry | HookEntry | ListedEntry

export function placesOf(tree: unknown, entries: readonly JsonEntry[]): { entry: JsonEntry; path: JsonPath }[] {
  return entries.flatMap((entry) => placesOfOne(tree, entry).map((path) => ({ entry, path })))
}

function placesOfOne(tree: unknown, entry: JsonEntry): JsonPath[] {
  const found = valueAt(tree, entry.path)
  if (entry.kind === 'key') return found !== undefined && entry.isOurs(found) ? [entry.path] : []
  if (!Array.isArray(found)) return []
  if (entry.kind === 'listed') return found.flatMap((item, i) => (item === entry.value ? [[...entry.path, i]] : []))
  return found.flatMap((item: unknown, i): JsonPath[] => {
    if (!entry.grouped) return entry.isOurs(item) ? [[...entry.path, i]] : []
    const handlers = valueAt(item, ['hooks'])
    if (!Array.isArray(handlers)) return []
    return handlers.flatMap((handler: unknown, j) => (entry.isOurs(handler) ? [[...entry.path, i, 'hooks', j]] : []))
  })
}

export function valueAt(tree: unknown, path: JsonPath): unknown {
  let value = tree
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Object.hasOwn(value, step) ? (value as Record<string | number, unknown>)[step] : undefined
  }
  return value
}
