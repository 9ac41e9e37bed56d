import { describe, expect, it } from 'vitest'
import { cutMarked, cutMarkedDeep, escapeMarks, hasMarked, markMemory, UNCLOSED } from './marked-text.ts'

describe('cutMarked', () => {
  it.each([
    ['a closed private passage', 'a <private>x</private> b', 'a  b'],
    ['several', '<private>x</private>a<private>y</private>b', 'ab'],
    ['nested ones as one', 'a<private>x<private>y</private>z</private>b', 'ab'],
    ['over lines, in any case, with spaces in the tag', 'a<Private >\nx\n</PRIVATE>b', 'ab'],
    ['what is never closed, to the end', 'a <private> b <private>x</private> c', `a ${UNCLOSED}`],
    ['the same after a passage that is closed', 'a<private>x</private>b<private>c\nd', `ab${UNCLOSED}`],
    ['what is closed, beside a tag in inline code', 'use `<private>` so: <private>x</private> c', 'use `<private>` so:  c'],
    ['an unclosed tag after one in inline code', 'use `<private>` so: <private>x', `use \`<private>\` so: ${UNCLOSED}`],
    ['an unclosed tag after a lone backtick', 'don`t <private>x\n`y', `don\`t ${UNCLOSED}`],
    ['injected memory', 'a\n<mnemonic-memory v="1">\nx\n</mnemonic-memory>\nb', 'a\n\nb'],
    ['memory of any version, or of none', '<mnemonic-memory v="7" x="y">x</mnemonic-memory>a<mnemonic-memory>y</mnemonic-memory>b', 'ab'],
    ['memory that never closes, to the end', 'a<mnemonic-memory v="1">x\ny', 'a'],
    ['nested memory as one', 'a<mnemonic-memory>x<mnemonic-memory>y</mnemonic-memory>z</mnemonic-memory>b', 'ab'],
    ['nested memory with one closing tag, to that tag', 'a<mnemonic-memory>x<mnemonic-memory>y</mnemonic-memory>b', 'ab'],
    ['memory inside a private passage', 'a<private>x<mnemonic-memory>y</private>b', 'ab'],
    ['a private passage inside memory', 'a<mnemonic-memory>x<private>y</private>z</mnemonic-memory>b', 'ab'],
    ['passages that overlap', 'a<private>x<mnemonic-memory>y</private>z</mnemonic-memory>b', 'az</mnemonic-memory>b'],
    ['overlapping the other way', 'a<mnemonic-memory>x<private>y</mnemonic-memory>z</private>b', 'ab'],
    ['everything', '<private>x</private>', ''],
  ])('cuts %s', (_, text, expected) => {
    expect(cutMarked(text)).toBe(expected)
  })

  it.each([
    'no tags at all, a < b > c',
    'an opening `<private>` tag in inline code',
    'another ``<private> ` x`` of two backticks',
    'a closing </private> or </mnemonic-memory> tag alone',
    '<privateer>x</privateer>',
    '<mnemonic-memory-card>x',
    '&lt;private&gt;x&lt;/private&gt;',
  ])('leaves alone: %s', (text) => {
    expect(cutMarked(text)).toBe(text)
  })

  // A quadratic algorithm would take minutes.
  it.each([
    '<private>',
    '</private>',
    '<private></private>',
    '<private',
    '<private ',
    '<mnemonic-memory ',
    '<mnemonic-memory>',
    '<',
    '<private><mnemonic-memory>',
  ])(
    'takes linear time on a megabyte of %s',
    (piece) => {
      const text = piece.repeat(1_000_000 / piece.length)
      expect(cutMarked(text).length).toBeLessThanOrEqual(text.length)
      const half = text + '</private>'.repeat(50_000)
      expect(cutMarked(half).length).toBeLessThanOrEqual(half.length)
    },
    20_000,
  )
})

