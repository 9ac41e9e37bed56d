/** A name that exists nowhere is a mistake, not a search without results: an error that lists what exists, the nearest first. Pure. */
import { typingErrors } from './edit-distance.ts'
import { MnemonicError } from './error.ts'
import { redactSensitiveText } from './redact.ts'
import { oneLine, stripControls } from './text.ts'

const MOST_LISTED = 10
const LONGEST_NAME = 60

export interface UnknownValue {
  /** The option or filter. */
  readonly filter: string
  /** As the error begins, before the names: `no speaker is called`. */
  readonly said: string
  readonly values: readonly string[]
  readonly known: readonly string[]
  /** What to do where nothing is known at all. */
  readonly none?: string
}

export function unknownValue(value: UnknownValue): MnemonicError {
  const { message, hint, known, listed } = described(value)
  const details = { filter: value.filter, unknown: value.values.map(shown), known: listed, count: known.length }
  return new MnemonicError('USAGE', message, { details, hint })
}

/** The same where the answer is empty and no error, in one line. */
export function unknownHint(value: UnknownValue): string {
  const { message, hint } = described(value)
  return `${message}. ${hint}`
}

function described({ said, values, known: all, none }: UnknownValue) {
  const known = nearestFirst(values[0] ?? '', [...new Set(all.map(shown))])
  const listed = known.slice(0, MOST_LISTED)
  const more = known.length > listed.length ? ` … and ${(known.length - listed.length).toLocaleString('en-US')} more` : ''
  const message = `${said} ${values.map((value) => JSON.stringify(shown(value))).join(', ')}`
  const hint = known.length === 0 && none !== undefined ? none : `There are: ${listed.join(', ')}${more}.`
  return { message, hint, known, listed }
}

function shown(name: string): string {
  return oneLine(stripControls(redactSensitiveText(name, { mode: 'tools' })), LONGEST_NAME)
}

/** What begins alike or holds it comes before what is only typed alike; the rest as it came. Of a path its last name is what people type. */
function nearestFirst(value: string, all: readonly string[]): string[] {
  const wanted = lastName(value.toLowerCase()).slice(0, LONGEST_NAME)
  // With more errors nothing is alike, and short names would stand before what is used most.
  const most = Math.floor(wanted.length / 2)
  const distance = (name: string) => {
    const other = name.toLowerCase()
    const words = [other, lastName(other), ...other.split(/[^\p{L}\p{N}]+/u)]
    return other.includes(wanted) ? 0 : Math.min(...words.map((word) => typingErrors(wanted, word, most)))
  }
  return all
    .map((name) => ({ name, far: distance(name) }))
    .sort((a, b) => a.far - b.far)
    .map(({ name }) => name)
}

function lastName(path: string): string {
  return path.split(/[\\/]/).findLast(Boolean) ?? path
}
