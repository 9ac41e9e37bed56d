/** A session that was there before, told by a unit from its first message to its last: the order in which its messages come. Pure. */

export interface Telling {
  /** The unit told this session before: what it does not tell now was left behind. */
  readonly again: boolean
  /** No other unit tells it. */
  readonly alone: boolean
  /** The sequence of the first message that this telling added. */
  readonly from: number
  /** In order; also those of other sessions, which a fork begins with. */
  readonly ids: string[]
  readonly known: Set<string>
  /** Told, and gone back from. */
  readonly off: Set<string>
  /** Each message follows the one told before it. A tree has its own parents, and is left to them. */
  straight: boolean
  /** The source said that the conversation stands here, and told nothing since. */
  stands: boolean
  /** The ordinals of messages without a name that no line was found for yet, by the hash of role and text. */
  ordinals: Map<string, number[]> | undefined
  /** Messages without a name that this telling adds. */
  readonly taken: Set<string>
}

export function beginTelling(about: Pick<Telling, 'again' | 'alone' | 'from'>): Telling {
  return { ...about, ids: [], known: new Set(), off: new Set(), straight: true, stands: false, ordinals: undefined, taken: new Set() }
}

/** `parent`: the message that it says it follows. */
export function tell(telling: Telling, id: string, parent: string | undefined): void {
  const { ids, known } = telling
  if (known.has(id)) return // a further part of a message, or the same line again
  if (parent !== undefined && parent !== ids.at(-1)) telling.straight = false
  ids.push(id)
  known.add(id)
  telling.off.delete(id)
  telling.stands = false
}

/** The source went back to `id`: what it told behind it is off the way. */
export function tellHead(telling: Telling, id: string | undefined): void {
  const { ids, known, off } = telling
  if (id !== undefined && !known.has(id)) {
    telling.straight = false
    return
  }
  for (const gone of ids.splice(id === undefined ? 0 : ids.lastIndexOf(id) + 1)) {
    known.delete(gone)
    off.add(gone)
  }
  telling.stands = true
}

/**
 * The messages that are current after a telling. `before`: those that were, in order.
 *
 * A unit that told the session before, alone, is the session: its order holds, and only an end that is missing is kept, since a source that
 * shrinks takes nothing away. Where others tell the session too, a new text takes the place of the old one, and what is not told stays.
 */
export function currentOrder(telling: Telling, before: readonly string[]): readonly string[] {
  const { ids, again, alone, stands } = telling
  if (again && alone) return !stands && ids.every((id, i) => before[i] === id) ? before : ids
  const old = new Set(before)
  if (ids.every((id) => old.has(id))) return before
  return merged(ids, before, again)
}

/** `oneForOne`: a new message replaces one old message; else all that stand between its neighbours. */
function merged(told: readonly string[], before: readonly string[], oneForOne: boolean): string[] {
  const runs = runsBehind(before, new Set(told))
  const old = new Set(before)
  const first = told.findIndex((id) => old.has(id))
  if (first === -1) return [...before, ...told]
  const lead = runs.get('') ?? []
  const order = [...lead.slice(0, Math.max(0, lead.length - first)), ...told.slice(0, first)]
  for (let at = first; at < told.length; ) {
    const anchor = told[at] as string
    let next = at + 1
    while (next < told.length && !old.has(told[next] as string)) next++
    const fresh = told.slice(at + 1, next)
    const left = runs.get(anchor) ?? []
    order.push(anchor, ...fresh, ...(fresh.length === 0 ? left : oneForOne ? left.slice(fresh.length) : []))
    at = next
  }
  return order
}

/** What stands behind each told message until the next told one, and, under an empty name, before the first. */
function runsBehind(before: readonly string[], told: ReadonlySet<string>): Map<string, string[]> {
  const runs = new Map<string, string[]>()
  let run: string[] = []
  runs.set('', run)
  for (const id of before) {
    if (told.has(id)) {
      run = []
      runs.set(id, run)
    } else run.push(id)
  }
  return runs
}
