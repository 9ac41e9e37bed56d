/** An unknown name is an error that lists known ones, nearest first, not an empty search. */
import { typingErrors } from './edit-distance.ts'
import { MnemonicError } from './error.ts'
import { redactSensitiveText } from './redact.ts'
import { oneLine, stripControls } from './text.ts'

const MOST_LISTED = 10
const LONGEST_NAME = 60

export interface UnknownValue {
  readonly filter: string
  /** Beginning of the error: `no speaker is called`. */
  readonly said: string
  readonly values: readonly string[]
  readonly known: readonly string[]
  readonly none?: string
}

export function unknownValue(value: UnknownValue): MnemonicError {
  const { message, hint, known, listed } = described(value)
  const details = { filter: value.filter, unknown: value.values.map(shown), known: listed, count: known.length }
  return new MnemonicError('USAGE', message, { details, hint })
}

/** As one line, for an empty answer without an error. */
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

/** Prefixes and substrings before similar spellings. People type the last part of a path. */
function nearestFirst(value: string, all: readonly string[]): string[] {
  const wanted = lastName(value.toLowerCase()).slice(0, LONGEST_NAME)
  // Beyond this, nothing is similar, and short names would come first.
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
