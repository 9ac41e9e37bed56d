/** Updates a group's index in phases: transaction or process may end between any two. Idempotent. */
import { asMnemonicError } from '../core/error.ts'
import type { NewChunk } from '../store/chunk-rows.ts'
import type { WriteTx } from '../store/store.ts'
import { chunkContexts } from './chunk-context.ts'
import { chunkDocument } from './chunk-document.ts'
import { type ChunkParts, chunkOfPart, chunkRow } from './chunk-row.ts'
import type { IndexDocument } from './document.ts'
import { type Built, finishDocument, isUnfinished, startDocuments } from './document-rows.ts'
import { extract } from './extraction.ts'
import type { Feed, Group, Indexable, Item, NumberedDocument, Totals, Visited, VisitOptions } from './indexable.ts'
import { INDEXABLES } from './indexables.ts'
import { hasSameText, refreshDocument, storedChunks } from './refresh-document.ts'

/** `room`: chunks left in the transaction. */
export type Phase = (tx: WriteTx, room: number) => Promise<Step>

export interface Step {
  /** In chunks. */
  readonly cost: number
  readonly next?: Phase
  /** Undefined if unknown. */
  readonly visited?: Visited | readonly Visited[]
}

export const CHUNKS_PER_TRANSACTION = 100
const PAGE = 64
/** Cost of checking an unchanged document, in chunks. */
const LOOK = 0.25

interface Work {
  readonly group: Group
  readonly options: VisitOptions
  readonly totals: Totals
  /** Missing chunks forced a rewrite. */
  wroteAgain: boolean
}

interface Position {
  readonly after: number
  /** The last item with a document. */
  readonly lastWritten: number
}

export function visit(feed: Feed, ids: readonly string[], options: VisitOptions): Phase {
  return async (tx) => {
    const group = await (feed.openSome?.(tx.db, ids, options) ?? feed.open(tx.db, ids[0] as string, options))
    if (group === undefined) return { cost: 1 }
    if (group.isGone) {
      const nothing = { documents: 0, chunks: 0, unchanged: 0, leftOut: 0, errors: [], shortened: [] }
      return { cost: 1, visited: { ...nothing, name: group.name, removed: await group.remove(tx) } }
    }
    const totals = { documents: 0, chunks: 0, errors: new Set<string>(), shortened: new Set<string>() }
    return { cost: 0, next: begin({ group, options, totals, wroteAgain: false }) }
  }
}

function begin(work: Work): Phase {
  return async (tx) => {
    const lastWritten = await work.group.begin(tx, work.wroteAgain)
    return { cost: 0, next: writePage(work, { after: -1, lastWritten }) }
  }
}

/** Reads and writes in one transaction: other processes may replace items between two. */
function writePage(work: Work, position: Position): Phase {
  return async (tx, room) => {
    const { after, lastWritten } = position
    const limit = Math.max(1, Math.min(PAGE, Math.floor(room)))
    const items = await work.group.items(tx.db, { after, limit, all: work.options.verify })
    if (items.length === 0) return { cost: 0, next: settle(work) }
    const { group, looked, next } = await gather(work, { tx, room, items })
    if (group.length === 0 && next !== undefined) {
      // A long document needs its own transaction.
      if (room < CHUNKS_PER_TRANSACTION) return { cost: room, next: writePage(work, position) }
      return startLong(work, next, position)(tx, room)
    }
    const first = group[0]?.item.sequence ?? Number.POSITIVE_INFINITY
    await writeGroup(work, tx, { group, inside: first < lastWritten })
    const reached = (next === undefined ? items.at(-1)?.sequence : group.at(-1)?.item.sequence) ?? after
    const cost = group.reduce((sum, { parts }) => sum + Math.max(1, parts.length), (looked - group.length) * LOOK)
    const isLast = next === undefined && items.length < limit
    return { cost, next: isLast ? settle(work) : writePage(work, movedTo(reached, position)) }
  }
}

function movedTo(after: number, { lastWritten }: Position): Position {
  return { after, lastWritten: Math.max(lastWritten, after) }
}

function startLong(work: Work, built: Built, position: Position): Phase {
  return async (tx, room) => {
    if ((await refreshKnown(work, tx, [built])).length === 0) {
      count(work, [built])
      return { cost: room, next: writePage(work, movedTo(built.item.sequence, position)) }
    }
    const { identity, clock } = work.options
    await startDocuments(tx, [built], { identity, now: clock(), whole: false })
    return writeLong(work, { built, from: 0 }, position)(tx, room)
  }
}

function writeLong(work: Work, { built, from }: { built: Built; from: number }, position: Position): Phase {
  return async (tx, room) => {
    const { item, document, parts } = built
    // The item was replaced meanwhile.
    if (from > 0 && !(await isUnfinished(tx, document))) return { cost: 0, next: writePage(work, position) }
    const to = Math.min(parts.length, from + room)
    await writeChunks(work, tx, { parts: parts.slice(from, to), inside: item.sequence < position.lastWritten, isNew: from === 0 })
    if (to < parts.length) return { cost: to - from, next: writeLong(work, { built, from: to }, position) }
    await finishDocument(tx, document, parts.length)
    count(work, [built])
    return { cost: room, next: writePage(work, movedTo(item.sequence, position)) }
  }
}

