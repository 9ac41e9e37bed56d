/** Some servers restart numbering per request, so a second `call_0` is another call. */
import type { Entry } from './entry.ts'
import type { ReadState } from './read-state.ts'

/** An id long enough to be unique. */
const MADE_FOR_ONE = /(?=[A-Za-z]*\d)[A-Za-z0-9]{12,}/

export function callName(state: ReadState, entry: Entry, given: string): string {
  if (MADE_FOR_ONE.test(given)) return given
  const before = state.numbers.indexOf(given)
  if (before !== -1) state.numbers.splice(before, 1)
  state.numbers.push(given)
  return before === -1 ? given : `${entry.id}/${given}`
}

export function noteCall(state: ReadState, entry: Entry, name: string): void {
  const own = `${entry.id}/`
  state.calls.push(name.startsWith(own) ? [name.slice(own.length), entry.id, name] : [name, entry.id])
}

/** Prefers a call of the parent entry, else the newest with this id. */
export function answeredCall(state: ReadState, entry: Entry, given: string): string {
  const calls = state.calls.filter(([call]) => call === given)
  const [, , name] = calls.findLast(([, by]) => by === entry.parent) ?? calls.at(-1) ?? []
  return name ?? given
}
