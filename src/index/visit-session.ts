/** Brings the index of one session up to date, in steps that any transaction may end between. Repeating it changes nothing. */
import type { Clock } from '../core/clock.ts'
import { asMnemonicError } from '../core/error.ts'
import { safeSessionLabel } from '../core/ids.ts'
import type { WriteTx } from '../store/store.ts'
import { chunkDocument } from './chunk-document.ts'
import { type Owner, titleLine } from './context-lines.ts'
import { type DocumentRow, turnDocument } from './document.ts'
import { extract } from './extraction.ts'
import { clipBelow, settleNumbers } from './numbering.ts'
import { hasSameText, refreshDocument, storedChunks } from './refresh-document.ts'
import {
  messagesOfTurns,
  pathsFollowLabel,
  removeDocuments,
  removeSession,
  type SessionToIndex,
  sessionToIndex,
  sourcePath,
  type TurnToIndex,
  turnsToIndex,
  withLongTexts,
} from './session-rows.ts'
import { type DocumentsOfSession, documentsOf, refreshSuperseded, refreshTitle, saveState } from './session-state.ts'
import {
  type Built,
  type ChunkParts,
  chunkRow,
  finishDocument,
  isUnfinished,
  lastDocumented,
  type Place,
  placeOf,
  startDocuments,
} from './write-document.ts'

export interface VisitOptions {
  readonly identity: string
  /** Documents of these need not be made again. */
  readonly accepts: readonly string[]
  /** Look for topics and flags. */
  readonly analyze: boolean
  readonly maxTokens: number
  readonly maxChunks: number
  readonly owner: Owner
  readonly clock: Clock
  /** Look at every document, not only at turns that have none. */
  readonly verify: boolean
  /** Write everything again. */
  readonly force: boolean
}

export interface Visited {
  readonly sessionId: string
  readonly documents: number
  readonly chunks: number
  readonly unchanged: number
  /** Documents that went because the session is deleted. */
  readonly removed: number
  /** Chunks past the cap, left out. */
  readonly leftOut: number
  readonly errors: readonly string[]
  /** Native ids of messages, written in this visit, of which only a part is indexed. */
  readonly shortened: readonly string[]
}

const NOTHING = { documents: 0, chunks: 0, unchanged: 0, removed: 0, leftOut: 0, errors: [], shortened: [] }

/** The transaction of the moment, and how many chunks it still takes; whoever drives the visit renews both between steps. */
export interface CurrentTx {
  tx: WriteTx
  room: number
}

/** At most so many chunks are written in one transaction. */
export const CHUNKS_PER_TRANSACTION = 100
const PAGE = 64
/** Looking at a document that needs no writing, as a part of a chunk's cost. */
const LOOK = 0.25

/** Yields what each step cost, in chunks. Undefined for a session that is not there. */
export type Visit = AsyncGenerator<number, Visited | undefined>

export async function* visitSession(current: CurrentTx, sessionId: string, options: VisitOptions): Visit {
  const session = await sessionToIndex(current.tx.db, sessionId)
  if (session === undefined) return undefined
  if (session.status === 'deleted') return { ...NOTHING, sessionId, removed: await removeSession(current.tx.db, sessionId) }
  const work: Work = {
    current,
    session,
    title: titleLine(session.title),
    options,
    totals: { documents: 0, chunks: 0, errors: new Set(), shortened: new Set() },
  }
  let again = !(await pathsFollowLabel(current.tx.db, session))
  for (let round = 0; ; round++) {
    if (again) await removeDocuments(current.tx.db, session.id)
    else await refreshTitle(current.tx.db, session.id, work.title)
    yield* writeTurns(work)
    const made = await documentsOf(current.tx.db, session.id)
    const whole = await settleNumbers(current.tx.db, session.id, { total: made.chunks, cap: options.maxChunks })
    if (whole || round > 0) return finish(work, made, whole)
    again = true
    yield 1
  }
}

interface Work {
  readonly current: CurrentTx
  readonly session: SessionToIndex
  readonly title: string
  readonly options: VisitOptions
  readonly totals: { documents: number; chunks: number; readonly errors: Set<string>; readonly shortened: Set<string> }
}

/** Each round reads what it writes in the same transaction: between two of them another process may have replaced turns. */
async function* writeTurns(work: Work): AsyncGenerator<number, void> {
  const { current, session, options } = work
  let after = -1
  let lastWritten = await lastDocumented(current.tx, session.id)
  for (;;) {
    const turns = await turnsToIndex(current.tx.db, { sessionId: session.id, after, limit: PAGE, all: options.verify })
    if (turns.length === 0) return
    const { group, looked, next } = await gather(work, turns)
    if (group.length === 0 && next !== undefined) {
      if (current.room < CHUNKS_PER_TRANSACTION) {
        yield current.room
        continue
      }
      if (!(yield* writeLong(work, next, next.turn.sequence < lastWritten))) continue
      after = next.turn.sequence
    } else {
      const first = group[0]?.turn.sequence ?? Number.POSITIVE_INFINITY
      await writeGroup(work, group, first < lastWritten)
      after = (next === undefined ? turns.at(-1)?.sequence : group.at(-1)?.turn.sequence) ?? after
      yield group.reduce((sum, { drafts }) => sum + Math.max(1, drafts.length), (looked - group.length) * LOOK)
      if (next === undefined && turns.length < PAGE) return
    }
    lastWritten = Math.max(lastWritten, after)
  }
}

