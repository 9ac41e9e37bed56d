import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { type AgentRecord, TITLE_RANK } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'

export interface TreeNode {
  readonly id: string
  readonly parent: string | undefined
  /** In source order; some sources omit it. */
  readonly children?: readonly string[]
}

export interface Current<Node extends TreeNode> {
  readonly head?: string | undefined
  readonly isAnswer?: (node: Node) => boolean
}

/** Each node once. A node with a missing or cyclic parent becomes a root. */
export function treeOrder<Node extends TreeNode>(nodes: ReadonlyMap<string, Node>, { head, isAnswer }: Current<Node> = {}): Node[] {
  const path = pathTo(nodes, head)
  const children = childrenOf(nodes, (node) => path.has(node.id) && isAnswer?.(node) === true)
  const ordered: Node[] = []
  const seen = new Set<string>()
  function walk(root: Node): void {
    // Iterative: a conversation may exceed the stack.
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
    const position = new Map(listed.map((id, i) => [id, i]))
    const positionOf = (node: Node) => (isCurrent(node) ? listed.length + 1 : (position.get(node.id) ?? listed.length))
    siblings.sort((a, b) => positionOf(a) - positionOf(b))
  }
  return children
}

function pathTo(nodes: ReadonlyMap<string, TreeNode>, head: string | undefined): Set<string> {
  const path = new Set<string>()
  for (let id = head; id !== undefined && !path.has(id); id = nodes.get(id)?.parent) path.add(id)
  return path
}

export interface Opening {
  readonly session: string
  readonly model: string | undefined
  readonly title: string | undefined
  /** The newer export decides the head. */
  readonly changedAt: number | undefined
  readonly context: Readonly<Record<string, unknown>> | undefined
  readonly raw: unknown
}

export function openingItems({ session, model, title, changedAt, context, raw }: Opening): ReadItem[] {
  const record: AgentRecord = {
    type: 'session',
    session,
    firstHash: shortHash(16, session),
    ...given({ model, changedAt, context }),
    raw,
  }
  const items: ReadItem[] = [{ type: 'record', record }]
  if (title === undefined) return items
  return [...items, { type: 'record', record: { type: 'title', session, title, rank: TITLE_RANK.generated } }]
}
