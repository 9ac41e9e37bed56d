/** The entry of the embedding worker: one model in a thread of its own. Started by embed-worker.ts, never imported. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { sentError } from '../../core/sent-error.ts'
import { loadMinilm, type Minilm } from './load-minilm.ts'
import { throughGate } from './native-gate.ts'
import type { Reply, Request, Start } from './worker-message.ts'

const port = parentPort
if (port) void start(port, workerData as Start)

async function start(from: MessagePort, { options, gate }: Start): Promise<void> {
  try {
    const minilm = await loadMinilm({ ...options, guard: (call) => throughGate(gate, call) })
    from.on('message', async (request: Request) => {
      if (request !== 'close') return send(await answer(minilm, request.texts))
      await minilm.close()
      from.close()
    })
    send({ kind: 'ready', engine: minilm.engine, fallback: minilm.fallback })
  } catch (error) {
    send({ kind: 'error', error: sentError(error, 'EMBEDDING_FAILED') })
  }
}

async function answer(minilm: Minilm, texts: readonly string[]): Promise<Reply> {
  try {
    const vectors = await minilm.embed(texts)
    const values = new Float32Array(vectors.length * minilm.dimensions)
    for (const [index, vector] of vectors.entries()) values.set(vector, index * minilm.dimensions)
    return { kind: 'vectors', values }
  } catch (error) {
    return { kind: 'error', error: sentError(error, 'EMBEDDING_FAILED') }
  }
}

function send(reply: Reply): void {
  port?.postMessage(reply, reply.kind === 'vectors' ? [reply.values.buffer as ArrayBuffer] : [])
}
