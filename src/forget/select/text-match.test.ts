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

it('base64 of the text in any letter case is found, at any place of a run, and its form is noted for the proof', () => {
  for (const before of ['', 'x', 'xy', 'xyz and '])
    for (const encoding of ['base64', 'base64url'] as const) {
      const match = textMatch('Blue Heron Lane')
      const held = Buffer.from(`${before}bLuE hErOn LaNe 7?>?`).toString(encoding)
      expect(match.holds(`{"data":"${held}"}`)).toBe(true)
      expect([...match.forms]).toContain('bLuE hErOn LaNe')
    }
  const other = textMatch('Blue Heron Lane')
  expect(other.holds(Buffer.from('blue heron line 7, and more of it').toString('base64'))).toBe(false)
})

it.each([
  ['plain', 'at Blue Heron Lane 7'],
  ['with emphasis in a word', 'at b*lu*e **her**on lane'],
  ['over two lines', 'at BLUE\nHERON\tLANE'],
  ['with a tag between', 'at blue <b>heron</b> lane'],
  ['as JSON', '"blue \\u0068eron\\nlane"'],
  ['with a soft hyphen', 'blue he\u00adron lane'],
])('a text %s is found', (_, value) => {
  expect(textMatch('Blue Heron Lane').holds(value)).toBe(true)
})

it.each(['K-station', '__init__ heron', 'Stra\u00dfe 12'])('%s is found in another letter case', (text) => {
  expect(textMatch(text).holds(`see ${text.toLowerCase()} there`)).toBe(true)
  expect(textMatch(text).holds('nothing of the kind')).toBe(false)
})

it.each([
  ['every character percent-encoded', (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('')],
  ['one character percent-encoded', (text: string) => text.replace('e', '%65')],
  ['percent-encoded twice', (text: string) => text.replace('h', '%2568')],
  ['escaped for a program', (text: string) => text.replace('h', '\\x68')],
  ['escaped for HTML', (text: string) => text.replace('h', '&#104;')],
])('a text with %s is found, since the scan finds it there', (_, escaped) => {
  const match = textMatch('blue heron')
  expect(match.holds(`GET https://example.com/?q=${escaped('blue heron')}&n=1`)).toBe(true)
  expect(match.holds(`GET https://example.com/?q=${escaped('grey heron')}&n=1`)).toBe(false)
})
