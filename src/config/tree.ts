/** Unvalidated nested mappings. No key is special, not even `__proto__`. */

export type Tree = { [key: string]: unknown }
export type KeyPath = readonly (string | number)[]

export function isMapping(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function emptyTree(): Tree {
  return Object.create(null) as Tree
}

/** Merges mappings key by key and replaces everything else. Undefined in `over` keeps the value of `under`. */
export function merge(under: Tree, over: Tree): Tree {
  const merged = emptyTree()
  for (const key of Object.keys(under)) merged[key] = under[key]
  for (const key of Object.keys(over)) {
    const [below, above] = [merged[key], over[key]]
    if (isMapping(above)) merged[key] = merge(isMapping(below) ? below : emptyTree(), above)
    else if (above !== undefined || !Object.hasOwn(merged, key)) merged[key] = above
  }
  return merged
}

export function fromDotted(flat: Readonly<Record<string, unknown>>): Tree {
  let tree = emptyTree()
  for (const [key, value] of Object.entries(flat)) {
    const nested = key.split('.').reduceRight<unknown>((inner, segment) => Object.assign(emptyTree(), { [segment]: inner }), value)
    tree = merge(tree, nested as Tree)
  }
  return tree
}

export function hasPath(tree: Tree, path: KeyPath): boolean {
  let node: unknown = tree
  for (const key of path) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return false
    node = (node as Tree)[key]
  }
  return node !== undefined
}

export function valueAt(tree: Tree, path: KeyPath): unknown {
  let node: unknown = tree
  for (const key of path) node = typeof node === 'object' && node !== null ? (node as Tree)[key] : undefined
  return node
}

export function* strings(node: unknown, path: KeyPath = []): Generator<{ path: KeyPath; value: string }> {
  if (typeof node === 'string') yield { path, value: node }
  else if (Array.isArray(node)) for (const [index, item] of node.entries()) yield* strings(item, [...path, index])
  else if (isMapping(node)) for (const key of Object.keys(node)) yield* strings(node[key], [...path, key])
}
