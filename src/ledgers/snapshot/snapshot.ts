/**
 * A snapshot: a unit that holds a whole session, from its first message to its last, of which something is stored already. Notes the order in
 * which the messages come, and works out which of them are current. Pure.
 */

export interface Snapshot {
  /** The unit held this session before: what it does not hold any more was left behind. */
  readonly isOwn: boolean
  /** No other unit holds the session. */
  readonly isOnly: boolean
  /** The sequence of the first message that this snapshot added. */
  readonly from: number
  /** In order, with those of other sessions, which a fork begins with. */
  readonly ids: string[]
  readonly known: Set<string>
  /** Messages of the unit from which the conversation went back. */
  readonly leftBehind: Set<string>
  /** Each message follows the one before it. A tree has its own parents, and keeps them. */
  isLinear: boolean
  /** The source moved the head, and no message came since. */
  endsAtHead: boolean
  /** Ordinals of stored messages without a name that no line was matched with yet, by the hash of role and text. */
  ordinals: Map<string, number[]> | undefined
  /** Ids of messages without a name that this snapshot adds. */
  readonly added: Set<string>
}

export function newSnapshot(about: Pick<Snapshot, 'isOwn' | 'isOnly' | 'from'>): Snapshot {
  const order = { ids: [], known: new Set<string>(), leftBehind: new Set<string>(), isLinear: true, endsAtHead: false }
  return { ...about, ...order, ordinals: undefined, added: new Set() }
}

/** `parent`: the message that it follows according to the source. */
export function noteInSnapshot(snapshot: Snapshot, id: string, parent: string | undefined): void {
  const { ids, known } = snapshot
  if (known.has(id)) return // a further part of a message, or the same line again
  if (parent !== undefined && parent !== ids.at(-1)) snapshot.isLinear = false
  ids.push(id)
  known.add(id)
  snapshot.leftBehind.delete(id)
  snapshot.endsAtHead = false
}

/** The source went back to `id`: the messages after it are left behind. */
export function noteHeadInSnapshot(snapshot: Snapshot, id: string | undefined): void {
  const { ids, known, leftBehind } = snapshot
  if (id !== undefined && !known.has(id)) {
    snapshot.isLinear = false
    return
  }
  for (const one of ids.splice(id === undefined ? 0 : ids.lastIndexOf(id) + 1)) {
    known.delete(one)
    leftBehind.add(one)
  }
  snapshot.endsAtHead = true
}

/**
 * The messages that are current after a snapshot. `before`: those that were current, in order.
 *
 * Where only this unit holds the session, and held it before, its order counts; only messages that are missing at its end are kept, since a
 * source that shrinks takes nothing away. Where other units hold the session too, a new message replaces an old one, and messages that the
 * snapshot does not contain stay.
 */
export function currentOrder(snapshot: Snapshot, before: readonly string[]): readonly string[] {
  const { ids, isOwn, isOnly, endsAtHead } = snapshot
  if (isOwn && isOnly) return !endsAtHead && ids.every((id, i) => before[i] === id) ? before : ids
  const old = new Set(before)
  if (ids.every((id) => old.has(id))) return before
  return merged(ids, before, isOwn)
}

/** `oneForOne`: a new message replaces one old message; otherwise all old messages between its neighbours. */
function merged(ids: readonly string[], before: readonly string[], oneForOne: boolean): string[] {
  const runs = runsAfter(before, new Set(ids))
  const old = new Set(before)
  const first = ids.findIndex((id) => old.has(id))
  if (first === -1) return [...before, ...ids]
  const lead = runs.get('') ?? []
  const order = [...lead.slice(0, Math.max(0, lead.length - first)), ...ids.slice(0, first)]
  for (let at = first; at < ids.length; ) {
    const anchor = ids[at] as string
    let next = at + 1
    while (next < ids.length && !old.has(ids[next] as string)) next++
    const fresh = ids.slice(at + 1, next)
    const run = runs.get(anchor) ?? []
    order.push(anchor, ...fresh, ...(fresh.length === 0 ? run : oneForOne ? run.slice(fresh.length) : []))
    at = next
  }
  return order
}

/** The old messages after each message of the snapshot until the next one, and, under an empty name, before the first. */
function runsAfter(before: readonly string[], inSnapshot: ReadonlySet<string>): Map<string, string[]> {
  const runs = new Map<string, string[]>()
  let run: string[] = []
  runs.set('', run)
  for (const id of before) {
    if (inSnapshot.has(id)) {
      run = []
      runs.set(id, run)
    } else run.push(id)
  }
  return runs
}
