/** Strings planted through every source, forgotten by every selector: not a byte of them is left, whatever happens afterwards, and all else stays. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Canary, leftOver, plantCanaries } from '../../test/helpers/canaries.ts'
import { fakeEmbedder } from '../../test/helpers/fake-embedder.ts'
import { type TestHome, testHome } from '../../test/helpers/home.ts'
import type { Mnemonic } from '../index.ts'
import type { ForgetReport } from './forget.ts'
import type { ForgetRequest } from './request.ts'

const config = { sources: { chatgpt: { enabled: true }, 'claude-ai': { enabled: true } } }

interface World {
  readonly home: TestHome
  readonly sources: string
  readonly roots: string[]
  readonly canaries: Canary[]
  readonly kept: string[]
  open(): Promise<Mnemonic>
}

function world(): World {
  const home = testHome()
  const sources = join(home.root, 'sources')
  mkdirSync(sources)
  const planted = plantCanaries(sources)
  const open = () => home.open({ config, embedder: fakeEmbedder() })
  return { home, sources, roots: [join(home.root, 'home'), join(home.root, 'workspace')], ...planted, open }
}

async function forgotten(mnemonic: Mnemonic, request: ForgetRequest): Promise<ForgetReport> {
  return (await mnemonic.forget(request)) as ForgetReport
}

async function expectKept(mnemonic: Mnemonic, words: readonly string[]): Promise<void> {
  for (const word of words) {
    const { results } = await mnemonic.search({ query: word })
    expect(results.some(({ content }) => content.includes(word)), word).toBe(true)
  }
}

const texts = (canaries: readonly Canary[]) => canaries.map(({ text }) => text)

it('every canary, one by one, by --match: gone at once, and after sync, index, and the loss of database or tombstones', { timeout: 180_000 }, async () => {
  const { home, sources, roots, canaries, kept, open } = world()
  let mnemonic = await open()
  const { totals } = await mnemonic.sync({ path: sources })
  expect(totals.quarantined).toBe(0)
  await (await mnemonic.artifacts()).publish()
  await mnemonic.exportQmd()
  expect(canaries.length).toBeGreaterThanOrEqual(200)
  const planted = new Set(leftOver(roots, texts(canaries)).map((line) => line.split(' ')[0]))
  // Formats without tool calls leave those out; everything else is there.
  const absent = canaries.filter(({ text }) => !planted.has(text)).map(({ source, where }) => `${source} ${where}`)
  expect(new Set(absent)).toEqual(new Set(['params', 'escaped', 'result'].flatMap((where) => [`jsonl ${where}`])))

  // One of each kind and of each source by itself, then all that is left of a kind by what they have in common.
  for (const { text, source, where } of oneOfEach(canaries)) {
    const report = await forgotten(mnemonic, { match: where === 'prompt' ? text.toUpperCase() : text })
    expect(report, `${source} ${where}`).toMatchObject({ status: 'gone', still_held: [] })
    if (where !== 'escaped') expect(report.removed, `${source} ${where}`).not.toEqual({}) // those went with the parameters
  }
  for (const where of new Set(canaries.map((one) => one.where))) {
    expect(await forgotten(mnemonic, { match: `zq${where}` }), where).toMatchObject({ status: 'gone', still_held: [] })
  }
  expect(leftOver(roots, texts(canaries))).toEqual([])
  await expectKept(mnemonic, kept)

  await mnemonic.sync({ path: sources })
  await mnemonic.index({ scope: 'all' })
  await (await mnemonic.artifacts()).publish()
  expect(leftOver(roots, texts(canaries)), 'after sync and index').toEqual([])

  await mnemonic.close()
  rmSync(join(home.root, 'home'), { recursive: true })
  mnemonic = await open()
  await mnemonic.sync({ path: sources })
  expect(leftOver(roots, texts(canaries)), 'after the loss of the database').toEqual([])
  await expectKept(mnemonic, kept)

  await mnemonic.close()
  rmSync(join(home.root, 'workspace', 'memory', 'tombstones.jsonl'))
  touch(sources)
  mnemonic = await open()
  await mnemonic.sync({ path: sources })
  await mnemonic.index({ scope: 'all' })
  expect(leftOver(roots, texts(canaries)), 'after the loss of the tombstone file').toEqual([])
  await expectKept(mnemonic, kept)
})

function oneOfEach(canaries: readonly Canary[]): Canary[] {
  const seen = new Set<string>()
  return canaries.filter(({ source, where }) => {
    const known = seen.has(source) && seen.has(where)
    seen.add(source).add(where)
    return !known && !(source === 'jsonl' && ['params', 'escaped', 'result'].includes(where))
  })
}

/** A further unit: something to do for the next sync. */
function touch(sources: string): void {
  const line = { session_id: 'later', role: 'user', content: 'One more thing about tides.', timestamp: '2026-04-01T10:00:00Z' }
  writeFileSync(join(sources, 'later.jsonl'), `${JSON.stringify(line)}\n`)
}
