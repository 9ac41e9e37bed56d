import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { AgentRecord, MessageRecord } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'
import { bubbleMessage } from './bubble.ts'
import type { BubbleList, ListedBubble } from './bubble-list.ts'
import type { BubbleRows } from './composer-rows.ts'
import { type Family, sessionRecord, titleRecord } from './composer-session.ts'
import type { Folder } from './folder-uri.ts'
import { textNames } from './names.ts'
import { rowFields, rowText } from './row-value.ts'

export interface Composer {
  readonly session: string
  readonly composer: Fields
  readonly list: BubbleList
  readonly folder: Folder | undefined
  readonly family: Family
  readonly stored: BubbleRows | undefined
  readonly row: number
  readonly addTexts: (names: readonly string[]) => void
}

/** Returns the bytes read. */
export function* composerItems(of: Composer): Generator<ReadItem, number, undefined> {
  const { session, composer, list } = of
  if (list.missing.length > 0 || list.repeated > 0) yield { type: 'warning', message: trouble(of) }
  if (list.bubbles.length === 0) return 0
  const opening = sessionRecord(of)
  yield record(opening)
  const title = titleRecord(session, composer.name)
  if (title !== undefined) yield record(title)
  const state: State = { before: parseTimestamp(composer.createdAt), last: undefined, alias: textNames(session), bytes: 0 }
  const summary = summaryOf(composer)
  let summarized = false
  for (const bubble of list.bubbles) {
    yield* bubbleItems(bubble, of, state)
    if (summary === undefined || summarized || bubble.id !== summary.after) continue
    summarized = true
    const message = summaryMessage(of, summary, state)
    state.last = message.id
    yield record(message)
  }
  if (summary !== undefined && !summarized) yield record(summaryMessage(of, summary, state))
  // The composer names the selected model; the last answer names the one used.
  if (state.model !== undefined && opening.model !== undefined && state.model !== opening.model) {
    yield record({ type: 'session', session, firstHash: opening.firstHash, model: state.model })
  }
  // The user may have gone back, so the list's last bubble is the head.
  if (state.last !== undefined) yield record({ type: 'head', session, recordId: state.last })
  return state.bytes
}

interface State {
  before: number | undefined
  last: string | undefined
  model?: string
  readonly alias: (role: string, text: string) => string
  bytes: number
}

function record(value: AgentRecord): ReadItem {
  return { type: 'record', record: value }
}

function trouble({ session, list }: Composer): string {
  const missing = list.missing.length > 0 ? `${list.missing.length} bubbles that are not there` : undefined
  const repeated = list.repeated > 0 ? `${list.repeated} bubbles twice` : undefined
  return `composer ${session} lists ${[missing, repeated].filter((part) => part !== undefined).join(', and ')}`
}

function* bubbleItems(listed: ListedBubble, of: Composer, state: State): Generator<ReadItem, void, undefined> {
  const { session, stored, family, row } = of
  const { id, header } = listed
  const value = listed.inline === undefined ? stored?.value(id) : undefined
  const fields = listed.inline ?? rowFields(value)
  state.bytes += rowText(value)?.length ?? 0
  if (fields === undefined) {
    if (value === null || value === undefined) yield { type: 'warning', message: `bubble ${id} of composer ${session} is empty` }
    else yield { type: 'bad_line', line: row, reason: `bubble ${id} of composer ${session} is not JSON` }
    return
  }
  const prompt = fields.type === 1 || header?.type === 1
  const request = prompt ? stored?.request(id) : undefined
  const at = { session, id, parent: state.last, subagent: family.subagent, header, request, before: state.before, alias: state.alias }
  const message = bubbleMessage(fields, at)
  if (message === undefined) {
    yield { type: 'unknown', name: `bubble type ${JSON.stringify(fields.type ?? null)}` }
    return
  }
  of.addTexts(message.aliases ?? [])
  state.last = id
  state.before = message.timestamp ?? state.before
  if (message.role === 'assistant' && message.model !== undefined) state.model = message.model
  yield record(message)
}

interface Summary {
  readonly text: string
  readonly after: string | undefined
  readonly metadata: Fields
}

function summaryOf(composer: Fields): Summary | undefined {
  const latest = composer.latestConversationSummary
  const outer = fieldsOf(latest)
  const inner = fieldsOf(outer?.summary)
  const text = textOf(latest) ?? textOf(outer?.summary) ?? textOf(inner?.summary) ?? textOf(inner?.text)
  if (text === undefined) return undefined
  const { summary: _, text: __, ...metadata } = { ...outer, ...inner }
  const after = ['truncationLastBubbleIdInclusive', 'lastBubbleId', 'lastIncludedBubbleId'].map((key) => textOf(metadata[key]))
  return { text, after: after.find((name) => name !== undefined), metadata }
}

function summaryMessage({ session }: Composer, { text, metadata }: Summary, state: State): MessageRecord & { id: string } {
  return given({
    type: 'message' as const,
    session,
    id: `summary-${shortHash(16, session, text)}`,
    hash: shortHash(16, 'summary', text),
    parent: state.last,
    role: 'system' as const,
    kind: 'summary' as const,
    text,
    timestamp: state.before,
    trust: 'agent' as const,
    compaction: { metadata },
  })
}
