import { given } from '../../../core/given.ts'
import { cutMarked, cutMarkedDeep } from '../../../core/marked-text.ts'
import type { EventPerson, OneEventRecord } from '../../../ledgers/event-record.ts'
import { normalHandle } from '../../../ledgers/people/handle.ts'
import type { Attachment } from './attachments.ts'
import type { Conversation, Handle } from './chats.ts'
import { type Edits, readEdits } from './edits.ts'
import { type GroupAction, groupAction } from './group-action.ts'
import type { MessageRow } from './message-row.ts'
import { type MessageText, messageText } from './message-text.ts'
import type { Reactions } from './reactions.ts'
import { timeOf } from './schema.ts'

export const ADAPTER = 'imessage'

export interface MessageContext {
  readonly handles: ReadonlyMap<number, Handle>
  /** The owner's handle from the row, else from the configuration. */
  readonly ownHandle: (raw: string | null) => Handle | undefined
}

export interface MessageParts {
  readonly row: MessageRow & { readonly guid: string }
  readonly conversation: Conversation
  readonly attachments: readonly Attachment[]
  readonly reactions: Reactions | undefined
  readonly fallback: number
}

export interface MessageEvent {
  readonly event: OneEventRecord
  readonly undecoded?: true
}

export function messageEvent(parts: MessageParts, context: MessageContext): MessageEvent | undefined {
  const { row, conversation } = parts
  const sent = row.is_from_me === 1
  const own = context.ownHandle(row.destination_caller_id)
  const sender = sent ? own : senderOf(row, conversation, context.handles)
  const people = peopleOf(conversation, { sent, own, sender })
  const base = {
    ...{ type: 'event' as const, id: `${ADAPTER}:${row.guid}`, sourceId: row.guid, channel: ADAPTER, agentId: 'main' },
    ...{ timestamp: timeOf(row.date) ?? parts.fallback, thread: `${ADAPTER}:${conversation.sourceId}`, people },
    ...{ speaker: sender?.raw ?? null, trust: sent ? ('owner' as const) : ('contact' as const) },
  }
  if ((row.item_type ?? 0) !== 0) {
    const whom = context.handles.get(row.other_handle ?? 0)
    const action = groupAction(row, sent ? 'You' : (sender?.normal ?? 'Somebody'), whom?.normal)
    return action === undefined ? undefined : { event: actionEvent(base, row, action) }
  }
  const edits = row.summary === null ? undefined : readEdits(row.summary)
  const said = messageText(row, parts.attachments, edits)
  return { event: saidEvent(base, { ...parts, sent, said, edits }), ...given({ undecoded: said.undecoded }) }
}

type Base = Omit<OneEventRecord, 'content' | 'contentTypes' | 'direction' | 'metadata' | 'replyTo'>

function actionEvent(base: Base, row: MessageRow, { text, ...action }: GroupAction): OneEventRecord {
  const metadata = cutMarkedDeep(withoutEmpty({ service: row.service, action })) as Record<string, unknown>
  return { ...base, direction: 'observed', contentTypes: ['text'], content: cutMarked(text), metadata }
}

interface Said extends MessageParts {
  readonly sent: boolean
  readonly said: MessageText
  readonly edits: Edits | undefined
}

function saidEvent(base: Base, { row, attachments, reactions, sent, said, edits }: Said): OneEventRecord {
  const unsent = edits !== undefined && edits.unsent.length > 0
  const gone = unsent && (said.content === null || (edits.parts > 0 && edits.unsent.length >= edits.parts))
  const attached = gone ? [] : attachments
  const kinds = attached.map(({ kind }) => (row.is_audio_message === 1 && kind === 'file' ? 'audio' : kind))
  const edited = edits !== undefined && edits.current.size > 0 ? timeOf(row.date_edited) : undefined
  const unsentAt = unsent ? (timeOf(row.date_retracted) ?? timeOf(row.date_edited)) : undefined
  const changed = Math.max(edited ?? 0, unsentAt ?? 0, reactions?.changedAt ?? 0)
  const version = changed === 0 ? undefined : new Date(changed).toISOString()
  const metadata = withoutEmpty({
    service: row.service,
    attachments: attached.map(({ guid: _, ...attachment }) => withoutEmpty(attachment)),
    reactions: reactions?.reactions,
    mentions: gone ? [] : said.mentions.map((mention) => normalHandle(mention)),
    link: gone ? undefined : said.balloon?.link,
    app: gone ? undefined : said.balloon?.app,
    edits: gone ? [] : edits?.earlier,
    edited_at: gone ? undefined : edited,
    unsent: gone ? true : undefined,
    unsent_parts: unsent && !gone ? edits.unsent : [],
    unsent_at: unsentAt,
    version,
    undecoded: said.undecoded,
    undated: timeOf(row.date) === undefined ? true : undefined,
    failed: sent && (row.error ?? 0) !== 0 ? true : undefined,
    scheduled: row.schedule_type === 2 ? true : undefined,
  })
  const reply = row.thread_originator_guid
  return {
    ...base,
    direction: sent ? 'sent' : 'received',
    contentTypes: [...new Set([...(said.hasWords || kinds.length === 0 ? ['text'] : []), ...kinds])],
    content: said.content === null || gone ? null : cutMarked(said.content),
    replyTo: reply ? `${ADAPTER}:${reply}` : null,
    ...given({ version }),
    metadata: cutMarkedDeep(metadata) as Record<string, unknown>,
  }
}

function senderOf(row: MessageRow, { isGroup, participants }: Conversation, handles: ReadonlyMap<number, Handle>): Handle | undefined {
  const known = handles.get(row.handle_id ?? 0)
  const [only] = participants
  return known ?? (isGroup || only === undefined ? undefined : { raw: only, normal: only })
}

function peopleOf(
  { isGroup, participants }: Conversation,
  { sent, own, sender }: { sent: boolean; own: Handle | undefined; sender: Handle | undefined },
): EventPerson[] {
  const others = sent || own === undefined ? participants : [own.normal, ...participants]
  const from = sender?.normal
  const rest = [...new Set(others)].filter((handle) => handle !== from)
  return [
    ...(from === undefined ? [] : [{ role: 'from' as const, handle: from }]),
    ...rest.map((handle) => ({ role: isGroup ? ('member' as const) : ('to' as const), handle })),
  ]
}

function withoutEmpty(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)),
  )
}
