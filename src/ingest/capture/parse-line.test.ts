import { describe, expect, it } from 'vitest'
import { parseLine, splitObjects } from './parse-line.ts'

describe('parseLine', () => {
  it('a blank line holds nothing and is no error', () => {
    expect(parseLine('  \t')).toEqual({ values: [] })
  })

  it('two objects on one line are two values', () => {
    expect(parseLine('{"a":"}{"}{"b":[{"c":"\\"{"}]} {"d":1}').values).toEqual([{ a: '}{' }, { b: [{ c: '"{' }] }, { d: 1 }])
  })

  it.each(['{"a":1}{"b":', '{"a":1} rest', 'text', '{"a":1}}', '{a}{b}', '"x""y"'])('%s is an error', (line) => {
    expect(parseLine(line)).toEqual({ values: [], error: 'not JSON' })
  })

  it('private text is cut before anything else sees it', () => {
    expect(JSON.stringify(parseLine('{"a":"keep <private>pin 1234</private> this"}').values)).not.toContain('1234')
  })

  it('one object alone is not split', () => {
    expect(splitObjects('{"a":1}')).toBeUndefined()
  })
})
