/** Keeps no idle process alive. */

import type { Worker } from 'node:worker_threads'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { receivedError } from '../../core/sent-error.ts'
import { throwIfStopped } from '../../core/stopped.ts'
import { tasksOf } from './batches.ts'
import { DIMENSIONS, IDENTITY } from './engine.ts'
import type { Embedded, Minilm, MinilmOptions, WithTokens } from './load-minilm.ts'
import { closeGate, type Gate, shutGate } from './native-gate.ts'
import { ENTRY, type StartedWorker, startWorker } from './started-worker.ts'
import type { Reply, Request, Vectors } from './worker-message.ts'

export interface EmbedWorkerOptions extends Omit<MinilmOptions, 'threads' | 'guard'> {
  /** Workers, each with its own model and one thread; started on demand. */
  readonly threads: number
  /** Aborted before the process exits: no worker may enter native code afterwards. */
  readonly abandoned?: AbortSignal
  readonly started?: StartedWorker
}

export interface EmbedWorker extends Minilm {
  /** An urgent call overtakes queued texts, not running ones. Aborting fails the call at once and drops its queued texts. */
  embed(texts: readonly string[], options?: CallOptions): Promise<Float32Array[]>
  run(texts: readonly string[], options?: RunOptions): Promise<Embedded[]>
  /** Finishes running texts; queued ones fail with INTERRUPTED. */
  close(): Promise<void>
}

interface CallOptions {
  readonly urgent?: boolean
  readonly signal?: AbortSignal
}

interface RunOptions extends CallOptions {
  readonly tokens?: WithTokens
}

interface Task extends Exclude<Request, 'close'> {
  resolve(found: Vectors): void
  reject(error: MnemonicError): void
}

interface Member {
  readonly worker: Worker
  readonly gate: Gate
  readonly gone: Promise<void>
  ready: boolean
  task: Task | undefined
}

type Ready = Extract<Reply, { kind: 'ready' }>

interface Pool {
  readonly options: EmbedWorkerOptions
  readonly members: Set<Member>
  readonly urgent: Task[]
  readonly queued: Task[]
  readonly atExit: () => void
  closed: boolean
}

export async function embedWorker(options: EmbedWorkerOptions): Promise<EmbedWorker> {
  const members = new Set<Member>()
  const atExit = () => {
    for (const member of members) closeGate(member.gate)
  }
  const pool: Pool = { options, members, urgent: [], queued: [], atExit, closed: false }
  process.on('exit', atExit)
  options.abandoned?.addEventListener('abort', () => {
    for (const member of members) shutGate(member.gate)
  })
  const { engine, fallback, givesStates } = await new Promise<Ready>((resolve, reject) => {
    addMember(pool, resolve, (error) => {
      process.off('exit', atExit)
      reject(error)
    })
  })
  return {
    ...IDENTITY,
    engine,
    fallback,
    givesStates,
    embed: async (texts, { urgent, signal } = {}) => (await runAll(pool, texts, given({ urgent, signal }))).map(({ vector }) => vector),
    run: (texts, options = {}) => runAll(pool, texts, options),
    close: () => close(pool),
  }
}

async function runAll(pool: Pool, texts: readonly string[], { urgent = false, signal, tokens }: RunOptions): Promise<Embedded[]> {
  throwIfStopped(signal, 'embedding')
  const embedded: Embedded[] = new Array(texts.length)
  const queue = urgent ? pool.urgent : pool.queued
  const tasks: Task[] = []
  const done = tasksOf(texts).map(async (indexes) => {
    const found = await new Promise<Vectors>((resolve, reject) => {
      const task: Task = { texts: indexes.map((index) => texts[index] ?? ''), ...given({ tokens }), resolve, reject }
      tasks.push(task)
      if (pool.closed) reject(interrupted())
      else queue.push(task)
    })
    for (const [position, one] of received(found).entries()) embedded[indexes[position] as number] = one
  })
  const stop = () => {
    queue.splice(0, queue.length, ...queue.filter((task) => !tasks.includes(task)))
    for (const { reject } of tasks) reject(interrupted())
  }
  signal?.addEventListener('abort', stop, { once: true })
  dispatch(pool)
  try {
    await Promise.all(done)
  } catch (error) {
    throwIfStopped(signal, 'embedding')
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
  }
  return embedded
}

