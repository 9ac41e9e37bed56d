/** Reads what a name means, for a model: a turn or a document up to a budget of tokens, or the outline of a session. */
import type { ShownSession } from '../browse/browse.ts'
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { excerptTokens } from '../search/excerpt.ts'
import type { MemoryGetAnswer, MemoryGetRequest } from '../search/memory-get.ts'
import { type Outline, outlineForAgent } from './agent-sessions.ts'
import { documentForAgent, type Hints } from './agent-text.ts'
import type { Mnemonic } from './mnemonic.ts'

/** Of a document or a session. */
const BUDGET = 600
/** Of a hit, whose question is known: the sentences that answer it. */
const HIT_BUDGET = 300

export interface ReadRequest {
  /** A short or full id of a session, a turn or a message, a citation, or a document's path. */
  readonly name: string
  /** The first line, of a session the first turn; from 1. */
  readonly from?: number
  readonly lines?: number
  /** Tokens; when absent 600, of a hit 300. */
  readonly budget?: number
  /** So many turns before and after it, too. */
  readonly around?: number
  /** It is a hit of this question, in these phrasings. */
  readonly about?: readonly string[]
  /** What the answer showed of the hit: the same text is not given twice. */
  readonly shown?: string
  /** Its place among the hits, from 0, where what was shown of it was not kept: it is chosen again, from the same lines. */
  readonly rank?: number
}

export interface AgentReading {
  readonly text: string
  readonly document: MemoryGetAnswer
}

export type Reader = Pick<Mnemonic, 'memoryGet' | 'show'>

export async function readForAgent(mnemonic: Reader, request: ReadRequest, hints: Hints): Promise<AgentReading> {
  const { name, from, lines, around, about, rank } = request
  const isHit = about !== undefined && from === undefined && lines === undefined && around === undefined
  const { budget = isHit ? HIT_BUDGET : BUDGET } = request
  const session = isPath(name) ? undefined : await sessionCalled(mnemonic, name)
  if (session !== undefined) {
    const outline = outlineForAgent(session, { budget, from: from ?? 1, hints })
    return { text: outline.text, document: outlineDocument(session, outline, from ?? 1) }
  }
  const called = await meant(mnemonic, name)
  const { shown = isHit && rank !== undefined ? await shownOf(mnemonic, { ...called, about }, rank) : undefined } = request
  const document = await mnemonic.memoryGet({ ...called, budget, ...given({ from, lines, around, about, shown }) })
  return { text: documentForAgent(document, { hints, isHit, ...given({ around }) }), document }
}

/** What an answer shows of its hit at that rank. */
async function shownOf(mnemonic: Reader, hit: MemoryGetRequest, rank: number): Promise<string> {
  return (await mnemonic.memoryGet({ ...hit, budget: excerptTokens(rank) })).text
}

/** What looks like no path may still be the name of a document. */
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

/** Citations, wikilinks and paths of documents: no id has these. */
function isPath(name: string): boolean {
  return /\.md(?:#L\d|$)|^\[\[/i.test(name)
}

async function sessionCalled(mnemonic: Reader, name: string): Promise<ShownSession | undefined> {
  const shown = await mnemonic.show(name).catch(ifNotFound)
  return shown?.kind === 'session' ? shown : undefined
}

/** In the shape of a document, so that a program finds every answer of the tool in one. */
function outlineDocument({ session, turns }: ShownSession, outline: Outline, from: number): MemoryGetAnswer {
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
    from,
    lines: outline.turns,
    total_lines: turns.length,
    next_from: outline.next_from,
    citation: session.id,
  }
}
