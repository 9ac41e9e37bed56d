import { describe, expect, it } from 'vitest'
import { extraTerms } from './extra-terms.ts'

describe('extra terms', () => {
  it.each([
    ['getUserName', 'get user name'],
    ['call getUserName() and getUserName() again', 'get user name'],
    ['HTTPServer', 'http server'],
    ['parseJSON', 'parse json'],
    ['the URLs and APIs', ''],
    ['userIDs', 'user ids'],
    ['sha256', 'sha 256'],
    ['utf8Decode', 'utf 8 decode'],
    ['SQLite', 'sq lite'],
    ['snake_case and kebab-case', ''],
    ['plain words only', ''],
    ['A1', ''],
  ])('of %s are: %s', (text, terms) => expect(extraTerms(text)).toBe(terms))

  it('a hash or an encoding has none', () => {
    expect(extraTerms('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')).toBe('')
    expect(extraTerms(`${'aB3'.repeat(40)}`)).toBe('')
  })

  it('pairs of CJK characters overlap, and one alone stands for itself', () => {
    expect(extraTerms('数据库')).toBe('数据 据库')
    expect(extraTerms('the 猫 sat')).toBe('猫')
    expect(extraTerms('a猫')).toBe('猫')
    expect(extraTerms('東京タワー, 東京')).toBe('東京 京タ タワ ワー')
  })

  it('characters beyond the basic plane stay whole', () => expect(extraTerms('𠮷野家')).toBe('𠮷野 野家'))

  it('the terms of a question are among those of the text that it asks for', () => {
    const text = extraTerms('renameSession moves 会话标题 away')
    for (const term of extraTerms('renameSession 标题').split(' ')) expect(text.split(' ')).toContain(term)
  })
})
