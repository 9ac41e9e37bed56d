/** Messages off the path form their own turns. Pure. */
import type { MessageRef } from '../../store/agent-rows.ts'
import { openerOf } from '../add-message.ts'

export interface LinkedMessage {
  readonly id: string
  readonly parent_id: string | null
  readonly opener_id: string
  readonly kind: string
  readonly sequence: number
  readonly status: string | null
}

export interface Link {
  readonly parent_id: string | null
  readonly opener_id: string
  sequence: number
}

/** `rows`: all messages of the session. `order`: the path, including preceding messages of other sessions. */
export function linksFor(rows: readonly LinkedMessage[], order: readonly string[], session: string): Map<string, Link> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const links = new Map<string, Link>()
  let before: MessageRef | undefined
  for (const [i, id] of order.entries()) {
    const row = byId.get(id)
    if (row === undefined) {
      before = undefined // a message of another session: the next one opens a turn
      continue
    }
    const opener = openerOf(row, before, session) ?? { id, kind: row.kind }
    links.set(id, { parent_id: order[i - 1] ?? outside(row, byId), opener_id: opener.id, sequence: row.sequence })
    before = { id, session_id: session, kind: row.kind, opener_id: opener.id, opener_kind: opener.kind }
  }
  const path = new Set(links.keys())
  for (const row of rows) linkLeftBehind(row, { byId, links, path })
  if (!isRising(order, links)) renumber(rows, order, links)
  return links
}

function outside({ parent_id }: LinkedMessage, byId: ReadonlyMap<string, LinkedMessage>): string | null {
  return parent_id !== null && byId.has(parent_id) ? null : parent_id
}

interface At {
  readonly byId: ReadonlyMap<string, LinkedMessage>
  readonly links: Map<string, Link>
  readonly path: ReadonlySet<string>
}

/** Abandoned messages keep their parent. After a path message they open a turn, else they join their parent's. */
function linkLeftBehind(row: LinkedMessage, { byId, links, path }: At): void {
  const chain = new Set<LinkedMessage>()
  for (let at: LinkedMessage | undefined = row; at !== undefined && !links.has(at.id) && !chain.has(at); ) {
    chain.add(at)
    at = at.parent_id === null ? undefined : byId.get(at.parent_id)
  }
  for (const { id, parent_id, opener_id, sequence } of [...chain].reverse()) {
    const parent = parent_id === null || path.has(parent_id) ? undefined : links.get(parent_id)
    links.set(id, { parent_id, opener_id: opener_id === id ? id : (parent?.opener_id ?? id), sequence })
  }
}

function isRising(order: readonly string[], links: ReadonlyMap<string, Link>): boolean {
  let last = -1
  for (const id of order) {
    const sequence = links.get(id)?.sequence
    if (sequence === undefined) continue
    if (sequence <= last) return false
    last = sequence
  }
  return true
}

/** Abandoned messages are numbered after their path message. */
function renumber(rows: readonly LinkedMessage[], order: readonly string[], links: ReadonlyMap<string, Link>): void {
  const path = new Set(order)
  const anchors = new Map<string, string>()
  const anchorOf = (id: string): string => {
    const chain: string[] = []
    let at: string | null | undefined = id
    while (at !== null && at !== undefined && !path.has(at) && !anchors.has(at)) {
      chain.push(at)
      at = links.get(at)?.parent_id
    }
    const anchor = at === null || at === undefined ? '' : (anchors.get(at) ?? at)
    for (const one of chain) anchors.set(one, anchor)
    return anchor
  }
  const left = new Map<string, string[]>()
  for (const { id } of rows) {
    if (path.has(id)) continue
    const group = left.get(anchorOf(id))
    if (group === undefined) left.set(anchorOf(id), [id])
    else group.push(id)
  }
  let sequence = 0
  const number = (id: string) => {
    const link = links.get(id)
    if (link !== undefined) link.sequence = sequence++
  }
  for (const id of left.get('') ?? []) number(id)
  for (const id of order) {
    number(id)
    for (const other of left.get(id) ?? []) number(other)
  }
}
