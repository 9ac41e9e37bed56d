import { describe, expect, it } from 'vitest'
import { type JsonElement, jsonElements } from './json-elements.ts'

async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer, void, undefined> {
  let from = 0
  for (const size of sizes) {
    yield bytes.subarray(from, from + size)
    from += size
  }
  if (from < bytes.length) yield bytes.subarray(from)
}

async function split(text: string | Buffer, options: { sizes?: readonly number[]; limit?: number } = {}): Promise<JsonElement[]> {
  const elements: JsonElement[] = []
  const chunks = cut(Buffer.from(text as string), options.sizes ?? [])
  for await (const element of jsonElements(chunks, { name: 'x.json', limit: options.limit ?? 1 << 20 })) elements.push(element)
  return elements
}

const values = (elements: readonly JsonElement[]) => elements.map(({ bytes }) => JSON.parse(bytes?.toString('utf8') ?? 'null') as unknown)

const TRICKY = [
  { title: 'brackets ]}[{ and "quotes" and \\ at the end \\', list: [[], [{}], ['a,b']] },
  {},
  { 'key"with\\quotes': '\\"', emoji: '👩‍👩‍👧 שלום', escape: '\u2028\u0000\n' },
  { n: -1.5e10, t: true, f: false, z: null, deep: { a: { b: [1, { c: ']' }] } } },
]

describe('jsonElements', () => {
  it.each([
    ['packed', JSON.stringify(TRICKY)],
    ['indented', JSON.stringify(TRICKY, null, 2)],
    [
      'with escapes for all that is not ASCII',
      JSON.stringify(TRICKY).replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ],
    ['behind a byte order mark and white space', `\ufeff \r\n\t${JSON.stringify(TRICKY)} \n`],
  ])('gives the same elements wherever the stream is cut: %s', async (_, text) => {
    const bytes = Buffer.from(text)
    const whole = JSON.parse(text.replace(/^\ufeff/, '')) as unknown[]
    for (let border = 0; border <= bytes.length; border++) {
      const elements = await split(bytes, { sizes: [border] })
      expect(values(elements)).toEqual(whole)
      for (const { bytes: own, start, end } of elements) expect(own).toEqual(bytes.subarray(start, end))
    }
    const single = await split(bytes, { sizes: Array.from(bytes, () => 1) })
    expect(values(single)).toEqual(whole)
  })

  it('gives a single object as the only element', async () => {
    const elements = await split(' {"a": [1, "}"]}\n', { sizes: [3, 1, 1] })
    expect(values(elements)).toEqual([{ a: [1, '}'] }])
    expect(elements[0]).toMatchObject({ start: 1, end: 16 })
  })

  it('gives nothing for an empty list and for nothing at all', async () => {
    expect(await split('[ \n ]')).toEqual([])
    expect(await split('')).toEqual([])
    expect(await split(' \n')).toEqual([])
  })

  it('gives what is no object too, and leaves the judging to others', async () => {
    const elements = await split('[null, 12 ,"a,]b\\"" , [1],{"a":[}],true]')
    expect(elements.map(({ bytes }) => bytes?.toString().trim())).toEqual(['null', '12', '"a,]b\\""', '[1]', '{"a":[}]', 'true'])
  })

  it.each([
    ['in the list', '[{"a":1},'],
    ['in an object', '[{"a":1},{"b"'],
    ['in a string', '[{"a":1},{"b":"]}'],
    ['behind an escape', '[{"a":1},{"b":"\\'],
    ['before the bracket', '[{"a":1}'],
    ['in a number', '[{"a":1},12'],
  ])('what ends too early is an error, after what was whole: %s', async (_, text) => {
    const seen: string[] = []
    const read = async () => {
      for await (const { bytes } of jsonElements(cut(Buffer.from(text), [4]), { name: 'x.json', limit: 100 })) seen.push(String(bytes))
    }
    await expect(read()).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: { path: 'x.json', offset: text.length } })
    expect(seen).toEqual(['{"a":1}'])
  })

  it.each([
    ['garbage between elements', '[{"a":1} x {"b":2}]', 9],
    ['no comma', '[{"a":1}{"b":2}]', 8],
    ['two commas', '[{"a":1},,{"b":2}]', 9],
    ['something behind the end', '[{"a":1}] {', 10],
    ['no JSON', 'hello', 0],
    ['binary', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 0],
  ])('says where it cannot go on: %s', async (_, text, offset) => {
    await expect(split(text)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: { offset } })
  })

  it('passes over an element that is too long without holding it, and goes on behind it', async () => {
    const long = { text: 'x'.repeat(5000) }
    const text = JSON.stringify([{ a: 1 }, long, { b: 2 }])
    const elements = await split(text, { limit: 100, sizes: Array.from({ length: 50 }, () => 100) })
    expect(elements.map(({ bytes }) => bytes?.toString())).toEqual(['{"a":1}', undefined, '{"b":2}'])
    expect(text.slice(elements[1]?.start, elements[1]?.end)).toBe(JSON.stringify(long))
  })

  it('takes ten thousand nested lists in its stride', async () => {
    const text = `[${'['.repeat(10_000)}${']'.repeat(10_000)}]`
    expect((await split(text, { sizes: [777, 9000] })).map(({ start, end }) => [start, end])).toEqual([[1, 20_001]])
  })
})
