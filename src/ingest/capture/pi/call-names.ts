/**
 * Names for the tool calls of a session. Most were made by a service for one call alone; but some servers number the calls of each
 * request anew, and the second `call_0` is another call than the first.
 */
import type { Entry } from './entry.ts'
import type { ReadState } from './read-state.ts'

/** A run of letters and digits that is long enough to have been made for one call alone. */
const MADE_FOR_ONE = /(?=[A-Za-z]*\d)[A-Za-z0-9]{12,}/

/** The name of a call that `entry` makes; `given` is what the source calls it. */
export function callName(state: ReadState, entry: Entry, given: string): string {
  if (MADE_FOR_ONE.test(given)) return given
  const before = state.numbers.indexOf(given)
  if (before !== -1) state.numbers.splice(before, 1)
  state.numbers.push(given)
  return before === -1 ? given : `${entry.id}/${given}`
}

/** Notes which entry made a call, by what the source calls it. */
export function noteCall(state: ReadState, entry: Entry, name: string): void {
  const own = `${entry.id}/`
  state.calls.push(name.startsWith(own) ? [name.slice(own.length), entry.id, name] : [name, entry.id])
}

/** The name of the call that a result answers: one of the entry that it follows, else the newest of that name. */
export function answeredCall(state: ReadState, entry: Entry, given: string): string {
  const calls = state.calls.filter(([call]) => call === given)
  const [, , name] = calls.findLast(([, by]) => by === entry.parent) ?? calls.at(-1) ?? []
  return name ?? given
}
