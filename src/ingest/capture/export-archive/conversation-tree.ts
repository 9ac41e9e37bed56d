/** What all conversations of an export have in common: a tree of messages, put in order, and the records with which it begins. */
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { type AgentRecord, TITLE_RANK } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'

export interface TreeNode {
  readonly id: string
  readonly parent: string | undefined
  /** The nodes that follow it, as the source lists them; some sources leave the list out or empty. */
  readonly children?: readonly string[]
}

/** The head of the conversation, and which nodes are no prompts. */
export interface Current<Node extends TreeNode> {
  readonly head?: string | undefined
  readonly isAnswer?: (node: Node) => boolean
}

/** All nodes, once each. A node whose parent is missing, or in a cycle with it, begins a tree of its own. */
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
    const position = new Map(listed.map((id, i) => [id, i]))
    const positionOf = (node: Node) => (isCurrent(node) ? listed.length + 1 : (position.get(node.id) ?? listed.length))
    siblings.sort((a, b) => positionOf(a) - positionOf(b))
  }
  return children
}

/** The head and everything above it. */
function pathTo(nodes: ReadonlyMap<string, TreeNode>, head: string | undefined): Set<string> {
  const path = new Set<string>()
  for (let id = head; id !== undefined && !path.has(id); id = nodes.get(id)?.parent) path.add(id)
  return path
}

export interface Opening {
  readonly session: string
  readonly model: string | undefined
  readonly title: string | undefined
  /** When the service last changed it: of two exports the newer one has the head. */
  readonly changedAt: number | undefined
  readonly context: Readonly<Record<string, unknown>> | undefined
  readonly raw: unknown
}

/** What is known of the conversation, and its title. */
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
