/** A unit that contains a whole, partly stored session. Tracks message order and decides which messages are current. Pure. */

export interface Snapshot {
  /** The unit contained this session before, so missing messages were abandoned. */
  readonly isOwn: boolean
  readonly isOnly: boolean
  readonly from: number
  /** Ordered; includes other sessions' messages at the start of a fork. */
  readonly ids: string[]
  readonly known: Set<string>
  readonly leftBehind: Set<string>
  /** Each message follows the previous one. A tree keeps its own parents. */
  isLinear: boolean
  /** The source moved the head, and no message followed. */
  endsAtHead: boolean
  /** Unmatched ordinals of stored unnamed messages, by hash of role and text. */
  ordinals: Map<string, number[]> | undefined
  readonly added: Set<string>
}

export function newSnapshot(about: Pick<Snapshot, 'isOwn' | 'isOnly' | 'from'>): Snapshot {
  const order = { ids: [], known: new Set<string>(), leftBehind: new Set<string>(), isLinear: true, endsAtHead: false }
  return { ...about, ...order, ordinals: undefined, added: new Set() }
}

export function noteInSnapshot(snapshot: Snapshot, id: string, parent: string | undefined): void {
  const { ids, known } = snapshot
  if (known.has(id)) return
  if (parent !== undefined && parent !== ids.at(-1)) snapshot.isLinear = false
  ids.push(id)
  known.add(id)
  snapshot.leftBehind.delete(id)
  snapshot.endsAtHead = false
}

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
 * `before`: previously current messages, in order. If only this unit contains the session, its order wins. A missing end is kept, because a
 * shrinking source deletes nothing. Otherwise new messages replace old ones, and unmentioned messages stay.
 */
export function currentOrder(snapshot: Snapshot, before: readonly string[]): readonly string[] {
  const { ids, isOwn, isOnly, endsAtHead } = snapshot
  if (isOwn && isOnly) return !endsAtHead && ids.every((id, i) => before[i] === id) ? before : ids
  const old = new Set(before)
  if (ids.every((id) => old.has(id))) return before
  return merged(ids, before, isOwn)
}

/** `oneForOne`: replace one old message, else all between the neighbours. */
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

/** Old messages after each snapshot message; key '' holds those before the first. */
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
