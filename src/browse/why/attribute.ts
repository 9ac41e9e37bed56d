/**
 * Finds the edit that wrote a line: by text, neighbouring lines and time. An ambiguous or removed line stays unknown: a wrong answer is
 * worse than none.
 */
import { matchLines } from '../../core/diff-lines.ts'
import { type EditHunk, lineKey, UNKNOWN_LINE } from '../../ledgers/deeds/edits.ts'

export interface EditEvent {
  readonly id: string
  readonly session: string
  readonly tree: string
  readonly at: number
  readonly hunks: readonly EditHunk[]
}

export interface FileVersion {
  readonly lines: readonly string[]
}

export interface LineBounds {
  /** Later edits did not write the line; undefined for the working tree. */
  readonly until: number | undefined
  /** History removed the same text then: earlier edits wrote an older copy. */
  readonly since: number | undefined
  /** Time of the previous commit to the file: a short line is not older. */
  readonly previous: number | undefined
  /** Known makers of the line's commit. */
  readonly sessions: ReadonlySet<string>
  readonly trees: ReadonlySet<string>
}

export type UnknownReason = 'ambiguous' | 'replaced' | 'later' | 'trivial'

export type Attribution =
  | { readonly kind: 'edit'; readonly event: EditEvent; readonly hunk: EditHunk; readonly by: 'text' | 'layout' | 'block' }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason; readonly sessions: readonly string[] }
  | { readonly kind: 'none' }

/** Letters and digits that make a line distinctive. */
export const TELLING = 8
/** Letters and digits of neighbours that locate a line. */
const PLACED = 10
const CONTEXT = 12
const MOST_COPIES = 50

interface Side {
  readonly keys: readonly string[]
  readonly isPartial: (at: number) => boolean
}

interface Place {
  readonly event: EditEvent
  readonly hunk: EditHunk
  readonly side: Side
  readonly at: number
  readonly text: string
  /** A whole-file write; the old text is unknown. */
  readonly isMaybe: boolean
}

interface Fit {
  readonly info: number
  readonly above: boolean | undefined
  readonly below: boolean | undefined
}

export class Attributor {
  private readonly exact = new Map<string, Place[]>()
  private readonly byKey = new Map<string, Place[]>()
  private readonly partial: Place[] = []
  private readonly removed = new Map<string, Place[]>()
  private readonly wholes: { readonly event: EditEvent; readonly keys: ReadonlySet<string> }[] = []

  constructor(events: readonly EditEvent[]) {
    for (const event of events) for (const hunk of event.hunks) this.add(event, hunk)
  }

  private add(event: EditEvent, hunk: EditHunk): void {
    const old = hunk.old ?? []
    const match = matchLines(old.map(trimmed), hunk.new.map(trimmed))
    const start = hunk.before.length
    const isPartial = (length: number) => (at: number) => !hunk.isWholeLines && (at === start || at === start + length - 1)
    const newSide: Side = { keys: [...hunk.before, ...hunk.new, ...hunk.after].map(lineKey), isPartial: isPartial(hunk.new.length) }
    const kept = new Set<number>()
    for (const [i, line] of hunk.new.entries()) {
      if ((match[i] as number) >= 0) {
        kept.add(match[i] as number)
        continue
      }
      // At the edge of an edit, an empty part may belong to a line of others.
      if (line.trim() === '' && newSide.isPartial(start + i)) continue
      const place: Place = { event, hunk, side: newSide, at: start + i, text: trimmed(line), isMaybe: hunk.old === undefined }
      push(this.exact, place.text, place)
      push(this.byKey, newSide.keys[place.at] as string, place)
      if (newSide.isPartial(place.at)) this.partial.push(place)
    }
    if (hunk.isWholeLines && hunk.before.length + hunk.after.length === 0 && hunk.new.length > 1 && hunk.old !== undefined)
      this.wholes.push({ event, keys: new Set(newSide.keys) })
    const oldSide: Side = { keys: [...hunk.before, ...old, ...hunk.after].map(lineKey), isPartial: isPartial(old.length) }
    for (const [i, line] of old.entries())
      if (!kept.has(i) && (hunk.isWholeLines || !isSomewhere(line, hunk.new)))
        push(this.removed, lineKey(line), { event, hunk, side: oldSide, at: start + i, text: trimmed(line), isMaybe: false })
  }

