/** A composer's own list decides the order; unlisted rows were deleted or replaced. */
import { type Fields, fieldsOf, textOf } from '../fields.ts'
import type { BubbleRows } from './composer-rows.ts'
import { listOf, rowFields } from './row-value.ts'

export interface ListedBubble {
  readonly id: string
  readonly header: Fields | undefined
  readonly inline: Fields | undefined
}

export interface BubbleList {
  readonly bubbles: readonly ListedBubble[]
  readonly missing: readonly string[]
  readonly repeated: number
  readonly orphans: number
}

/** `stored` is absent in a workspace's old list. */
export function bubbleList(composer: Fields, session: string, stored?: BubbleRows): BubbleList {
  const headers = listOf(composer.fullConversationHeadersOnly).filter((header) => fieldsOf(header) !== undefined) as Fields[]
  if (headers.length === 0) return inlineList(composer, session, stored)
  const rows = stored?.names ?? new Set<string>()
  const map = fieldsOf(composer.conversationMap) ?? {}
  const unnamed = new Set(rows)
  for (const header of headers) unnamed.delete(String(header.bubbleId ?? ''))
  const lost = headers.some((header) => !rows.has(nameOf(header)) && map[nameOf(header)] === undefined)
  const byOwnName = lost && stored !== undefined ? ownNames(stored, unnamed) : new Map<string, string>()
  const bubbles: ListedBubble[] = []
  const missing: string[] = []
  const taken = new Set<string>()
  let repeated = 0
  for (const header of headers) {
    const name = nameOf(header)
    const id = rows.has(name) ? name : (byOwnName.get(name) ?? name)
    const inline = rows.has(id) ? undefined : fieldsOf(map[name])
    if (taken.has(id)) repeated += 1
    else if (rows.has(id) || inline !== undefined) bubbles.push({ id, header, inline })
    else missing.push(name)
    taken.add(id)
  }
  return { bubbles, missing, repeated, orphans: [...unnamed].filter((id) => !taken.has(id)).length }
}

function nameOf(header: Fields): string {
  return textOf(header.bubbleId) ?? ''
}

/** Until early 2025, composers store their bubbles inline. */
function inlineList(composer: Fields, session: string, stored: BubbleRows | undefined): BubbleList {
  const all = listOf(composer.conversation).map(fieldsOf)
  const bubbles: ListedBubble[] = []
  const taken = new Set<string>()
  let repeated = 0
  for (const [n, inline] of all.entries()) {
    if (inline === undefined) continue
    const id = textOf(inline.bubbleId) ?? `${session}#${n}`
    if (taken.has(id)) repeated += 1
    else bubbles.push({ id, header: undefined, inline })
    taken.add(id)
  }
  const orphans = [...(stored?.names ?? [])].filter((id) => !taken.has(id)).length
  return { bubbles, missing: [], repeated, orphans }
}

/** Some row keys differ from the id in the row. */
function ownNames(stored: BubbleRows, keys: ReadonlySet<string>): Map<string, string> {
  const names = new Map<string, string>()
  for (const key of keys) {
    const fields = rowFields(stored.value(key))
    const own = fields?.bubbleId
    if (typeof own === 'string' && !names.has(own)) names.set(own, key)
  }
  return names
}
