import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collectItems, lastCheckpoint, recordsOf } from '../../../test/helpers/collect-items.ts'
import type { AgentRecord } from '../../ledgers/agent-record.ts'
import type { ReadItem } from '../adapter.ts'
import { claudeCode } from './claude-code.ts'

const own = resolve('test/fixtures/claude-code/projects/-home-ada-garden')
const shared = resolve('../shared/fixtures/claude-code')
const adapter = claudeCode({ paths: [] })

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mnemonic-resume-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Records before the last checkpoint; later ones are emitted again. */
function doneRecords(items: readonly ReadItem[]): AgentRecord[] {
  return recordsOf(items.slice(0, items.findLastIndex((item) => item.type === 'checkpoint') + 1))
}

/** Reads the first `cut` bytes, then resumes on the whole file. */
async function inTwo(bytes: Buffer, cut: number, name: string): Promise<AgentRecord[]> {
  const path = join(folder, name)
  writeFileSync(path, bytes.subarray(0, cut))
  const before = await collectItems(adapter, path)
  const since = lastCheckpoint(before)
  writeFileSync(path, bytes)
  const after = await collectItems(adapter, path, since === undefined ? {} : { since })
  return [...doneRecords(before), ...recordsOf(after)]
}

async function whole(bytes: Buffer, name: string): Promise<AgentRecord[]> {
  writeFileSync(join(folder, name), bytes)
  return recordsOf(await collectItems(adapter, join(folder, name)))
}

function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

describe('a transcript read in two pieces gives the records of one reading', () => {
  it.each(readdirSync(own).filter((file) => file.endsWith('.jsonl')))(
    '%s, cut at every line, before every line end and at random bytes',
    async (file) => {
      const bytes = readFileSync(join(own, file))
      const expected = await whole(bytes, file)
      expect(expected.length).toBeGreaterThan(0)
      const boundaries = [...bytes.keys()].filter((at) => at > 0 && bytes[at - 1] === 10)
      const next = random(7)
      const cuts = [
        ...boundaries,
        ...boundaries.map((at) => at - 1),
        ...Array.from({ length: 40 }, () => Math.floor(next() * bytes.length)),
      ]
      for (const cut of cuts) expect(await inTwo(bytes, cut, file)).toEqual(expected)
    },
  )

  const samples = [
    'entire/image-paste-2.1.29.jsonl',
    'entire/compact-2.0.76.jsonl',
    'happy/task_non_sdk.jsonl',
    'agent-sessions/small.jsonl',
  ]
  if (!existsSync(shared)) process.stderr.write('skipped: the public Claude Code samples are not on this machine\n')
  it.skipIf(!existsSync(shared)).each(samples)('public sample %s, cut at many offsets', async (sample) => {
    const bytes = readFileSync(join(shared, sample))
    const file = basename(sample)
    const expected = await whole(bytes, file)
    const next = random(11)
    for (let i = 0; i < 20; i++) {
      const cut = Math.floor(next() * bytes.length)
      const boundary = bytes.lastIndexOf(10, cut) + 1
      expect(await inTwo(bytes, cut, file)).toEqual(expected)
      if (boundary > 0) expect(await inTwo(bytes, boundary, file)).toEqual(expected)
    }
  })

  it('reading can go on from every checkpoint of a long file, and its carry is small', async () => {
    const line = (n: number) => ({
      type: n % 2 ? 'assistant' : 'user',
      uuid: `u${n}`,
      parentUuid: n ? `u${n - 1}` : null,
      sessionId: 's1',
      isSidechain: n % 7 === 0,
      message: { ...(n % 2 ? { id: `m${n}` } : {}), content: 'word '.repeat(400) },
    })
    const path = join(folder, 'long.jsonl')
    writeFileSync(path, Array.from({ length: 400 }, (_, n) => `${JSON.stringify(line(n))}\n`).join(''))
    const items = await collectItems(adapter, path)
    const checkpoints = items.flatMap((item, at) => (item.type === 'checkpoint' ? [{ item, at }] : []))
    expect(checkpoints.length).toBeGreaterThan(8)
    for (const { item, at } of checkpoints) {
      expect(JSON.stringify(item.carry).length).toBeLessThan(16_000)
      expect(await collectItems(adapter, path, { since: item })).toEqual(items.slice(at + 1))
    }
  })
})
