import { describe, expect, it } from 'vitest'
import { random } from '../../../../test/helpers/generate-claude.ts'
import { attributedBody, Encoder } from '../../../../test/helpers/typed-stream.ts'
import { readAttributedText } from './attributed-text.ts'
import { readTypedStream, type TypedObject } from './typedstream.ts'

const PART = '__kIMMessagePartAttributeName'

describe.each([false, true])('a typed stream, big endian: %s', (bigEndian) => {
  it('numbers of one, two, four and eight bytes, with and without a sign', () => {
    const numbers = [0, 1, -1, 127, -110, 128, -111, 160, 32767, -32768, 32768, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 2 ** 40, -(2 ** 40)]
    const encoder = new Encoder(bigEndian)
    for (const number of numbers) {
      encoder.type('q')
      encoder.number(number)
    }
    encoder.type('q')
    encoder.number(2n ** 62n + 1n)
    expect(readTypedStream(encoder.bytes())).toEqual({ groups: [...numbers.map((number) => [number]), [2n ** 62n + 1n]] })
  })

  it('floating point, whole where it is whole, bytes, arrays, structures, C strings and nothing', () => {
    const encoder = new Encoder(bigEndian)
    encoder.type('dd')
    encoder.double(-2.5)
    encoder.number(3)
    encoder.type('cC[3c]{point=ii[2s]}')
    encoder.raw(0xff, 0xff, 1, 2, 3)
    for (const number of [300, -4, 5, 70_000]) encoder.number(number)
    encoder.type('**')
    encoder.cString('name')
    encoder.cString('name')
    encoder.type('@')
    encoder.raw(0x85)
    expect(readTypedStream(encoder.bytes())).toEqual({
      groups: [[-2.5, 3], [-1, 255, Buffer.from([1, 2, 3]), [300, -4, [5, 70_000]]], ['name', 'name'], [null]],
    })
  })

  it('references of more than one byte', () => {
    const encoder = new Encoder(bigEndian)
    for (let n = 0; n < 400; n++) {
      encoder.type('*')
      encoder.cString(`c${n}`)
    }
    encoder.type('***')
    for (const n of [0, 200, 399]) encoder.cString(`c${n}`)
    const { groups, problem } = readTypedStream(encoder.bytes())
    expect([problem, groups.at(-1)]).toEqual([undefined, ['c0', 'c200', 'c399']])
  })

  it('an attributed string with its runs', () => {
    const text = 'Hi 👩‍👩‍👧 \ufffc see https://example.org Dad'
    const at = (word: string) => text.indexOf(word)
    const runs = [
      { length: at('\ufffc'), attributes: { [PART]: 0 } },
      { length: 1, attributes: { [PART]: 1, __kIMFileTransferGUIDAttributeName: 'at_1_GUID' } },
      { length: at('https') - at('\ufffc') - 1, attributes: { [PART]: 2 } },
      { length: 19, attributes: { [PART]: 2, __kIMLinkAttributeName: { url: 'https://example.org' } } },
      { length: 1, attributes: { [PART]: 2 } },
      { length: 3, attributes: { [PART]: 2n, __kIMMentionConfirmedMention: '+14155552671' } },
    ]
    expect(readAttributedText(attributedBody(text, runs, { bigEndian }))).toEqual({
      text,
      runs: [
        { from: 0, to: at('\ufffc'), part: 0 },
        { from: at('\ufffc'), to: at('\ufffc') + 1, part: 1, attachment: 'at_1_GUID' },
        { from: at('\ufffc') + 1, to: at('https'), part: 2 },
        { from: at('https'), to: at('https') + 19, part: 2, link: 'https://example.org' },
        { from: at('https') + 19, to: at('Dad'), part: 2 },
        { from: at('Dad'), to: text.length, part: 2, mention: '+14155552671' },
      ],
    })
  })
})

it('a text is as long as it says, whatever bytes it contains', () => {
  const nasty = `NSString\x01+ \u0086\u0084\u0092 iI ${'long '.repeat(30_000)}`
  expect(readAttributedText(attributedBody(nasty))?.text).toBe(nasty)
})

it('an object may hold itself', () => {
  const encoder = new Encoder(false)
  encoder.type('@')
  encoder.object([['NSArray', 0]], () => {
    encoder.type('@')
    encoder.number(0 - 110)
  })
  const [[object] = []] = readTypedStream(encoder.bytes()).groups
  expect((object as TypedObject).groups).toEqual([[object]])
  expect(readAttributedText(encoder.bytes())).toBeUndefined()
})

describe('damage', () => {
  const whole = attributedBody(`A long day ${'and night '.repeat(40)}and then its end`, [
    { length: 4, attributes: { [PART]: 0, __kIMMentionConfirmedMention: 'ada@example.org' } },
    { length: 400, attributes: { [PART]: 1, NSLink: { url: 'https://example.org' } } },
  ])

  it('is told, and what was read before it is kept: a text whose attributes are lost is a text', () => {
    const text = readAttributedText(whole)?.text as string
    const end = whole.indexOf(Buffer.from(text.slice(-16))) + 16
    // A header without content is complete.
    for (const length of Array.from({ length: whole.length }, (_, n) => n).filter((n) => n !== 16)) {
      const cut = whole.subarray(0, length)
      expect([length, readTypedStream(cut).problem === undefined]).toEqual([length, false])
      expect([length, readAttributedText(cut)?.text]).toEqual([length, length < end ? undefined : text])
    }
  })

  it.each([
    ['a length beyond the end', Buffer.concat([new Encoder(false).bytes(), Buffer.from([0x84, 1, 0x2b, 0x82, 0xff, 0xff, 0xff, 0x7f])])],
    ['a thousand million values that take no byte', typed('[1000000000!]')],
    ['arrays of arrays of nothing', typed('[9999[9999[9999[9999!]]]]')],
    ['a type that never closes', typed('[5[5[5[5')],
    ['a type nested very deep', typed(`${'{'.repeat(5000)}${'}'.repeat(5000)}`)],
    ['an unknown type', typed('^v')],
    ['a reference to nothing', Buffer.concat([typed('@'), Buffer.from([0x95])])],
    ['objects in objects without an end', Buffer.concat([typed('@'), Buffer.alloc(50_000, Buffer.from([0x84, 0x85, 0x92]))])],
    ['classes without an end', Buffer.concat([typed('@'), Buffer.from([0x84]), Buffer.alloc(50_000, Buffer.from([0x84, 0x92, 0]))])],
  ])('%s ends the reading', (_, bytes) => {
    expect(readTypedStream(bytes).problem).toBeDefined()
  })

  it('never throws, and never gives more than the bytes hold', () => {
    const rand = random(1)
    const byte = () => Math.floor(rand() * 256)
    const header = whole.subarray(0, 16)
    for (let round = 0; round < 1500; round++) {
      const bytes = Buffer.from(whole)
      for (let flips = Math.floor(rand() * 6); flips >= 0; flips--) bytes[Math.floor(rand() * bytes.length)] = byte()
      const noise = Buffer.concat([header, Buffer.from(Array.from({ length: 200 }, byte))])
      for (const odd of [bytes, bytes.subarray(0, Math.floor(rand() * bytes.length)), noise, noise.subarray(16)]) {
        const { groups } = readTypedStream(odd)
        expect(groups.length).toBeLessThanOrEqual(odd.length)
        expect(readAttributedText(odd)?.text.length ?? 0).toBeLessThanOrEqual(odd.length)
      }
    }
  })
})

function typed(type: string): Buffer {
  const encoder = new Encoder(false)
  encoder.type(type)
  return encoder.bytes()
}
