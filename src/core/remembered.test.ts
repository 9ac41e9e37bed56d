import { describe, expect, it } from 'vitest'
import { remembered } from './remembered.ts'

describe('remembered', () => {
  it('reads the same text once, also where it finds nothing', () => {
    const read: string[] = []
    const lengthOf = remembered((text) => {
      read.push(text)
      return text === '' ? undefined : text.length
    })
    expect([lengthOf('abc'), lengthOf(''), lengthOf('abc'), lengthOf('')]).toEqual([3, undefined, 3, undefined])
    expect(read).toEqual(['abc', ''])
  })

  it('keeps no more than so much text, the newest', () => {
    const read: string[] = []
    const of = remembered((text) => read.push(text), 6)
    for (const text of ['aaa', 'bbb', 'ccc', 'bbb', 'aaa']) of(text)
    expect(read).toEqual(['aaa', 'bbb', 'ccc', 'aaa'])
  })

  it('keeps no text that is longer than all that is kept', () => {
    const read: string[] = []
    const of = remembered((text) => read.push(text), 2)
    for (const text of ['a', 'long', 'long', 'a']) of(text)
    expect(read).toEqual(['a', 'long', 'long'])
  })
})
