/**
 * The order of a tree of messages: each after the one it follows, branches in the order they began; of several answers to one prompt the
 * one on the way to the head last, for the last one told is the answer. Pure; times play no part.
 */

export interface TreeNode {
  readonly id: string
  readonly parent: string | undefined
  /** The nodes that follow it, as the source lists them; some sources leave the list out or empty. */
  readonly children?: readonly string[]
}

/** Where the conversation stands, and which nodes are no prompts. */
export interface Current<Node extends TreeNode> {
  readonly head?: string | undefined
  readonly isAnswer?: (node: Node) => boolean
}

/** All nodes, once each. A node whose parent is not there, or stands in a circle with it, begins a tree of its own. */
export function treeOrder<Node extends TreeNode>(nodes: ReadonlyMap<string, Node>, { head, isAnswer }: Current<Node> = {}): Node[] {
  const path = pathTo(nodes, head)
  const children = childrenOf(nodes, (node) => path.has(node.id) && isAnswer?.(node) === true)
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
function childrenOf<Node extends TreeNode>(nodes: ReadonlyMap<string, Node>, isCurrent: (node: Node) => boolean): Map<string, Node[]> {
  const children = new Map<string, Node[]>()
  for (const node of nodes.values()) {
    if (node.parent === undefined) continue
    const siblings = children.get(node.parent)
    if (siblings) siblings.push(node)
    else children.set(node.parent, [node])
  }
  for (const [parent, siblings] of children) {
    const listed = nodes.get(parent)?.children ?? []
    if (siblings.length < 2) continue
    const place = new Map(listed.map((id, i) => [id, i]))
    const placeOf = (node: Node) => (isCurrent(node) ? listed.length + 1 : (place.get(node.id) ?? listed.length))
    siblings.sort((a, b) => placeOf(a) - placeOf(b))
  }
  return children
}

/** The head and all that stands above it. */
function pathTo(nodes: ReadonlyMap<string, TreeNode>, head: string | undefined): Set<string> {
  const path = new Set<string>()
  for (let id = head; id !== undefined && !path.has(id); id = nodes.get(id)?.parent) path.add(id)
  return path
}
