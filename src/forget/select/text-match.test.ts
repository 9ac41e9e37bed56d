import { describe, expect, it } from 'vitest'
import { heldStrings, textMatch } from './text-match.ts'

const held = (value: unknown, text: string) => heldStrings(JSON.stringify(value), textMatch(text))

describe('strings of JSON that hold a text', () => {
  it('are named one by one where nothing else holds it', () => {
    expect(held({ a: 'the 5551234', b: ['none', 'x5551234'], c: 7 }, '5551234')).toEqual(['the 5551234', 'x5551234'])
  })

  it('are not enough where a number holds it too', () => {
    expect(held({ a: 'the 5551234', n: 5551234 }, '5551234')).toBeUndefined()
  })

  it('are not enough where one is nested deeper than records are searched', () => {
    const deep = Array.from({ length: 30 }).reduce<unknown>((inner) => ({ inner }), 'my 5551234')
    expect(held({ a: '5551234', deep }, '5551234')).toBeUndefined()
    expect(held(deep, '5551234')).toBeUndefined()
  })
})
