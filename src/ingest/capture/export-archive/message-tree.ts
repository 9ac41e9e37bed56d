/** The order of a tree of messages: each after the one it follows, branches in the order they began. Pure; times play no part. */

export interface TreeNode {
  readonly id: string
  readonly parent: string | undefined
  /** The nodes that follow it, as the source lists them; some sources leave the list out or empty. */
  readonly children?: readonly string[]
}

/** All nodes, once each. A node whose parent is not there, or stands in a circle with it, begins a tree of its own. */
export function treeOrder<Node extends TreeNode>(nodes: ReadonlyMap<string, Node>): Node[] {
  const children = childrenOf(nodes)
  const ordered: Node[] = []
  const seen = new Set<string>()
  function walk(root: Node): void {
    // A list and no recursion: a conversation may be deeper than the stack.
    const pending = [root]
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (seen.has(node.id)) continue
      seen.add(node.id)
      ordered.push(node)
      pending.push(...(children.get(node.id) ?? []).toReversed())
    }
  }
  for (const node of nodes.values()) if (node.parent === undefined || !nodes.has(node.parent)) walk(node)
  for (const node of nodes.values()) if (!seen.has(node.id)) walk(node)
  return ordered
}

/** By the parents that nodes name; in the order of the parent's own list where it has one. */
function childrenOf<Node extends TreeNode>(nodes: ReadonlyMap<string, Node>): Map<string, Node[]> {
  const children = new Map<string, Node[]>()
  for (const node of nodes.values()) {
    if (node.parent === undefined) continue
    const siblings = children.get(node.parent)
    if (siblings) siblings.push(node)
    else children.set(node.parent, [node])
  }
  for (const [parent, siblings] of children) {
    const listed = nodes.get(parent)?.children ?? []
    if (siblings.length < 2 || listed.length < 2) continue
    const place = new Map(listed.map((id, i) => [id, i]))
    siblings.sort((a, b) => (place.get(a.id) ?? listed.length) - (place.get(b.id) ?? listed.length))
  }
  return children
}
