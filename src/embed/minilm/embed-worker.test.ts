import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbedWorker, embedWorker } from './embed-worker.ts'
import { loadMinilm } from './load-minilm.ts'

const folder = mkdtempSync(join(tmpdir(), 'embed-worker-'))
const texts = Array.from({ length: 120 }, (_, at) => `Note ${at}: ${'the tide comes in and the boats lie still. '.repeat((at % 9) + 1)}`)
let worker: EmbedWorker

beforeAll(async () => {
  worker = await embedWorker({ modelsFolder: folder, threads: 2 })
})

afterAll(async () => {
  await worker.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a program in its own process, with `worker` started. */
function program(body: string, env: NodeJS.ProcessEnv = process.env): Promise<{ code: number; stdout: string; stderr: string }> {
  const entry = new URL('../../../dist/embed/minilm/embed-worker.js', import.meta.url).href
  const code = `import { embedWorker } from ${JSON.stringify(entry)}
    const worker = await embedWorker({ modelsFolder: ${JSON.stringify(folder)}, threads: 2 })
    const texts = Array.from({ length: 200 }, (_, at) => 'some words about the sea and the sky '.repeat(at % 30))
    ${body}`
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', code], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    )
  })
}

describe('embed worker', () => {
  it('gives the vectors of the same model in this thread, in the order of the texts', async () => {
    const minilm = await loadMinilm({ modelsFolder: folder })
    const [expected, got] = [await minilm.embed(texts), await worker.embed(texts)]
    expect(got).toHaveLength(texts.length)
    for (const [at, vector] of expected.entries()) {
      for (const [dimension, value] of vector.entries()) expect(got[at]?.[dimension]).toBeCloseTo(value, 5)
    }
    await minilm.close()
  })

  it('an urgent text does not wait for the queue', async () => {
    const order: string[] = []
    const bulk = worker.embed([...texts, ...texts]).then(() => order.push('bulk'))
    await worker.embed(['where are the boats?'], { urgent: true }).then(() => order.push('urgent'))
    expect(order).toEqual(['urgent'])
    await bulk
  })

  it('a call that is stopped fails at once, and leaves the worker to others', async () => {
    const stop = new AbortController()
    let ended = false
    const bulk = worker.embed([...texts, ...texts, ...texts], { signal: stop.signal }).finally(() => {
      ended = true
    })
    const other = worker.embed(['the boats'])
    setTimeout(() => stop.abort(), 20)
    await expect(bulk).rejects.toMatchObject({ code: 'INTERRUPTED' })
    expect(ended).toBe(true)
    expect(await other).toHaveLength(1)
    await expect(worker.embed(['never begun'], { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'INTERRUPTED' })
    expect(await worker.embed(['the sea'])).toHaveLength(1)
  })

  it('the event loop turns while the workers work', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await worker.embed(texts)
    clearInterval(timer)
    // Zero while blocked; the rest depends on the machine.
    expect(turns).toBeGreaterThan(2)
  })

  it('no texts give no vectors', async () => {
    expect(await worker.embed([])).toEqual([])
  })

  it('closing fails what is queued, and the worker takes nothing after that', async () => {
    const other = await embedWorker({ modelsFolder: folder, threads: 1 })
    const bulk = other.embed(texts)
    const failed = expect(bulk).rejects.toMatchObject({ code: 'INTERRUPTED' })
    await other.close()
    await failed
    await expect(other.embed(['more'])).rejects.toMatchObject({ code: 'INTERRUPTED' })
  })

  it('a model that cannot be written is an error of the start', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    await expect(embedWorker({ modelsFolder: join(file, 'models'), threads: 1 })).rejects.toMatchObject({ code: 'STORAGE_ERROR' })
    rmSync(file)
  })

  it('a process that has embedded its texts ends by itself', async () => {
    expect(await program('await worker.embed(texts.slice(0, 8)); process.exitCode = 5')).toMatchObject({ code: 5, stderr: '' })
  })

  it.each([10, 45, 80, 120])('a process may exit while the workers are busy, %i ms into their work', async (delay) => {
    const body = `worker.embed(texts).catch(() => undefined); setTimeout(() => process.exit(7), ${delay})`
    expect(await program(body)).toMatchObject({ code: 7, stderr: '' })
  })

  it('nothing is kept about the user: the runtime’s telemetry never starts', async () => {
    const home = mkdtempSync(join(tmpdir(), 'embed-home-'))
    const { ORT_DISABLE_TELEMETRY: _, CI: __, XDG_CACHE_HOME: ___, ...rest } = process.env
    const { code } = await program('await worker.embed(["a"]); await worker.close()', { ...rest, HOME: home })
    expect(code).toBe(0)
    expect(existsSync(home) && readdirSync(home)).toEqual([])
    rmSync(home, { recursive: true, force: true })
  })
})
