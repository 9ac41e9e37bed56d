import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { AgentRecord, ToolCallPart } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'
import { openingItems, type TreeNode, treeOrder } from '../export-archive/conversation-tree.ts'
import { type Fields, fieldsOf, filled, filledBut, textOf } from '../fields.ts'
import { readMessage } from './message.ts'

interface Node extends TreeNode {
  readonly message: Fields | undefined
}

/** The service's title for an untitled conversation. */
const NO_TITLE = 'New chat'

export function convertConversation(conversation: Fields): readonly ReadItem[] | undefined {
  const mapping = fieldsOf(conversation.mapping)
  if (mapping === undefined) return undefined
  const nodes = new Map(Object.entries(mapping).map(([id, value]) => [id, nodeOf(id, fieldsOf(value) ?? {})]))
  const current = textOf(conversation.current_node) ?? ''
  const head = nodes.has(current) ? current : latestLeaf(treeOrder(nodes))?.id
  const order = treeOrder(nodes, { head, isAnswer: ({ message }) => fieldsOf(message?.author)?.role !== 'user' })
  const session = textOf(conversation.conversation_id) ?? textOf(conversation.id) ?? nameless(conversation, order)
  const items: ReadItem[] = []
  const push = (record: AgentRecord) => void items.push({ type: 'record', record })
  const names = new Map<string, string | undefined>()
  const calls = openCalls()
  let count = 0
  for (const { id, parent, message } of order) {
    const above = parent === undefined ? undefined : names.get(parent)
    names.set(id, above)
    calls.follow(id, parent)
    if (message === undefined) continue
    const { said, unknown } = readMessage(message, textOf(message.id) ?? id, (tool) => calls.answer(id, tool))
    for (const name of unknown) items.push({ type: 'unknown', name })
    if (said === undefined) continue
    for (const call of said.toolCalls ?? []) calls.open(id, call)
    // A second root: otherwise it would follow the previous message in the list.
    if (above === undefined && count > 0) push({ type: 'head', session })
    push({ type: 'message', session, ...said, ...given({ parent: above }) })
    names.set(id, said.id)
    count += 1
  }
  if (count === 0) return items
  const stands = names.get(head ?? '') ?? names.get(latestLeaf(order)?.id ?? '')
  if (stands !== undefined) push({ type: 'head', session, recordId: stands })
  return [...opening(conversation, session), ...items]
}

function nodeOf(id: string, fields: Fields): Node {
  const children = Array.isArray(fields.children) ? (fields.children as unknown[]).filter((child) => typeof child === 'string') : []
  return { id, parent: textOf(fields.parent), children, message: fieldsOf(fields.message) }
}

/** Stable across exports. */
function nameless({ create_time }: Fields, order: readonly Node[]): string {
  return `unnamed-${shortHash(16, String(create_time), '\n', order.find((node) => node.message !== undefined)?.id ?? '')}`
}

const FLAGS = ['is_archived', 'is_starred', 'is_do_not_remember', 'is_study_mode']
const HEADER_BUT: ReadonlySet<string> = new Set(['mapping'])

function opening(conversation: Fields, session: string): ReadItem[] {
  const { gizmo_id, gizmo_type, conversation_template_id, conversation_origin, memory_scope, voice } = conversation
  const facts = { gizmo_id, gizmo_type, conversation_template_id, conversation_origin, memory_scope, voice }
  const flags = Object.fromEntries(FLAGS.filter((flag) => conversation[flag] === true).map((flag) => [flag, true]))
  const context = filled({ ...facts, ...flags })
  const model = textOf(conversation.default_model_slug)
  const title = textOf(conversation.title)
  const changedAt = parseTimestamp(conversation.update_time)
  const raw = filledBut(conversation, HEADER_BUT) ?? {}
  return openingItems({ session, model, title: title === NO_TITLE ? undefined : title, changedAt, context, raw })
}

/** Fallback head: the newest leaf; on ties the deepest, then the last. */
function latestLeaf(order: readonly Node[]): Node | undefined {
  const followed = new Set(order.flatMap(({ parent }) => parent ?? []))
  const depths = new Map<string, number>()
  let best: { node: Node; time: number; depth: number } | undefined
  for (const node of order) {
    const depth = (node.parent === undefined ? 0 : (depths.get(node.parent) ?? 0)) + 1
    depths.set(node.id, depth)
    if (followed.has(node.id)) continue
    const time = typeof node.message?.create_time === 'number' ? node.message.create_time : 0
    if (best === undefined || time > best.time || (time === best.time && depth >= best.depth)) best = { node, time, depth }
  }
  return best?.node
}

interface Open {
  readonly id: string
  readonly name: string
  readonly before: Open | undefined
  answered: boolean
}

interface OpenCalls {
  follow(node: string, parent: string | undefined): void
  open(node: string, call: ToolCallPart): void
  answer(node: string, tool: string | undefined): string | undefined
}

/** The export links no results: a result answers the nearest open call above it with that tool name. */
function openCalls(): OpenCalls {
  const above = new Map<string, Open | undefined>()
  return {
    follow: (node, parent) => void above.set(node, parent === undefined ? undefined : above.get(parent)),
    open: (node, { id, name }) => void above.set(node, { id, name, before: above.get(node), answered: false }),
    answer(node, tool) {
      const nearest = find(above.get(node), (call) => isOf(call.name, tool)) ?? find(above.get(node), () => tool === undefined)
      if (nearest === undefined) return undefined
      nearest.answered = true
      return nearest.id
    },
  }
}

const REACH = 50

function find(from: Open | undefined, fits: (call: Open) => boolean): Open | undefined {
  let call = from
  for (let i = 0; call !== undefined && i < REACH; i++, call = call.before) if (!call.answered && fits(call)) return call
  return undefined
}

/** `web` answers `web.run`; `dalle.text2im` answers itself. */
function isOf(called: string, tool: string | undefined): boolean {
  if (tool === undefined) return false
  return called === tool || called.split('.')[0] === tool.split('.')[0]
}