  of(version: KeyedVersion, at: number, bounds: LineBounds): Attribution {
    const text = trimmed(version.lines[at] as string)
    const key = version.keys[at] as string
    const isBefore = ({ event }: Place) => event.at <= (bounds.until ?? Infinity)
    const since = info(key) >= TELLING && (version.places.get(key)?.length ?? 0) <= 1 ? bounds.since : undefined
    const earliest = info(key) < TELLING ? bounds.previous : since
    const isIn = (place: Place) => isBefore(place) && place.event.at >= (earliest ?? -Infinity)
    const all: { places: Place[]; by: 'text' | 'layout' } = { places: (this.exact.get(text) ?? []).filter(isIn), by: 'text' }
    const parts = key === '' ? [] : this.partial.filter((place) => place.text !== text && isIn(place) && holdsPart(text, place))
    all.places.push(...parts)
    if (all.places.length === 0) {
      all.places = (this.byKey.get(key) ?? []).filter(isIn)
      all.by = 'layout'
    }
    if (all.places.length === 0) {
      const same = info(key) >= TELLING ? (this.byKey.get(key) ?? []) : []
      return same.length === 0 ? { kind: 'none' } : unknown(same.some(isBefore) ? 'replaced' : 'later', same)
    }
    const placed = all.places.flatMap((place) => {
      const fit = fitAt(place, version.keys, at)
      return this.isPlaced(place, fit, version, at) ? [{ place, fit }] : []
    })
    if (placed.length === 0) return unknown(info(key) < TELLING ? 'trivial' : 'ambiguous', all.places)
    const alive = placed.filter(({ place }) => !this.isTakenOut(place, key, bounds))
    if (alive.length === 0) return unknown('replaced', all.places)
    const chosen = choose(alive, bounds)
    if (chosen === undefined)
      return unknown(
        'ambiguous',
        alive.map(({ place }) => place),
      )
    return { kind: 'edit', event: chosen.event, hunk: chosen.hunk, by: all.by }
  }

  private isPlaced(place: Place, fit: Fit, version: KeyedVersion, at: number): boolean {
    const key = version.keys[at] as string
    const own = info(place.side.keys[place.at] as string)
    const copies = version.places.get(key) ?? []
    const isNear = fit.above === true || fit.below === true
    if (own < TELLING) return isNear && fit.info >= PLACED && bestElsewhere(place, version, copies, at) <= fit.info
    if (copies.length <= 1)
      return !(place.side.isPartial(place.at) && place.text !== trimmed(version.lines[at] as string)) || isNear || own >= 2 * TELLING
    return isNear && fit.info >= PLACED && bestElsewhere(place, version, copies, at) <= fit.info
  }

  /** A later edit in the same working tree removed the line there. */
  private isTakenOut(place: Place, key: string, { until }: LineBounds): boolean {
    const isLater = (event: EditEvent) => event.tree === place.event.tree && event.at > place.event.at && event.at <= (until ?? Infinity)
    if (this.wholes.some(({ event, keys }) => isLater(event) && !keys.has(key))) return true
    const wanted = place.side.keys[place.at] as string
    return (this.removed.get(wanted) ?? []).some((gone) => isLater(gone.event) && isSamePlace(place, gone))
  }
}

export class KeyedVersion implements FileVersion {
  readonly lines: readonly string[]
  readonly keys: readonly string[]
  readonly places: ReadonlyMap<string, readonly number[]>

  constructor(lines: readonly string[]) {
    this.lines = lines
    this.keys = lines.map(lineKey)
    const places = new Map<string, number[]>()
    for (const [i, key] of this.keys.entries()) push(places, key, i)
    this.places = places
  }
}

export function info(key: string): number {
  return key.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}