function received({ values, counts, bits, states, pieces }: Vectors): Embedded[] {
  let before = 0
  return Array.from({ length: values.length / DIMENSIONS }, (_, at) => {
    const vector = values.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS)
    const [from, to] = [before, before + (counts?.[at] ?? 0)]
    before = to
    if (bits) return { vector, bits: bits.subarray((from * DIMENSIONS) >> 3, (to * DIMENSIONS) >> 3) }
    return states && pieces
      ? { vector, states: states.subarray(from * DIMENSIONS, to * DIMENSIONS), pieces: pieces.slice(from, to) }
      : { vector }
  })
}

function dispatch(pool: Pool): void {
  for (const member of pool.members) {
    if (!member.ready || member.task) continue
    member.task = pool.urgent.shift() ?? pool.queued.shift()
    if (!member.task) return
    member.worker.ref()
    const { texts, tokens } = member.task
    member.worker.postMessage({ texts, ...given({ tokens }) } satisfies Request)
  }
  const waiting = pool.urgent.length + pool.queued.length > 0
  const starting = [...pool.members].some((member) => !member.ready)
  if (waiting && !starting && !pool.closed && pool.members.size < Math.max(1, pool.options.threads)) addMember(pool)
}

function addMember(pool: Pool, started?: (reply: Ready) => void, failed?: (error: MnemonicError) => void): void {
  const { threads: _, abandoned: __, started: first, ...options } = pool.options
  const { worker, gate, listen } = started !== undefined && first !== undefined ? first : startWorker(options)
  let cause: unknown
  let gone: () => void = () => undefined
  const member: Member = {
    worker,
    gate,
    gone: new Promise((resolve) => {
      gone = resolve
    }),
    ready: false,
    task: undefined,
  }
  pool.members.add(member)
  const heard = (reply: Reply) => {
    if (reply.kind === 'ready') {
      member.ready = true
      started?.(reply)
    } else if (member.ready) finish(member, reply)
    else cause = reply.kind === 'error' ? receivedError(reply.error) : undefined
    if (member.ready && !member.task && !pool.closed) worker.unref()
    dispatch(pool)
  }
  const ended = () => {
    gone()
    pool.members.delete(member)
    const error = cause instanceof MnemonicError ? cause : lost(cause)
    if (!member.ready) failed?.(error)
    member.task?.reject(error)
    if (pool.members.size === 0 && !member.ready) failAll(pool, error)
    else if (!pool.closed) dispatch(pool)
  }
  listen((what, value) => {
    if (what === 'message') heard(value as Reply)
    else if (what === 'exit') ended()
    else cause = value
  })
}

function finish(member: Member, reply: Exclude<Reply, Ready>): void {
  const { task } = member
  member.task = undefined
  if (reply.kind === 'vectors') task?.resolve(reply)
  else task?.reject(receivedError(reply.error))
}

async function close(pool: Pool): Promise<void> {
  pool.closed = true
  failAll(pool, interrupted())
  // Ask, do not terminate: killing a thread inside native code can abort the process.
  for (const { worker } of pool.members) {
    worker.ref()
    worker.postMessage('close' satisfies Request)
  }
  await Promise.all([...pool.members].map((member) => member.gone))
  process.off('exit', pool.atExit)
}

function failAll(pool: Pool, error: MnemonicError): void {
  for (const task of [...pool.urgent.splice(0), ...pool.queued.splice(0)]) task.reject(error)
}

function interrupted(): MnemonicError {
  return new MnemonicError('INTERRUPTED', 'the embedder was closed')
}

function lost(cause: unknown): MnemonicError {
  return new MnemonicError('EMBEDDING_FAILED', 'the embedding worker ended unexpectedly', {
    details: { entry: ENTRY.pathname },
    hint: 'Run the command again; texts without vectors are embedded then.',
    cause,
  })
}
