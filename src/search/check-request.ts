/** Validated by hand: loading a schema library takes longer than the search. */
import { MnemonicError } from '../core/error.ts'
import type { PersonalSetting } from './personal-scope.ts'
import type { SearchFilters } from './result.ts'

const DEFAULT_LIMIT = 10
const MOST_HITS = 200
const LONGEST_NAME = 1000
const MOST_NAMES = 100
const MOST_PHRASINGS = 8

export interface CheckedRequest {
  readonly queries: readonly string[]
  readonly filters: SearchFilters
  readonly limit: number
  readonly explain: boolean
  readonly by: 'hit' | 'session'
  readonly exact: boolean
  readonly nearest: boolean
  readonly preferProject: string | undefined
  readonly personal: PersonalSetting | undefined
  readonly signal: AbortSignal | undefined
}

/** `read` returns the checked value, or undefined if it is invalid. */
type Kind = { readonly expected: string; readonly read: (value: unknown) => unknown }

const NAME: Kind = { expected: `a text of 1 to ${LONGEST_NAME} characters`, read: nameOf }
const NAMES: Kind = { expected: `a list of at most ${MOST_NAMES} such texts`, read: namesOf }
const FLAG: Kind = { expected: 'true or false', read: (value) => (typeof value === 'boolean' ? value : undefined) }
const LEDGER: Kind = { expected: 'agents or events', read: (value) => (value === 'agents' || value === 'events' ? value : undefined) }

const FILTERS: Readonly<Record<keyof SearchFilters, Kind>> = {
  ...{
    after: NAME,
    before: NAME,
    since: NAME,
    until: NAME,
    speaker: NAME,
    project: NAME,
    session: NAME,
    topics: NAMES,
    has_decision: FLAG,
  },
  ...{ ledger: LEDGER, sources: NAMES, agent: NAME, branches: FLAG },
  ...{ channel: NAME, from: NAME, to: NAME, with: NAME, entity: NAME },
  ...{ file: NAME, tool: NAME, command: NAME, errors: FLAG },
}

/** With one of these filters a request needs no query. */
const LISTING = ['file', 'tool', 'command', 'errors', 'channel', 'from', 'to', 'with', 'entity']

const REQUEST: Readonly<Record<string, Kind>> = {
  query: { expected: 'a text', read: (value) => (typeof value === 'string' ? value : undefined) },
  queries: { expected: `a list of at most ${MOST_PHRASINGS} texts`, read: phrasingsOf },
  filters: { expected: 'an object', read: (value) => (isObject(value) ? value : undefined) },
  limit: { expected: `a whole number from 1 to ${MOST_HITS}`, read: limitOf },
  explain: FLAG,
  exact: FLAG,
  nearest: FLAG,
  prefer_project: NAME,
  personal: {
    expected: 'named, never or always',
    read: (value) => (value === 'named' || value === 'never' || value === 'always' ? value : undefined),
  },
  signal: { expected: 'an AbortSignal', read: (value) => (value instanceof AbortSignal ? value : undefined) },
  by: { expected: 'hit, session or history', read: (value) => (value === 'hit' || value === 'session' ? value : undefined) },
}

export function checkRequest(request: unknown): CheckedRequest {
  if (!isObject(request)) throw refused([{ key: '', problem: 'it is no object' }])
  const wrong: Wrong[] = []
  const values = checked(request, REQUEST, { wrong, under: '' })
  const {
    query,
    queries = [],
    filters = {},
    limit = DEFAULT_LIMIT,
    explain = false,
    by = 'hit',
    exact = false,
    nearest = false,
    prefer_project,
    personal,
    signal,
  } = values
  const all = distinct([query, ...(queries as string[])].filter((one) => one !== undefined) as string[])
  const narrowed = checked(filters as Record<string, unknown>, FILTERS, { wrong, under: 'filters.' })
  if (all.length === 0 && LISTING.some((key) => narrowed[key] !== undefined)) all.push('')
  if (all.length === 0 && wrong.every(({ key }) => !['query', 'queries'].includes(key))) wrong.push({ key: 'query', problem: 'is missing' })
  if (wrong.length > 0) throw refused(wrong)
  const rest = {
    limit: limit as number,
    explain: explain as boolean,
    by: by as CheckedRequest['by'],
    exact: exact as boolean,
    nearest: nearest as boolean,
    preferProject: prefer_project as string | undefined,
    personal: personal as PersonalSetting | undefined,
    signal: signal as AbortSignal | undefined,
  }
  return { queries: all, filters: narrowed as SearchFilters, ...rest }
}

interface Wrong {
  readonly key: string
  readonly problem: string
}

function checked(
  given: Readonly<Record<string, unknown>>,
  kinds: Readonly<Record<string, Kind>>,
  { wrong, under }: { wrong: Wrong[]; under: string },
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(given)) {
    const kind = Object.hasOwn(kinds, key) ? kinds[key] : undefined
    if (kind === undefined) wrong.push({ key: `${under}${key.slice(0, LONGEST_NAME)}`, problem: 'is not known' })
    if (kind === undefined || value === undefined) continue
    values[key] = kind.read(value)
    if (values[key] === undefined) wrong.push({ key: `${under}${key}`, problem: `must be ${kind.expected}` })
  }
  return values
}

function refused(wrong: readonly Wrong[]): MnemonicError {
  const said = wrong.map(({ key, problem }) => `${key} ${problem}`.trim()).join('; ')
  return new MnemonicError('USAGE', `this search cannot be run: ${said}`, {
    details: { keys: wrong.map(({ key }) => key).filter((key) => key !== '') },
    hint: 'The limit is 1 to 200, the ledger agents or events; mnemonic search --help lists the filters.',
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function nameOf(value: unknown): string | undefined {
  const name = typeof value === 'string' ? value.trim() : ''
  return name.length >= 1 && name.length <= LONGEST_NAME ? name : undefined
}

function namesOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length > MOST_NAMES) return undefined
  const names = value.map(nameOf).filter((name) => name !== undefined)
  return names.length === value.length ? names : undefined
}

function phrasingsOf(value: unknown): string[] | undefined {
  const texts = Array.isArray(value) && value.length <= MOST_PHRASINGS && value.every((one) => typeof one === 'string') ? value : undefined
  return texts?.map((text: string) => text.trim()).filter((text) => text !== '')
}

/** Dedupes, ignoring white space. An empty query stays only if it is the only one. */
function distinct(all: readonly string[]): string[] {
  const seen = new Set<string>()
  const once = all.filter((text) => {
    const words = text.trim().replace(/\s+/g, ' ')
    return !seen.has(words) && seen.add(words)
  })
  return once.length > 1 ? once.filter((text) => text.trim() !== '') : once
}

function limitOf(value: unknown): number | undefined {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MOST_HITS ? (value as number) : undefined
}