function settle(work: Work): Phase {
  return async (tx) => {
    const visited = await work.group.settle(tx, work.totals, work.wroteAgain)
    if (visited !== undefined) return { cost: 1, visited }
    work.wroteAgain = true
    return { cost: 1, next: begin(work) }
  }
}

interface Gathering {
  readonly tx: WriteTx
  readonly room: number
  readonly items: readonly Item[]
}

/** `next` did not fit. */
async function gather(work: Work, { tx, room, items }: Gathering): Promise<{ group: Built[]; looked: number; next?: Built }> {
  const builders = new Map<Indexable, Awaited<ReturnType<Indexable['builder']>>>()
  for (const indexable of INDEXABLES) {
    const own = items.filter(({ kind }) => indexable.kinds.includes(kind))
    if (own.length > 0) builders.set(indexable, await indexable.builder(tx.db, own, work.options))
  }
  const group: Built[] = []
  let chunks = 0
  let looked = 0
  for (const item of items) {
    const build = builders.get(indexableOf(item))
    const built = build && (await builtOf(work, item, build))
    looked++
    if (built === undefined) continue
    if (chunks + built.parts.length > room) return { group, looked, next: built }
    chunks += built.parts.length
    group.push(built)
  }
  return { group, looked }
}

function indexableOf({ kind }: Item): Indexable {
  return INDEXABLES.find(({ kinds }) => kinds.includes(kind)) as Indexable
}

/** Undefined if current or invalid; the rest continues. */
async function builtOf(work: Work, item: Item, build: (id: string) => Promise<IndexDocument>): Promise<Built | undefined> {
  const { accepts, force } = work.options
  try {
    const document = await build(item.id)
    const same = item.path === document.path && item.hash === document.hash && accepts.includes(item.identity ?? '')
    return same && !force ? undefined : { item, document, parts: partsOf(document, work) }
  } catch (error) {
    work.totals.errors.add(`${item.kind} ${item.id} cannot be indexed: ${asMnemonicError(error).message}`)
    return undefined
  }
}

function partsOf(document: IndexDocument, { group, options: { maxTokens, owner } }: Work): ChunkParts[] {
  const { sections = [{ title: group.title, messages: document.messages }] } = document
  return sections.flatMap(({ title, messages }) =>
    chunkDocument({ ...document, messages }, { maxTokens, ownerName: owner.name }).map((draft) => ({ document, draft, title })),
  )
}

/** Unchanged text is only refreshed. */
async function writeGroup(work: Work, tx: WriteTx, { group, inside }: { group: readonly Built[]; inside: boolean }): Promise<void> {
  const fresh = await refreshKnown(work, tx, group)
  count(work, group)
  if (fresh.length === 0) return
  await startDocuments(tx, fresh, { identity: work.options.identity, now: work.options.clock(), whole: true })
  await writeChunks(work, tx, { parts: fresh.flatMap(({ parts }) => parts), inside, isNew: true })
}

/** Returns those still to write. */
async function refreshKnown({ options }: Work, tx: WriteTx, group: readonly Built[]): Promise<Built[]> {
  const known = group.flatMap(({ item }) => (item.file === null ? [] : [item.file]))
  if (known.length === 0) return [...group]
  const stored = await storedChunks(tx, known)
  const rest: Built[] = []
  for (const built of group) {
    const rows = built.item.file === null ? undefined : stored.get(built.item.file)
    if (rows !== undefined && hasSameText(built, rows)) await refreshDocument(tx, { built, stored: rows }, options)
    else rest.push(built)
  }
  return rest
}

function count({ totals, group: of }: Work, group: readonly Built[]): void {
  totals.documents += group.length
  for (const { document, parts } of group) {
    of.wrote?.(document, parts.length)
    totals.chunks += parts.length
    for (const id of document.shortened) totals.shortened.add(id)
  }
}

interface NewChunks {
  readonly parts: readonly ChunkParts[]
  readonly inside: boolean
  readonly isNew: boolean
}

async function writeChunks({ group, options }: Work, tx: WriteTx, { parts, inside, isNew }: NewChunks): Promise<void> {
  const extracted = await extract(tx, options.analyze ? parts.map(({ draft }) => draft) : [])
  const added = await chunkContexts(tx.db, parts.map(chunkOfPart))
  const created_at = options.clock()
  const rows: NewChunk[] = []
  const ends: { readonly next: number; readonly document: NumberedDocument }[] = []
  for (const run of group.ownNumbers ? byDocument(parts) : [parts]) {
    const document = { path: run[0]?.document.path ?? '', isNew }
    const { first, step } = await group.numbers(tx, inside, document)
    for (const [i, part] of run.entries())
      rows.push({
        ...chunkRow(part, extracted.get(part.draft.contentHash), options.owner, added(chunkOfPart(part))),
        chunk_index: first + i * step,
        created_at,
      })
    if (step > 0) ends.push({ next: first + run.length, document })
  }
  await tx.chunks.addAll(rows)
  for (const { next, document } of ends) await group.appended(tx, next, document)
}

function byDocument(parts: readonly ChunkParts[]): ChunkParts[][] {
  const runs: ChunkParts[][] = []
  for (const part of parts) {
    const run = runs.at(-1)
    if (run?.[0]?.document === part.document) run.push(part)
    else runs.push([part])
  }
  return runs
}
