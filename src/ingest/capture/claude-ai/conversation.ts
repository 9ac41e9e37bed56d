import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { AgentRecord } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'
import { openingItems, type TreeNode, treeOrder } from '../export-archive/conversation-tree.ts'
import { type Fields, fieldsOf, filled, filledBut, isFields, textOf } from '../fields.ts'
import { readMessage } from './message.ts'

interface Node extends TreeNode {
  readonly message: Fields
}

export function convertConversation(conversation: Fields): readonly ReadItem[] | undefined {
  if (!Array.isArray(conversation.chat_messages)) return undefined
  const messages = (conversation.chat_messages as unknown[]).filter(isFields)
  if (messages.length === 0) return []
  const session = textOf(conversation.uuid) ?? textOf(conversation.conversation_id) ?? nameless(conversation, messages)
  const isTree = messages.some((message) => textOf(message.parent_message_uuid) !== undefined)
  const nodes = nodesOf(messages, session)
  const current = textOf(conversation.current_leaf_message_uuid) ?? ''
  const end = nodes.has(current) ? current : isTree ? latestLeaf(treeOrder(nodes)) : undefined
  const order = treeOrder(nodes, { head: end, isAnswer: ({ message }) => message.sender !== 'human' })
  const items: ReadItem[] = opening(conversation, session)
  const push = (record: AgentRecord) => void items.push({ type: 'record', record })
  const names = new Map<string, string>()
  let count = 0
  for (const { id, parent, message } of order) {
    const { said, unknown } = readMessage(message, id)
    for (const name of unknown) items.push({ type: 'unknown', name })
    let above = names.get(parent ?? '')
    // A second root: otherwise it would follow the previous message in the list.
    if (above === undefined && count > 0) push({ type: 'head', session })
    for (const one of said) {
      push({ type: 'message', session, ...one, ...given({ parent: above }) })
      above = one.id
    }
    count += 1
    if (above !== undefined) names.set(id, above)
  }
  const head = isTree ? (names.get(current) ?? names.get(latestLeaf(order))) : undefined
  if (head !== undefined) push({ type: 'head', session, recordId: head })
  return items
}

/** Missing and duplicate names are replaced by positions. A message without a parent follows the previous one. */
function nodesOf(messages: readonly Fields[], session: string): Map<string, Node> {
  const nodes = new Map<string, Node>()
  let before: string | undefined
  for (const [i, message] of messages.entries()) {
    const given = textOf(message.uuid)
    const id = given === undefined || nodes.has(given) ? `${session}#${i}` : given
    nodes.set(id, { id, parent: textOf(message.parent_message_uuid) ?? before, message })
    before = id
  }
  return nodes
}

function nameless({ created_at }: Fields, messages: readonly Fields[]): string {
  return `unnamed-${shortHash(16, String(created_at), '\n', String(messages[0]?.uuid ?? messages[0]?.text))}`
}

const HEADER_BUT: ReadonlySet<string> = new Set(['chat_messages'])

function opening(conversation: Fields, session: string): ReadItem[] {
  const { is_starred, settings, project, project_uuid, platform } = conversation
  const context = filled({
    project: fieldsOf(project)?.name,
    project_uuid,
    platform,
    settings,
    is_starred: is_starred === true || undefined,
  })
  const model = textOf(conversation.model)
  const title = textOf(conversation.name)
  const changedAt = parseTimestamp(conversation.updated_at)
  const raw = filledBut(conversation, HEADER_BUT) ?? {}
  return openingItems({ session, model, title, changedAt, context, raw })
}

/** The export names no head: use the newest leaf, on ties the last. */
function latestLeaf(order: readonly Node[]): string {
  const followed = new Set(order.flatMap(({ parent }) => parent ?? []))
  let best = { id: '', time: -1 }
  for (const { id, message } of order) {
    const time = parseTimestamp(message.created_at) ?? 0
    if (!followed.has(id) && time >= best.time) best = { id, time }
  }
  return best.id
}