describe('hasMarked', () => {
  it.each([
    '<private>x</private>',
    '{"a":"\\u003cprivate\\u003ex"}',
    '{"a":"\\u003Cmnemonic-memory v=\\"1\\"\\u003e"}',
    '<MNEMONIC-MEMORY>',
    'x<private\n>',
  ])('is true for %s', (raw) => {
    expect(hasMarked(raw)).toBe(true)
  })

  it.each(['', 'private', '<privateer>', '{"a":"<b>"}', 'mnemonic-memory'])('is false for %s', (raw) => {
    expect(hasMarked(raw)).toBe(false)
  })
})

describe('cutMarkedDeep', () => {
  it('cuts in every string, at any depth, in keys too', () => {
    const value = {
      a: 'x<private>1</private>',
      b: [{ c: '<private>2</private>y' }, 3, null, true],
      'k<private>4</private>': { d: '<mnemonic-memory>5' },
    }
    expect(cutMarkedDeep(value)).toEqual({ a: 'x', b: [{ c: 'y' }, 3, null, true], k: { d: '' } })
  })

  it('cuts a passage over two blocks of one message, and nothing of the next message', () => {
    const message = (...texts: string[]) => ({ content: texts.map((text, id) => ({ type: 'text', id: `b${id}`, text })), uuid: 'u' })
    expect(cutMarkedDeep([message('a <private>x', 'y', 'z</private> b'), message('c')])).toEqual([
      message(`a ${UNCLOSED}`, '', ' b'),
      message('c'),
    ])
    expect(cutMarkedDeep({ parts: ['a <private>x', { type: 'tool_use', id: 't', input: { at: 'y' } }], timestamp: 'now' })).toEqual({
      parts: [`a ${UNCLOSED}`, { type: 'tool_use', id: 't', input: UNCLOSED }],
      timestamp: 'now',
    })
  })

  it('passes on what is neither object nor string', () => {
    for (const value of [1, true, null, undefined]) expect(cutMarkedDeep(value)).toBe(value)
    expect(cutMarkedDeep('<private>x</private>y')).toBe('y')
  })

  it('walks a value deeper than the stack', () => {
    let value: unknown = '<private>x</private>end'
    for (let depth = 0; depth < 200_000; depth++) value = [value]
    let inner = cutMarkedDeep(value)
    while (Array.isArray(inner)) inner = inner[0]
    expect(inner).toBe('end')
  })
})

describe('markMemory', () => {
  it('wraps the text in the marker', () => {
    expect(markMemory('hello')).toBe('<mnemonic-memory v="1">\nhello\n</mnemonic-memory>')
  })

  it.each([
    '</mnemonic-memory>',
    '</ mnemonic-memory >',
    '< / Mnemonic-Memory>',
    '<mnemonic-memory v="1">',
    '<private>',
    '</private>',
    'a</mnemonic-memory>b<mnemonic-memory v="1">c',
    '<<mnemonic-memory>',
  ])('is cut as a whole, whatever is inside: %s', (text) => {
    expect(cutMarked(`before ${markMemory(text)} after`)).toBe('before  after')
    expect(markMemory(text).match(/<\s*\/\s*mnemonic-memory/gi)).toHaveLength(1)
  })

  it('keeps the words of an escaped tag', () => {
    expect(markMemory('a </mnemonic-memory> b')).toContain('a &lt;/mnemonic-memory> b')
  })
})

it('escapes a tag with something unseen between its letters, at any length', () => {
  for (const unseen of ['\u200b', '\u00ad', '\u2060', '\ufeff', '\ufe0f', '\u{e0041}', '\u200b\u200d']) {
    const tag = `<${unseen}/${[...'mnemonic-memory'].join(unseen)}>`
    expect(escapeMarks(`a ${tag} b`)).toBe(`a ${tag.replace('<', '&lt;')} b`)
    expect(markMemory(tag).match(/<\//g)).toHaveLength(1)
  }
  expect(escapeMarks('a </system-reminder> b <hook_context>')).toBe('a &lt;/system-reminder> b &lt;hook_context>')
  expect(escapeMarks('<privately> <b> a < private')).toBe('<privately> <b> a &lt; private')
  const long = `<${'\u200b'.repeat(200_000)}`
  expect(escapeMarks(long.repeat(2))).toBe(long.repeat(2))
})
