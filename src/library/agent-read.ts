import type { ShownSession } from '../browse/browse.ts'
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { tokenCost } from '../core/tokens.ts'
import { excerptTokens } from '../search/excerpt.ts'
import type { MemoryGetAnswer, MemoryGetRequest } from '../search/memory-get.ts'
import { type Outline, outlineForAgent } from './agent-sessions.ts'
import { documentForAgent, documentsForAgent, type Hints } from './agent-text.ts'
import type { Mnemonic } from './mnemonic.ts'

const BUDGET = 600
/** Tokens for a hit, whose question selects the sentences. */
const HIT_BUDGET = 200
/** Share of them for the end of the turn. */
const ENDING = 1 / 3
const LEAST = 40

export interface ReadRequest {
  /** Id of a session, turn or message; a citation; or a document's path. */
  readonly name: string
  /** First line, or first turn of a session; from 1. */
  readonly from?: number
  readonly lines?: number
  /** Last line, or last turn of a session. Without `from`: as many as fit before it. */
  readonly to?: number
  /** Lines, or turns of a session, from the end. */
  readonly tail?: number
  /** Tokens; default 600, for a hit 200. */
  readonly budget?: number
  readonly around?: number
  /** Phrasings of the question that found it. */
  readonly about?: readonly string[]
  /** Text that the answer already showed: not repeated. */
  readonly shown?: string
  /** Rank of the hit, from 0, to recompute `shown` if it was not kept. */
  readonly rank?: number
  /** Line of the match: reading starts there. */
  readonly line?: number
}

export interface AgentReading {
  readonly text: string
  readonly document: MemoryGetAnswer
}

export type Reader = Pick<Mnemonic, 'memoryGet' | 'show'>

export async function readForAgent(mnemonic: Reader, request: ReadRequest, hints: Hints): Promise<AgentReading> {
  const { document, outline, options } = await readOne(mnemonic, request, hints)
  return { text: outline ?? documentForAgent(document, { hints, ...options }), document }
}

export interface FailedReading {
  readonly id: string
  readonly code: string
  readonly message: string
}

export interface AgentReadings {
  readonly text: string
  readonly documents: readonly MemoryGetAnswer[]
  readonly failed: readonly FailedReading[]
}

/** Gives each an equal share of the remaining budget. Throws if none can be read. */
export async function readSeveralForAgent(
  mnemonic: Reader,
  requests: readonly ReadRequest[],
  { budget = Math.min(requests.length * HIT_BUDGET, 2 * BUDGET), hints }: { readonly budget?: number | undefined; readonly hints: Hints },
): Promise<AgentReadings> {
  let left = budget
  const read: Reading[] = []
  const failed: FailedReading[] = []
  const errors: MnemonicError[] = []
  for (const [i, request] of requests.entries()) {
    try {
      const share = Math.max(LEAST, Math.floor(left / (requests.length - i)))
      const one = await readOne(mnemonic, { ...request, share }, hints)
      left -= tokenCost(one.document.text)
      read.push(one)
    } catch (error) {
      if (!(error instanceof MnemonicError)) throw error
      errors.push(error)
      failed.push({ id: request.name, code: error.code, message: error.message })
    }
  }
  if (read.length === 0 && errors[0] !== undefined) throw errors[0]
  const text = documentsForAgent(read, { hints, failed })
  return { text, documents: read.map(({ document }) => document), failed }
}

interface Reading {
  readonly document: MemoryGetAnswer
  readonly outline?: string
  readonly options: { readonly isHit: boolean; readonly around?: number }
}

async function readOne(mnemonic: Reader, request: ReadRequest & { readonly share?: number }, hints: Hints): Promise<Reading> {
  const { name, from, lines, to, tail, around, about, rank, line, share } = request
  const isPlace = (from ?? to ?? tail ?? around) !== undefined
  const isHit = about !== undefined && lines === undefined && !isPlace
  const { budget = share ?? (isHit ? HIT_BUDGET : BUDGET) } = request
  const session = isPath(name) ? undefined : await sessionCalled(mnemonic, name)
  if (session !== undefined) {
    const outline = outlineForAgent(session, { budget, from, to, tail, hints })
    return { document: outlineDocument(session, outline), outline: outline.text, options: { isHit: false } }
  }
  const called = await meant(mnemonic, name)
  const { shown = isHit && rank !== undefined ? await shownOf(mnemonic, { ...called, about }, rank) : undefined } = request
  const at = isPlace || (isHit && request.budget === undefined) ? undefined : line
  // From there on a turn tells what was going to be done, too, and only at its end what came of it.
  const ending = at === undefined ? undefined : Math.ceil(ENDING * budget)
  const document = await mnemonic.memoryGet({
    ...called,
    budget: budget - (ending ?? 0),
    ...given({ from, lines, to, tail, at, around, about, shown, ending, folds: at === undefined ? undefined : true }),
  })
  const isLeftOut = isHit && document.next_from === document.from
  return { document: isLeftOut ? { ...document, next_from: line ?? document.from } : document, options: { isHit, ...given({ around }) } }
}

async function shownOf(mnemonic: Reader, hit: MemoryGetRequest, rank: number): Promise<string> {
  return (await mnemonic.memoryGet({ ...hit, budget: excerptTokens({ rank }) })).text
}

async function meant(mnemonic: Reader, name: string): Promise<{ path: string } | { id: string }> {
  if (isPath(name)) return { path: name }
  const known = await mnemonic.memoryGet({ id: name, lines: 1 }).catch(ifNotFound)
  if (known !== undefined) return { id: name }
  return (await mnemonic.memoryGet({ path: name, lines: 1 }).catch(ifNotFound)) === undefined ? { id: name } : { path: name }
}

function ifNotFound(thrown: unknown): undefined {
  if (thrown instanceof MnemonicError && thrown.code === 'NOT_FOUND') return undefined
  throw thrown
}

/** No id has these forms. */
function isPath(name: string): boolean {
  return /\.md(?:#L\d|$)|^\[\[/i.test(name)
}

async function sessionCalled(mnemonic: Reader, name: string): Promise<ShownSession | undefined> {
  const shown = await mnemonic.show(name).catch(ifNotFound)
  return shown?.kind === 'session' ? shown : undefined
}

function outlineDocument({ session, turns }: ShownSession, outline: Outline): MemoryGetAnswer {
  return {
    id: session.id,
    path: session.session_id,
    source: 'sessions',
    kind: 'session',
    session_id: session.session_id,
    turn_id: '',
    thread_id: '',
    title: session.title,
    timestamp: session.last_message_at,
    speakers: [],
    trust: 'agent',
    text: outline.text,
    from: outline.from,
    lines: outline.turns,
    total_lines: turns.length,
    next_from: outline.next_from,
    before_to: outline.from > 1 ? outline.from - 1 : null,
    citation: session.id,
  }
}
