import { expect, it } from 'vitest'
import { pairs, shorten, table, width, wrap } from './layout.ts'

it('a CJK character takes two cells, a combining mark none', () => {
  expect(width('ab')).toBe(2)
  expect(width('日本')).toBe(4)
  expect(width('e\u0301')).toBe(1)
})

it('shorten keeps to the width and never splits a surrogate pair', () => {
  expect(shorten('short', 10)).toBe('short')
  expect(shorten('one two three', 8)).toBe('one two…')
  const cut = shorten('😀😀😀😀😀', 5)
  expect(width(cut)).toBeLessThanOrEqual(5)
  expect(cut).toBe('😀😀…')
})

it('shorten puts a text of several lines on one', () => {
  expect(shorten('a\n  b', 10)).toBe('a b')
})

it('a table lines up its columns and leaves nothing after the last', () => {
  const text = table(
    [{ title: 'name' }, { title: 'n', right: true }],
    [
      ['日本', '5'],
      ['a', '1234'],
    ],
  )
  expect(text).toBe('name     n\n日本     5\na     1234')
})

it('wrap breaks at spaces, keeps line breaks, and indents every line', () => {
  expect(wrap('one two three four five six\nseven', 22, '  ')).toBe('  one two three four\n  five six\n  seven')
})

it('a word longer than the line is left whole', () => {
  const path = 'x'.repeat(50)
  expect(wrap(`see ${path} there`, 20)).toBe(`see\n${path}\nthere`)
})

it('pairs line up their values', () => {
  expect(
    pairs([
      ['a', '1'],
      ['long', '2'],
    ]),
  ).toBe('a     1\nlong  2')
})

it('wrap keeps the indentation of code, on the lines that continue one too', () => {
  const code = 'func f() {\n\tif a {\n\t\treturn "one two three four"\n\t}\n}'
  expect(wrap(code, 24, '  ')).toBe('  func f() {\n      if a {\n          return "one\n          two three\n          four"\n      }\n  }')
  expect(width(wrap(`${' '.repeat(90)}${'x'.repeat(90)}`, 40, '', 'break').split('\n')[0] ?? '')).toBe(40)
})
