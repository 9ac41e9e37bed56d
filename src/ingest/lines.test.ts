import { describe, expect, it } from 'vitest'
import { type Line, readLines } from './lines.ts'

async function linesOf(bytes: Buffer | string, chunkSize = 7, offset = 0): Promise<Line[]> {
  const whole = Buffer.from(bytes as string)
  async function* chunks() {
    for (let at = offset; at < whole.length; at += chunkSize) yield whole.subarray(at, at + chunkSize)
  }
  const lines: Line[] = []
  for await (const line of readLines(chunks(), { offset, line: 0 })) lines.push(line)
  return lines
}

describe('readLines', () => {
  it('gives the same lines and offsets however the bytes are cut into chunks', async () => {
    const text = 'één\r\n\n{"a":"日本語"}\nlast'
    const expected = await linesOf(text, 1000)
    expect(expected.map((line) => line.text)).toEqual(['één', '', '{"a":"日本語"}', 'last'])
    for (let size = 1; size < 40; size++) expect(await linesOf(text, size)).toEqual(expected)
  })

  it('offsets point to the bytes of the line, its newline included', async () => {
    const bytes = Buffer.from('ä\nbb\nc')
    const lines = await linesOf(bytes)
    expect(lines.map(({ start, end, complete, number }) => [start, end, complete, number])).toEqual([
      [0, 3, true, 1],
      [3, 6, true, 2],
      [6, 7, false, 3],
    ])
    expect(lines.map((line) => bytes.subarray(line.start, line.end).toString()).join('')).toBe('ä\nbb\nc')
  })

  it('goes on from an offset as if it had read the bytes before it', async () => {
    const text = 'one\ntwo\nthree\n'
    expect(await linesOf(text, 5, 4)).toMatchObject([
      { text: 'two', start: 4, end: 8 },
      { text: 'three', start: 8, end: 14 },
    ])
  })

  it('a byte order mark is no text', async () => {
    expect((await linesOf('\ufeff{"a":1}\n'))[0]).toMatchObject({ text: '{"a":1}', start: 0, end: 11 })
  })

  it('an empty file has no line, and a final newline opens none', async () => {
    expect(await linesOf('')).toEqual([])
    expect(await linesOf('a\n')).toHaveLength(1)
  })

  it('says which lines are not UTF-8, and only those', async () => {
    const bytes = Buffer.concat([Buffer.from('good\n'), Buffer.from([0x47, 0xfc, 10]), Buffer.from('ü good\n'), Buffer.from([0xc3])])
    for (const size of [1, 3, 100]) {
      const lines = await linesOf(bytes, size)
      expect(lines.map((line) => line.valid)).toEqual([true, false, true, false])
    }
  })

  it('a character cut in two by a chunk is whole again', async () => {
    const [line] = await linesOf('🎉🎉\n', 3)
    expect(line).toMatchObject({ text: '🎉🎉', valid: true })
  })

  it('reads a line of 64 MB in small chunks in linear time', async () => {
    const piece = Buffer.alloc(64 * 1024, 'a')
    async function* chunks() {
      for (let i = 0; i < 1024; i++) yield piece
      yield Buffer.from('\nend\n')
    }
    const lengths: number[] = []
    for await (const line of readLines(chunks())) lengths.push(line.text.length)
    expect(lengths).toEqual([64 * 1024 * 1024, 3])
  })
})

describe('a line beyond the limit', () => {
  async function read(text: string, size: number, longest: number): Promise<Line[]> {
    const whole = Buffer.from(text)
    async function* chunks() {
      for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size)
    }
    const lines: Line[] = []
    for await (const line of readLines(chunks(), undefined, longest)) lines.push(line)
    return lines
  }

  it('is passed over by name, its neighbours are whole, and all offsets are right', async () => {
    const text = `one\n${'x'.repeat(40)}\ntwo\n`
    for (let size = 1; size < 60; size++) {
      expect((await read(text, size, 39)).map(({ text, start, end, tooLong }) => [text, start, end, tooLong])).toEqual([
        ['one', 0, 4, undefined],
        ['', 4, 45, true],
        ['two', 45, 49, undefined],
      ])
      expect((await read(text, size, 40)).map(({ text }) => text.length)).toEqual([3, 40, 3])
    }
  })

  it('is done with even without its end', async () => {
    expect(await read(`one\n${'x'.repeat(40)}`, 8, 20)).toMatchObject([
      { text: 'one' },
      { text: '', tooLong: true, complete: true, end: 44 },
    ])
  })
})
