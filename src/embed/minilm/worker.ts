/** Worker entry, started by embed-worker.ts. Never import it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { given } from '../../core/given.ts'
import { sentError } from '../../core/sent-error.ts'
import { type Embedded, loadMinilm, type Minilm } from './load-minilm.ts'
import { throughGate } from './native-gate.ts'
import type { Reply, Request, Start, Vectors } from './worker-message.ts'

const port = parentPort
if (port) void start(port, workerData as Start)

async function start(from: MessagePort, { options, gate }: Start): Promise<void> {
  try {
    const minilm = await loadMinilm({ ...options, guard: (call) => throughGate(gate, call) })
    from.on('message', async (request: Request) => {
      if (request !== 'close') return send(await answer(minilm, request))
      await minilm.close()
      from.close()
    })
    send({ kind: 'ready', engine: minilm.engine, fallback: minilm.fallback, givesStates: minilm.givesStates })
  } catch (error) {
    send({ kind: 'error', error: sentError(error, 'EMBEDDING_FAILED') })
  }
}

async function answer(minilm: Minilm, { texts, tokens }: Exclude<Request, 'close'>): Promise<Reply> {
  try {
    return sent(await minilm.run(texts, given({ tokens })), minilm.dimensions)
  } catch (error) {
    return { kind: 'error', error: sentError(error, 'EMBEDDING_FAILED') }
  }
}

function sent(all: readonly Embedded[], dimensions: number): Vectors {
  const values = new Float32Array(all.length * dimensions)
  for (const [index, { vector }] of all.entries()) values.set(vector, index * dimensions)
  if (!all.some(({ bits, states }) => bits ?? states)) return { kind: 'vectors', values }
  const counts = all.map(({ bits, pieces }) => pieces?.length ?? (bits?.length ?? 0) / (dimensions >> 3))
  const count = counts.reduce((sum, one) => sum + one, 0)
  if (all[0]?.bits)
    return {
      kind: 'vectors',
      values,
      counts,
      bits: joined(
        new Uint8Array((count * dimensions) >> 3),
        all.map(({ bits }) => bits),
      ),
    }
  const states = joined(
    new Float32Array(count * dimensions),
    all.map((one) => one.states),
  )
  return { kind: 'vectors', values, counts, states, pieces: all.flatMap(({ pieces }) => pieces ?? []) }
}

function joined<T extends Float32Array | Uint8Array>(whole: T, parts: readonly (T | undefined)[]): T {
  let at = 0
  for (const part of parts) {
    if (part === undefined) continue
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function send(reply: Reply): void {
  const buffers = reply.kind === 'vectors' ? [reply.values, reply.bits, reply.states] : []
  port?.postMessage(
    reply,
    buffers.flatMap((buffer) => (buffer === undefined ? [] : [buffer.buffer as ArrayBuffer])),
  )
}