function trimmed(line: string): string {
  return line.trimEnd()
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

function unknown(reason: UnknownReason, places: readonly Place[]): Attribution {
  return { kind: 'unknown', reason, sessions: [...new Set(places.map(({ event }) => event.session))] }
}

/** At the edge of an edit, only a part of the line may be new. */
function holdsPart(text: string, { side, at, text: part, hunk }: Place): boolean {
  if (info(part) < TELLING) return false
  if (hunk.new.length === 1) return text.includes(part.trimStart())
  return at === side.keys.length - hunk.after.length - 1 ? text.trimStart().startsWith(part.trimStart()) : text.endsWith(part.trimStart())
}

function isSomewhere(line: string, fresh: readonly string[]): boolean {
  const key = lineKey(line)
  return fresh.some((one) => lineKey(one).includes(key))
}

function fitAt({ side, at: from }: Place, keys: readonly string[], at: number): Fit {
  const look = (step: 1 | -1) => {
    let sum = 0
    let hit: boolean | undefined
    for (let d = 1; d <= CONTEXT; d++) {
      const there = side.keys[from + d * step]
      const here = keys[at + d * step]
      if (there === undefined) break
      if (there === UNKNOWN_LINE || (there === '' && here === '')) continue
      const isSame = there === here || (here !== undefined && side.isPartial(from + d * step) && there !== '' && here.includes(there))
      hit ??= isSame
      if (!isSame) break
      sum += info(there)
    }
    return { sum, hit }
  }
  const [above, below] = [look(-1), look(1)]
  return { info: above.sum + below.sum, above: above.hit, below: below.hit }
}

function bestElsewhere(place: Place, version: KeyedVersion, copies: readonly number[], at: number): number {
  return Math.max(
    0,
    ...copies
      .filter((copy) => copy !== at)
      .slice(0, MOST_COPIES)
      .map((copy) => fitAt(place, version.keys, copy).info),
  )
}

/** Compares the nearest telling line above or below. */
function isSamePlace(added: Place, gone: Place): boolean {
  const nearest = ({ side, at }: Place, step: 1 | -1) => {
    for (let i = at + step; i >= 0 && i < side.keys.length; i += step)
      if (side.keys[i] !== '' && side.keys[i] !== UNKNOWN_LINE) return side.keys[i]
    return undefined
  }
  let isCompared = false
  for (const step of [1, -1] as const) {
    const [a, b] = [nearest(added, step), nearest(gone, step)]
    if (a === undefined || b === undefined) continue
    isCompared = true
    if (a === b) return true
  }
  return !isCompared
}

interface Candidate {
  readonly place: Place
  readonly fit: Fit
}

/** Requires one session; the latest edit in a working tree overwrites earlier ones. */
function choose(candidates: readonly Candidate[], { sessions, trees }: LineBounds): Place | undefined {
  let left = withoutMisfits(candidates)
  const known = left.filter(({ place }) => !place.isMaybe)
  if (known.length > 0) left = known
  if (sessionsOf(left) > 1) {
    const own = left.filter(({ place }) => sessions.has(place.event.session))
    const near = left.filter(({ place }) => trees.has(place.event.tree))
    if (
      sessionsOf(own) === 1 &&
      near.every(({ place }) => sessions.has(place.event.session) || place.event.at < latest(own).place.event.at)
    )
      left = own
    else if (near.length > 0) left = near
  }
  if (sessionsOf(left) === 1) return latest(left).place
  if (new Set(left.map(({ place }) => place.event.tree)).size > 1) return undefined
  const last = latest(left)
  return last.fit.above === true || last.fit.below === true ? last.place : undefined
}

function withoutMisfits(candidates: readonly Candidate[]): readonly Candidate[] {
  const isMisfit = ({ fit }: Candidate) => fit.info === 0 && (fit.above === false || fit.below === false)
  const fitting = candidates.filter((one) => !isMisfit(one))
  return fitting.some(({ fit }) => fit.info >= PLACED) ? fitting : candidates
}

function sessionsOf(candidates: readonly Candidate[]): number {
  return new Set(candidates.map(({ place }) => place.event.session)).size
}

function latest(candidates: readonly Candidate[]): Candidate {
  return candidates.reduce((a, b) =>
    b.place.event.at > a.place.event.at || (b.place.event.at === a.place.event.at && b.fit.info > a.fit.info) ? b : a,
  )
}
