import { MnemonicError } from '../core/error.ts'
import { resolveAny, type SessionRow } from '../ledgers/resolve.ts'
import type { TurnRow } from '../store/agent-rows.ts'
import type { Store } from '../store/store.ts'
import { allTurns, currentPath, withBranches } from './turn-path.ts'

export interface Window {
  /** Includes turns on abandoned branches. */
  readonly branches?: boolean
  readonly last?: number
  readonly around?: number
}

interface Shown {
  readonly kind: 'session' | 'turn'
  readonly session: SessionRow
  readonly rows: () => Promise<TurnRow[]>
}

export async function findShown(store: Store, text: string, agentId: string | undefined, window: Window): Promise<Shown | undefined> {
  check(window)
  const named = await resolveAny(store, text, agentId)
  const listed = (session: SessionRow) => (window.branches ? withBranches : currentPath)(store, session)
  if (named === undefined) return findRange(store, text, agentId, window)
  const { session, turn } = named
  if (turn === undefined) {
    if (window.around !== undefined) throw aroundNothing(text)
    return { kind: 'session', session, rows: async () => lastOf(await listed(session), window) }
  }
  if (window.around === undefined) return { kind: 'turn', session, rows: async () => [turn] }
  const { around } = window
  return {
    kind: 'session',
    session,
    rows: async () => aroundTurn(await withTurn(store, session, turn, await listed(session)), turn, around),
  }
}

/** `c010174c:5-9`: turns by number. */
async function findRange(store: Store, text: string, agentId: string | undefined, window: Window): Promise<Shown | undefined> {
  const [, name = '', from = '', to = ''] = /^(.+):(\d{1,9})-(\d{1,9})$/s.exec(text) ?? []
  const named = name === '' ? undefined : await resolveAny(store, name, agentId)
  if (named === undefined || named.turn !== undefined) return undefined
  if (window.around !== undefined) throw aroundNothing(text)
  const { session } = named
  return {
    kind: 'session',
    session,
    async rows() {
      const numbered = (await allTurns(store, session.id)).slice(Math.max(Number(from) - 1, 0), Number(to))
      const rows = window.branches ? numbered : numbered.filter(({ status }) => status !== 'superseded')
      if (rows.length === 0) throw emptyRange(text, (await allTurns(store, session.id)).length)
      return lastOf(rows, window)
    },
  }
}

function lastOf(turns: TurnRow[], { last }: Window): TurnRow[] {
  return last === undefined ? turns : turns.slice(-last)
}

/** A turn on an abandoned branch is shown among all turns. */
async function withTurn(store: Store, session: SessionRow, turn: TurnRow, listed: TurnRow[]): Promise<TurnRow[]> {
  return listed.some(({ id }) => id === turn.id) ? listed : withBranches(store, session)
}

function aroundTurn(turns: readonly TurnRow[], { id }: TurnRow, around: number): TurnRow[] {
  const at = turns.findIndex((turn) => turn.id === id)
  return turns.slice(Math.max(at - around, 0), at + around + 1)
}

function check({ last, around }: Window): void {
  for (const [name, value] of [
    ['last', last],
    ['around', around],
  ] as const) {
    if (value !== undefined && (!Number.isInteger(value) || value < 1))
      throw new MnemonicError('USAGE', `${name} must be a whole number from 1 on`, { details: { [name]: value } })
  }
}

function aroundNothing(text: string): MnemonicError {
  return new MnemonicError('USAGE', `${text.slice(0, 200)} is not one turn, so there is nothing around it`, {
    details: { option: '--around' },
    hint: 'Name a turn, such as c010174c:7; for a part of a session give a range (c010174c:5-9) or --last.',
  })
}

function emptyRange(text: string, count: number): MnemonicError {
  return new MnemonicError('NOT_FOUND', `${text.slice(0, 200)} has no turn: the session has ${count}`, {
    details: { turns: count },
    hint: 'Give the first and the last number, such as c010174c:5-9; --branches shows abandoned turns too.',
  })
}
