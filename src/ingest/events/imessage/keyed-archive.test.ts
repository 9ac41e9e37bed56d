import { expect, it } from 'vitest'
import { archivedDictionary, archivedUrl, binaryPlist, keyedArchive, Uid } from '../../../../test/helpers/binary-plist.ts'
import { random } from '../../../../test/helpers/generate-claude.ts'
import { readAttributedText } from './attributed-text.ts'
import { readBalloon } from './balloon.ts'
import { readPlist } from './binary-plist.ts'
import { readEdits } from './edits.ts'
import { readKeyedArchive } from './keyed-archive.ts'

const SARAH = '+14155552671'
const VALUE = {
  a: [1, 2.5, true, null, 'text', 'höher 🎈'],
  long: Array.from({ length: 40 }, (_, n) => `n${n}`),
  data: Buffer.from([1, 2]),
  n: -5,
}

it('a binary property list', () => {
  expect(readPlist(binaryPlist(VALUE))).toEqual(VALUE)
  expect(readPlist(binaryPlist(new Uid(300)))).toEqual({ value: 300 })
  expect([readPlist(Buffer.from('bplist00')), readPlist(Buffer.from('{}')), readPlist(Buffer.alloc(0))]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

it('the text of an archived attributed string, with its runs', () => {
  const archive = keyedArchive({
    class: 'NSMutableAttributedString',
    fields: {
      NSString: 'Look Dad',
      NSAttributes: {
        class: 'NSArray',
        fields: {
          'NS.objects': [
            archivedDictionary({ __kIMMessagePartAttributeName: 0 }),
            archivedDictionary({ __kIMMentionConfirmedMention: SARAH }),
          ],
        },
      },
      NSAttributeInfo: Buffer.from([5, 0, 3, 1]),
    },
  })
  expect(readAttributedText(archive)).toEqual({
    text: 'Look Dad',
    runs: [
      { from: 0, to: 5, part: 0 },
      { from: 5, to: 8, mention: SARAH },
    ],
  })
})

it('damage never throws and never takes long: bits, ends, lists that hold themselves, lists of the same list', () => {
  const rand = random(3)
  const link = keyedArchive({
    class: 'RichLink',
    fields: { richLinkMetadata: { class: 'LPLinkMetadata', fields: { URL: archivedUrl('https://a.example') } } },
  })
  for (const whole of [binaryPlist(VALUE), link, binaryPlist({ ec: { 0: [{ t: Buffer.from('x'), d: 1.5 }] }, rp: [0] })]) {
    for (let round = 0; round < 600; round++) {
      const bytes = Buffer.from(whole)
      for (let flips = Math.floor(rand() * 4); flips >= 0; flips--) bytes[Math.floor(rand() * bytes.length)] = Math.floor(rand() * 256)
      const odd = round % 3 === 0 ? bytes.subarray(0, Math.floor(rand() * bytes.length)) : bytes
      readPlist(odd)
      readKeyedArchive(odd)?.entries()
      readEdits(odd)
      readBalloon('com.apple.messages.URLBalloonProvider', odd)
      readBalloon('game', odd)
    }
  }
  // Thirty lists, each holding the next twice: expanded, a billion values.
  const lists = Array.from({ length: 30 }, (_, n) => Buffer.from([0xa2, 0, Math.min(n + 1, 29), 0, Math.min(n + 1, 29)]))
  const body = Buffer.concat([Buffer.from('bplist00'), ...lists])
  const trailer = Buffer.alloc(32)
  trailer.writeUInt8(1, 6)
  trailer.writeUInt8(2, 7)
  trailer.writeBigUInt64BE(30n, 8)
  trailer.writeBigUInt64BE(BigInt(body.length), 24)
  const value = readPlist(Buffer.concat([body, Buffer.from(lists.map((_, n) => 8 + n * 5)), trailer]))
  expect(Array.isArray(value) && value.length).toBe(2)
})
