/** Worker thread for a sync's database-free work. Only for large reads: startup outlasts most syncs. Rows are identical without it. */
import { Worker } from 'node:worker_threads'
import type { MakeLabels } from '../../analyze/run/label-waiting.ts'
import { type LabelledTurn, labelled } from '../../analyze/run/labelled.ts'
import { MnemonicError } from '../../core/error.ts'
import { receivedError } from '../../core/sent-error.ts'
import { workOfCall } from '../../index/work-of-call.ts'
import type { MakeWork } from '../../index/work-stage.ts'
import { isSourceName } from '../../ingest/capture/descriptions.ts'
import type { OpenUnit, ReadAhead, Reading, UnitToRead } from '../../ingest/open-unit.ts'
import type { NewWork } from '../../store/work-rows.ts'
import type { Made, Piece, Reply, Request, Start } from './messages.ts'

/** Node 20 runs no TypeScript: tests start the built worker. */
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/jobs/beside/worker.js' : './worker.js', import.meta.url)

/** Reading this much takes longer than starting a thread. */
const WORTH_BYTES = 16 << 20

/** Data is short-lived: a larger heap only costs memory. */
const YOUNG_MB = 16

/** Most pending requests; beyond this the caller works itself. */
const MOST_ASKED = 2

export interface Beside {
  readonly readAhead: ReadAhead
  readonly makeWork: MakeWork
  readonly makeLabels: MakeLabels
  /** Safe at any time: the thread holds no state. */
  close(): Promise<void>
}

export interface BesideOptions extends Start {
  /** Bytes; default 16 MB. For tests. */
  readonly from?: number | undefined
}

export function beside({ from = WORTH_BYTES, config, paths }: BesideOptions): Beside {
  let thread: Thread | undefined
  /** A further request would only wait. */
  const isFree = () => thread !== undefined && thread.asked() < MOST_ASKED
  return {
    readAhead(reading, units) {
      if (!canBeReadThere(reading, units) || bytesOf(reading, units) < from) return undefined
      thread ??= startThread({ config, paths })
      return readThere(thread, reading, units)
    },
    makeWork: async (calls) =>
      (isFree() ? thread?.make({ kind: 'work', input: calls }) : undefined) ?? calls.map((call) => workOfCall(call, config.index.tools)),
    makeLabels: async (episodes) => (isFree() ? thread?.make({ kind: 'labels', input: episodes }) : undefined) ?? labelled(episodes),
    close: async () => thread?.close(),
  }
}

/** Not for databases, custom adapters, or pipes (read once). */
function canBeReadThere({ adapter }: Reading, units: readonly UnitToRead[]): boolean {
  // Mail is mostly attachments, which are skipped quickly.
  return isSourceName(adapter.name) && adapter.name !== 'gmail' && !adapter.rewritten && !units.some(({ unit }) => unit.once)
}

function bytesOf({ reread }: Reading, units: readonly UnitToRead[]): number {
  return units.reduce((sum, { unit, state }) => sum + unit.size - (reread ? 0 : Math.min(unit.size, state?.offset ?? 0)), 0)
}

function readThere(thread: Thread, { adapter, reader, reread }: Reading, units: readonly UnitToRead[]): OpenUnit {
  thread.read({ kind: 'read', adapter: adapter.name, reread, units })
  let isOpen = false
  async function take(): Promise<Piece> {
    const piece = await thread.piece()
    isOpen = !piece.end
    reader.count(piece.bytes)
    return piece
  }
  async function* itemsFrom(first: Piece) {
    for (let piece = first; ; piece = await take()) {
      for (const item of piece.items) yield item
      if (piece.error !== undefined) throw receivedError(piece.error)
      if (piece.end) return
    }
  }
  return async () => {
    while (isOpen) await take()
    const first = await take()
    return { since: first.since, items: itemsFrom(first) }
  }
}

interface Thread {
  read(request: Request): void
  piece(): Promise<Piece>
  make(request: Extract<Request, { kind: 'work' }>): Promise<readonly NewWork[]>
  make(request: Extract<Request, { kind: 'labels' }>): Promise<readonly LabelledTurn[]>
  asked(): number
  close(): Promise<void>
}

interface Waits<T> {
  resolve(value: T): void
  reject(error: unknown): void
}

function startThread(start: Start): Thread {
  // Process flags such as --input-type would stop the thread from starting.
  const worker = new Worker(ENTRY, {
    workerData: start,
    name: 'beside',
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  })
  const pieces = arrivals<Piece>()
  const made = arrivals<Made>()
  const post = (request: Request) => worker.postMessage(request)
  let why: unknown
  let asked = 0
  worker.on('message', (reply: Reply) => (reply.kind === 'piece' ? pieces.put(reply) : made.put(reply)))
  worker.on('error', (error) => {
    why = error
  })
  worker.once('exit', () => {
    pieces.fail(ended(why))
    made.fail(ended(why))
  })
  return {
    read: post,
    async piece() {
      const piece = await pieces.next()
      post({ kind: 'taken' })
      return piece
    },
    make: async (request) => {
      post(request)
      asked++
      const reply = await made.next().finally(() => asked--)
      if (reply.kind === 'failed') throw receivedError(reply.error)
      return reply.output as never
    },
    asked: () => asked,
    close: async () => void (await worker.terminate()),
  }
}

function arrivals<T>() {
  const here: T[] = []
  const waiting: Waits<T>[] = []
  let failed: unknown
  return {
    put(value: T): void {
      const next = waiting.shift()
      if (next === undefined) here.push(value)
      else next.resolve(value)
    },
    fail(error: unknown): void {
      failed = error
      for (const { reject } of waiting.splice(0)) reject(error)
    },
    next(): Promise<T> {
      const value = here.shift()
      if (value !== undefined) return Promise.resolve(value)
      if (failed !== undefined) return Promise.reject(failed)
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
  }
}

/** Stops the run: the unit is not at fault. */
function ended(cause: unknown): MnemonicError {
  return new MnemonicError('INTERRUPTED', 'the thread that reads ahead ended unexpectedly', {
    details: { entry: ENTRY.pathname },
    hint: 'Run the command again; it goes on from there.',
    cause,
  })
}
