import { describe, expect, it } from 'vitest'
import { DEEPEST, isTooDeep, parseJson } from './nesting.ts'

const nested = (depth: number, inner = '1') => `${'[{"a":'.repeat(depth / 2)}${inner}${'}]'.repeat(depth / 2)}`

describe('isTooDeep', () => {
  it('counts what stands open at once, not how much there is', () => {
    expect(isTooDeep(nested(DEEPEST))).toBe(false)
    expect(isTooDeep(nested(DEEPEST + 2))).toBe(true)
    expect(isTooDeep(JSON.stringify(Array.from({ length: 5000 }, () => ({ a: [1] }))))).toBe(false)
    expect(isTooDeep(`[${nested(DEEPEST)}]`)).toBe(true)
  })

  it('does not count what stands in strings, whatever is escaped there', () => {
    const code = '{"\\\\'.repeat(2000)
    expect(isTooDeep(JSON.stringify({ text: code, path: 'C:\\', more: [`"${code}`] }))).toBe(false)
    expect(isTooDeep(`{"path":"C:\\\\","deep":${nested(DEEPEST)}}`)).toBe(true)
  })

  it('judges what is cut off, and a million levels, without a walk into them', () => {
    expect(isTooDeep('['.repeat(1_000_000))).toBe(true)
    expect(isTooDeep(`{"a":"${'['.repeat(5000)}`)).toBe(false)
  })
})

describe('parseJson', () => {
  it('refuses what nests too deep as it refuses what is no JSON', () => {
    expect(parseJson(nested(10))).toEqual(JSON.parse(nested(10)))
    expect(() => parseJson(nested(DEEPEST + 2))).toThrow(SyntaxError)
    expect(() => parseJson('{')).toThrow(SyntaxError)
  })
})