/** Documents to write out of a page, as many as the transaction takes; `next` is the one that did not fit. */
async function gather(work: Work, turns: readonly TurnToIndex[]): Promise<{ group: Built[]; looked: number; next?: Built }> {
  const rows = await messagesOfTurns(
    work.current.tx.db,
    turns.map((turn) => turn.id),
  )
  const group: Built[] = []
  let chunks = 0
  let looked = 0
  for (const turn of turns) {
    const built = buildDocument(work, turn, await withLongTexts(work.current.tx.db, rows.get(turn.id) ?? []))
    looked++
    if (built === undefined) continue
    if (chunks + built.drafts.length > work.current.room) return { group, looked, next: built }
    chunks += built.drafts.length
    group.push(built)
  }
  return { group, looked }
}

/** Undefined when nothing is to be written: the document is there as it should be, or cannot be made, and the rest goes on. */
function buildDocument({ session, options, totals }: Work, turn: TurnToIndex, rows: readonly DocumentRow[]): Built | undefined {
  const { accepts, maxTokens, owner, force } = options
  try {
    const document = turnDocument(session, turn, rows)
    const same = turn.path === document.path && turn.hash === document.hash && accepts.includes(turn.identity ?? '')
    if (same && !force) return undefined
    return {
      turn,
      document,
      drafts: chunkDocument(document, { maxTokens, ownerName: owner.name }),
    }
  } catch (error) {
    totals.errors.add(`turn ${turn.id} cannot be indexed: ${asMnemonicError(error).message}`)
    return undefined
  }
}

/** Writes documents that fit into the transaction; those whose text is there already are only brought up to date. */
async function writeGroup(work: Work, whole: readonly Built[], inside: boolean): Promise<void> {
  const { tx } = work.current
  const group = await refreshKnown(work, whole)
  count(work, whole)
  if (group.length === 0) return
  await startDocuments(tx, group, { identity: work.options.identity, now: work.options.clock(), whole: true })
  const place = await placeOf(tx, work.session.id, inside)
  await writeChunks(
    work,
    group.flatMap(({ document, drafts }) => drafts.map((draft) => ({ document, draft }))),
    place,
  )
}

/** Gives back the documents that have to be written. */
async function refreshKnown({ current, title, options }: Work, group: readonly Built[]): Promise<Built[]> {
  const known = group.filter(({ turn }) => turn.path !== null)
  const stored = await storedChunks(
    current.tx,
    known.map(({ turn }) => turn.id),
  )
  const around = { title, owner: options.owner, identity: options.identity, analyze: options.analyze, now: options.clock() }
  const rest: Built[] = []
  for (const built of group) {
    const rows = stored.get(built.turn.id)
    if (rows !== undefined && hasSameText(built, rows)) await refreshDocument(current.tx, { built, stored: rows }, around)
    else rest.push(built)
  }
  return rest
}

/** Writes a document of more chunks than a transaction takes, over several. False when its turn was replaced meanwhile. */
async function* writeLong(work: Work, built: Built, inside: boolean): AsyncGenerator<number, boolean> {
  const { current, options, session } = work
  const { document, drafts } = built
  if ((await refreshKnown(work, [built])).length === 0) {
    count(work, [built])
    yield current.room
    return true
  }
  await startDocuments(current.tx, [built], { identity: options.identity, now: options.clock(), whole: false })
  for (let i = 0; i < drafts.length; ) {
    if (i > 0 && !(await isUnfinished(current.tx, document))) return false
    const batch = drafts.slice(i, i + current.room).map((draft) => ({ document, draft }))
    await writeChunks(work, batch, await placeOf(current.tx, session.id, inside))
    i += batch.length
    if (i === drafts.length) break
    yield batch.length
  }
  await finishDocument(current.tx, document, drafts.length)
  count(work, [built])
  yield current.room
  return true
}

function count({ totals }: Work, group: readonly Built[]): void {
  totals.documents += group.length
  for (const { document, drafts } of group) {
    totals.chunks += drafts.length
    for (const id of document.shortened) totals.shortened.add(id)
  }
}

async function writeChunks(work: Work, items: readonly ChunkParts[], place: Place): Promise<void> {
  const { current, session, title, options } = work
  const extracted = await extract(current.tx, options.analyze ? items.map((item) => item.draft) : [])
  const created_at = options.clock()
  const rows = items.map((item, i) => {
    const row = chunkRow(item, { extracted: extracted.get(item.draft.contentHash), title, owner: options.owner })
    return { ...row, chunk_index: place.first + i * place.step, created_at }
  })
  await current.tx.chunks.addAll(rows)
  const next = place.first + rows.length
  if (place.step > 0 && next > options.maxChunks) await clipBelow(current.tx.db, session.id, next - options.maxChunks)
}

async function finish({ current, session, options, totals }: Work, made: DocumentsOfSession, whole: boolean): Promise<Visited> {
  const { db } = current.tx
  await refreshSuperseded(db, session.id)
  const kept = Math.min(made.chunks, options.maxChunks)
  const state = {
    session_id: session.id,
    file_path: (await sourcePath(db, session.id)) ?? `sessions/${safeSessionLabel(session.label)}`,
    file_hash: made.hash,
    chunk_count: kept,
    status: totals.errors.size > 0 || !whole ? 'failed' : kept < made.chunks || made.shortened ? 'partial' : 'complete',
  } as const
  await saveState(db, state, options.clock())
  const { documents, chunks } = totals
  return {
    sessionId: session.id,
    // What was written twice, or went again because it is too old for the cap, counts as what stays of it.
    documents: Math.min(documents, made.documents),
    chunks: Math.min(chunks, kept),
    removed: 0,
    errors: [...totals.errors],
    shortened: [...totals.shortened],
    unchanged: Math.max(0, made.documents - documents),
    leftOut: made.chunks - kept,
  }
}
