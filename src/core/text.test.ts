import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { clip, isCjk, oneLine, plural, stripControls, words } from './text.ts'

describe('stripControls', () => {
  it.each([
    ['colours', 'a\x1b[1;31mred\x1b[0mb', 'aredb'],
    ['cursor movement and clearing', '\x1b[2J\x1b[10;20Hx\x1b[?25ly', 'xy'],
    ['a window title', '\x1b]0;evil\x07text', 'text'],
    ['a link, keeping its words', '\x1b]8;;https://x.example\x1b\\words\x1b]8;;\x1b\\', 'words'],
    ['a clipboard write', '\x1b]52;c;aGk=\x07x', 'x'],
    ['a device control string', 'a\x1bPq#0;2\x1b\\b', 'ab'],
    ['8-bit sequences', 'a\x9b31mb\x9d0;t\x9cc', 'abc'],
    ['short escapes', 'a\x1bcb\x1b(Bc\x1b7d', 'abcd'],
    ['an unfinished one, keeping the text after it', 'a\x1b]0;title without end', 'a0;title without end'],
    ['an escape at the end', 'a\x1b', 'a'],
    ['bells, backspaces, NUL and DEL', 'a\x07b\x08c\x00d\x7fe\x85f', 'abcdef'],
    ['carriage returns, as newlines', 'a\r\nb\rc', 'a\nb\nc'],
    ['nothing else', 'tab\there\nline ü 世 😀', 'tab\there\nline ü 世 😀'],
  ])('removes %s', (_, text, expected) => {
    expect(stripControls(text)).toBe(expected)
  })

  it('leaves nothing that a terminal obeys, whatever comes in', () => {
    let seed = 3
    const parts = [
      '\x1b',
      '[',
      ']',
      '0;',
      'm',
      '\x07',
      '\\',
      'P',
      '\x9b',
      '\x9d',
      '\x9c',
      'text',
      '\r',
      '\n',
      '\x90',
      ' ',
      '\x1b\x1b[',
      '31',
    ]
    for (let round = 0; round < 2_000; round++) {
      let text = ''
      for (let i = 0; i < 12; i++) {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
        text += parts[Math.floor((seed / 2_147_483_648) * parts.length)]
      }
      expect(stripControls(text)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
    }
  })

  it.each(['\x1b', '\x1b]', '\x1b[', '\x1b[0', '\x1bP', '\x9d', '\x1b[ '])(
    'takes linear time on a megabyte of %j',
    (piece) => {
      expect(stripControls(piece.repeat(1_000_000 / piece.length))).not.toContain('\x1b')
    },
    20_000,
  )
})

describe('oneLine and clip', () => {
  it('collapse white space and controls to one line', () => {
    expect(oneLine('  a\n\n\tb\x1b[31m c\r\nd\u00a0e  ', 80)).toBe('a b c d e')
  })

  it('clip at a word', () => {
    expect(oneLine('the quick brown fox jumps', 18)).toBe('the quick brown…')
    expect(clip('the quick brown fox jumps', 20)).toBe('the quick brown fox…')
  })

  it('clip inside a word that is too long', () => {
    expect(clip('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`)
    expect(clip(`a ${'x'.repeat(50)}`, 10)).toBe(`a ${'x'.repeat(7)}…`)
  })

  it('leave a text that fits as it is', () => {
    expect(clip('exactly ten', 11)).toBe('exactly ten')
    expect(clip('', 5)).toBe('')
    expect(clip('abc', 0)).toBe('')
    expect(clip('abc', 1)).toBe('…')
  })

  it('never split a character and never exceed the length', () => {
    const text = 'a😀b👩‍👩‍👧e\u0301👍🏽世界'.repeat(4)
    for (let max = 1; max < text.length; max++) {
      const clipped = clip(text, max)
      expect(clipped.length).toBeLessThanOrEqual(max)
      expect(encodeURIComponent(clipped)).toContain('%E2%80%A6')
      expect(clipped).not.toMatch(/\u200d…$/)
    }
  })
})

describe('plural', () => {
  it.each([
    [1, 'turn', '1 turn'],
    [0, 'turn', '0 turns'],
    [2, 'entry', '2 entries'],
    [3, 'match', '3 matches'],
    [2, 'day', '2 days'],
    [12_000, 'message', '12,000 messages'],
  ])('says %d of %s: %s', (n, word, expected) => {
    expect(plural(n, word)).toBe(expected)
  })

  it('takes an irregular form', () => {
    expect(plural(2, 'person', 'people')).toBe('2 people')
  })
})

describe('isCjk', () => {
  it.each([...'世界あアー々한ㄅ𠀀ｱ豈'])('is true for %s', (character) => {
    expect(isCjk(character.codePointAt(0) ?? 0)).toBe(true)
  })

  it.each([...'aé1я。「，😀ⅣΩא'])('is false for %s', (character) => {
    expect(isCjk(character.codePointAt(0) ?? 0)).toBe(false)
  })
})

describe('words', () => {
  it('are runs of letters and digits, lower-cased and folded', () => {
    expect(words("Café, naïve—It's 3.14 foo_bar ÅNGSTRÖM e\u0301te\u0301 世界!")).toEqual([
      'cafe',
      'naive',
      'it',
      's',
      '3',
      '14',
      'foo',
      'bar',
      'angstrom',
      'ete',
      '世界',
    ])
    expect(words('')).toEqual([])
    expect(words(' -- ')).toEqual([])
  })

  it('are those that SQLite finds, for every letter of the common scripts', () => {
    const db = new Database(':memory:')
    db.exec(
      "create virtual table t using fts5(x, tokenize = 'unicode61 remove_diacritics 2'); create virtual table v using fts5vocab(t, 'instance')",
    )
    const insert = db.prepare('insert into t (rowid, x) values (?, ?)')
    const ranges = [
      [0x01, 0x6ff],
      [0x900, 0x97f],
      [0xe00, 0xe7f],
      [0x1e00, 0x206f],
      [0x2190, 0x23ff],
      [0x3000, 0x30ff],
      [0x4e00, 0x4fff],
      [0xac00, 0xafff],
      [0xff00, 0xffef],
    ] as const
    const texts = new Map<number, string>()
    for (const [from, to] of ranges) {
      for (let code = from; code <= to; code++) {
        const character = String.fromCodePoint(code)
        // SQLite treats characters newer than its tables as letters.
        if (!/\p{Cn}/u.test(character) && !NEWER.has(code)) texts.set(code, `Xy${character}Z1`)
      }
    }
    db.transaction(() => {
      for (const [code, text] of texts) insert.run(code, text)
    })()
    const found = new Map<number, string[]>()
    for (const row of db.prepare('select doc, term from v order by doc, offset').iterate() as Iterable<{ doc: number; term: string }>) {
      found.set(row.doc, [...(found.get(row.doc) ?? []), row.term])
    }
    db.close()
    const different = [...texts]
      .filter(([code, text]) => words(text).join(' ') !== found.get(code)?.join(' '))
      .map(([code]) => code.toString(16))
    expect(different).toEqual([])
  })
})

const NEWER = new Set([
  ...[0x37f, 0x528, 0x52a, 0x52c, 0x52e, 0x58d, 0x58e, 0x605, 0x61c, 0x61d, 0x2066, 0x2067, 0x2068, 0x2069],
  ...Array.from({ length: 12 }, (_, i) => 0x23f4 + i),
  // One letter with two marks; SQLite's table lacks it.
  ...[0x1e0, 0x1e1],
])
