/** Validates requests. Errors never contain the text. */
import { MnemonicError } from '../core/error.ts'
import type { OnProgress } from '../core/progress.ts'
import { parseWhen } from '../core/time.ts'
import type { Store } from '../store/store.ts'
import type { ForgetContext } from './context.ts'
import { findContact, findEpisode, findEvent, findThread } from './select/find-conversation.ts'
import { findBefore, findEntity, findSession, findTurn, widen } from './select/find-named.ts'
import { findText } from './select/find-text.ts'
import { addOtherNames } from './select/other-names.ts'
import { ownRows } from './select/own-rows.ts'
import type { Selection } from './select/selection.ts'
import { textMatch } from './select/text-match.ts'

export interface ForgetRequest {
  /** Exactly one selector. */
  readonly session?: string
  /** Needs `session`; recursive. */
  readonly withSubagents?: boolean
  readonly turn?: string
  readonly entity?: string
  /** A message, mail or meeting. */
  readonly event?: string
  readonly episode?: string
  /** By id of thread, event or episode. Later messages stay out too. */
  readonly thread?: string
  /** By address, number or full name. Selects messages from and only to the person, and contact data. */
  readonly contact?: string
  /** Literal; ignores case. */
  readonly match?: string
  readonly before?: string
  readonly whole?: 'turn' | 'session'
  /** Stored in the tombstones. */
  readonly reason?: string
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

const SELECTORS = ['session', 'turn', 'event', 'episode', 'thread', 'contact', 'entity', 'match', 'before'] as const

export type Selector = (typeof SELECTORS)[number]

const ONE_OF = 'Give one of --session, --turn, --event, --episode, --thread, --contact, --entity, --match and --before.'
const SHORTEST_MATCH = 4
const LONGEST_REASON = 200

export function selectorOf(request: ForgetRequest): Selector {
  const given = SELECTORS.filter((name) => request[name] !== undefined)
  const [selector] = given
  if (selector === undefined || given.length > 1) {
    throw usage(ONE_OF, 'say what to forget, in one way')
  }
  if ((request[selector] ?? '').trim() === '') throw usage(`Give --${selector} a value.`, `--${selector} is empty`)
  if (selector === 'match' && (request.match ?? '').trim().length < SHORTEST_MATCH) {
    throw usage('A shorter text is in nearly every record.', `--match needs at least ${SHORTEST_MATCH} characters`)
  }
  if (request.withSubagents && selector !== 'session')
    throw usage('Use --with-subagents together with --session.', '--with-subagents widens a session only')
  if (request.whole !== undefined && selector !== 'match') throw usage('Use --whole together with --match.', '--whole widens a match only')
  const { reason = '' } = request
  if (reason.length > LONGEST_REASON) throw usage('A word or two is enough.', `--reason is longer than ${LONGEST_REASON} characters`)
  if (request.match !== undefined && textMatch(request.match).holds(reason)) throw usage('Give another.', '--reason holds the text itself')
  return selector
}

function usage(hint: string, message: string): MnemonicError {
  return new MnemonicError('USAGE', message, { hint })
}

export interface SelectOptions extends Pick<ForgetContext, 'timezone' | 'clock' | 'agentId'> {
  /** Limits every selector to this agent's memory. */
  readonly of?: string | undefined
}

export async function select(store: Store, request: ForgetRequest, options: SelectOptions): Promise<Selection> {
  const selection = await found(store, request, options)
  if (request.whole !== undefined) await widen(store, selection, request.whole)
  await addOtherNames(store, selection)
  return selection
}

async function found(store: Store, request: ForgetRequest, { timezone, clock, agentId, of }: SelectOptions): Promise<Selection> {
  const { session, withSubagents = false, turn, event, episode, thread, contact, entity, match, before } = request
  if (session !== undefined) return findSession(store, session, { agentId, withSubagents })
  if (turn !== undefined) return findTurn(store, turn, of)
  if (event !== undefined) return findEvent(store, event)
  if (episode !== undefined) return findEpisode(store, episode)
  if (thread !== undefined) return findThread(store, thread)
  if (contact !== undefined) return findContact(store, contact)
  if (entity !== undefined) return findEntity(store, entity, agentId)
  const now = clock()
  if (before !== undefined) return findBefore(store, { before: parseWhen(before, { timezone, now }), now, agentId })
  const own = of === undefined ? undefined : await ownRows(store, of)
  return findText(store, textMatch(match ?? ''), { own, signal: request.signal })
}
