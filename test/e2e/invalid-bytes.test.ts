/** A byte that is no UTF-8 costs its line, wherever it stands, in every format that is read line by line. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runAdapter } from '../helpers/run-adapters.ts'
import type { Exchange, SampleSource } from '../helpers/sample-source.ts'
import { SAMPLE_SOURCES } from '../helpers/sources/all.ts'
import { NOON, tempFolder, tempStore } from '../helpers/store.ts'

const EXCHANGES: readonly Exchange[] = Array.from({ length: 6 }, (_, n) => ({
  prompt: `what is in bed ${n}?`,
  answer: `beans grow in bed ${n}`,
  at: NOON - 3_600_000 + n * 60_000,
}))
const INVALID = Buffer.from([0xc3, 0x28])

interface Read {
  readonly quarantined: number
  readonly badLines: number
  readonly sessions: readonly string[]
  readonly texts: readonly string[]
}

async function readSample(source: SampleSource, change: (lines: Buffer[]) => Buffer): Promise<Read & { lines: number }> {
  const root = join(tempFolder(), 'source')
  const path = source.write(root, 'one', EXCHANGES)
  const bytes = readFileSync(path)
  const lines = bytes
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => Buffer.from(line))
  writeFileSync(path, change(lines))
  const store = await tempStore()
  const report = await runAdapter(store, source.adapter(root))
  const sessions = await store.read.selectFrom('agent_sessions').select('id').orderBy('id').execute()
  const texts = await store.read
    .selectFrom('agent_messages')
    .select('content')
    .where('content', 'is not', null)
    .orderBy('sequence')
    .execute()
  return {
    lines: lines.length,
    quarantined: report.quarantined,
    badLines: report.skipped_lines,
    sessions: sessions.map(({ id }) => id),
    texts: texts.map(({ content }) => content ?? ''),
  }
}

const whole = (lines: readonly Buffer[]) => Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]))
/** Inside a string near the end of the line: its beginning stays readable. */
const damaged = (line: Buffer) => Buffer.concat([line.subarray(0, line.lastIndexOf(0x22)), INVALID, line.subarray(line.lastIndexOf(0x22))])

describe.each(SAMPLE_SOURCES.filter(({ kind }) => kind === 'lines'))('$name', (source) => {
  it('loses one line at most, wherever it stands', async () => {
    const good = await readSample(source, whole)
    expect(good).toMatchObject({ quarantined: 0, badLines: 0 })
    for (let at = 0; at < good.lines; at++) {
      const read = await readSample(source, (lines) => whole(lines.map((line, i) => (i === at ? damaged(line) : line))))
      expect({ at, quarantined: read.quarantined, badLines: read.badLines }).toEqual({ at, quarantined: 0, badLines: 1 })
      expect({ at, sessions: read.sessions }).toEqual({ at, sessions: good.sessions })
      expect(good.texts.filter((text) => !read.texts.includes(text)).length, `line ${at + 1}`).toBeLessThanOrEqual(1)
    }
  }, 60_000)

  it('is quarantined where most lines are no UTF-8', async () => {
    const read = await readSample(source, (lines) => whole(lines.map(damaged)))
    expect(read).toMatchObject({ quarantined: 1, texts: [] })
  })

  it.each([
    ['little', (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])],
    ['big', (text: string) => Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()])],
  ])('UTF-16 (%s-endian) is quarantined, and called so', async (_, encode) => {
    const root = join(tempFolder(), 'source')
    const path = source.write(root, 'one', EXCHANGES)
    writeFileSync(path, encode(readFileSync(path, 'utf8')))
    const store = await tempStore()
    expect((await runAdapter(store, source.adapter(root))).quarantined).toBe(1)
    const [aside] = await store.read.selectFrom('quarantine').select('reasons_json').execute()
    expect(aside?.reasons_json).toContain('UTF-16')
  })
})
