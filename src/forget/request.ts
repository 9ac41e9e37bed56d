/** What a caller asks to have forgotten, checked before anything is looked at. No error says the text. */
import { MnemonicError } from '../core/error.ts'
import type { OnProgress } from '../core/progress.ts'
import { parseWhen } from '../core/time.ts'
import type { Store } from '../store/store.ts'
import { findMatch } from './find-match.ts'
import { addSigns, findBefore, findEntity, findSession, findTurn, widened } from './find-records.ts'
import type { Selection } from './selection.ts'
import { textMatch } from './text-match.ts'

export interface ForgetRequest {
  /** One of these five. */
  readonly session?: string
  readonly turn?: string
  readonly entity?: string
  /** A text, literally, in any letter case. */
  readonly match?: string
  /** A day or time; what was said before it. */
  readonly before?: string
  /** Widens what holds a match: its whole turn, or session. */
  readonly whole?: 'turn' | 'session'
  /** Why, in a word; it stands in the tombstones. */
  readonly reason?: string
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export type Selector = 'session' | 'turn' | 'entity' | 'match' | 'before'

const SELECTORS: readonly Selector[] = ['session', 'turn', 'entity', 'match', 'before']
const SHORTEST_MATCH = 4
const LONGEST_REASON = 200

export function selectorOf(request: ForgetRequest): Selector {
  const given = SELECTORS.filter((name) => request[name] !== undefined)
  const [selector] = given
  if (selector === undefined || given.length > 1) {
    throw usage('Give one of --session, --turn, --entity, --match and --before.', 'say what to forget, in one way')
  }
  if ((request[selector] ?? '').trim() === '') throw usage(`Give --${selector} a value.`, `--${selector} is empty`)
  if (selector === 'match' && (request.match ?? '').trim().length < SHORTEST_MATCH) {
    throw usage('A shorter text stands in nearly everything.', `--match needs at least ${SHORTEST_MATCH} characters`)
  }
  if (request.whole !== undefined && selector !== 'match') throw usage('--whole goes with --match.', '--whole widens a match only')
  const { reason = '' } = request
  if (reason.length > LONGEST_REASON) throw usage('A word or two is enough.', `--reason is longer than ${LONGEST_REASON} characters`)
  if (request.match !== undefined && textMatch(request.match).holds(reason)) throw usage('Give another.', '--reason holds the text itself')
  return selector
}

function usage(hint: string, message: string): MnemonicError {
  return new MnemonicError('USAGE', message, { hint })
}

export interface SelectOptions {
  readonly timezone: string
  readonly now: number
  /** Undefined: everyone's. A match is looked for in everything, whoever's it is. */
  readonly agentId: string | undefined
}

export async function select(store: Store, request: ForgetRequest, options: SelectOptions): Promise<Selection> {
  const selection = await found(store, request, options)
  if (request.whole !== undefined) await widened(store, selection, request.whole)
  await addSigns(store, selection)
  return selection
}

function found(store: Store, request: ForgetRequest, { timezone, now, agentId }: SelectOptions): Promise<Selection> {
  const { session, turn, entity, match, before } = request
  if (session !== undefined) return findSession(store, session, agentId)
  if (turn !== undefined) return findTurn(store, turn)
  if (entity !== undefined) return findEntity(store, entity)
  if (before !== undefined) return findBefore(store, parseWhen(before, { timezone, now }), agentId)
  return findMatch(store, textMatch(match ?? ''))
}
