import { expect, it } from 'vitest'
import { heldIn, soughtWord } from './sought-words.ts'

const sought = (...words: string[]) => words.flatMap((word) => soughtWord({ words: word.split(' '), weight: 1 }))

it('knows a word by its stem, parts of identifiers and phrases, and nothing that only begins alike', () => {
  const words = sought('commit', 'turn', 'id', 'entry', 'set up', 'y')
  expect(heldIn('Committed resolveTurnId and entries; set-up of x/y', words)).toEqual([0, 1, 2, 3, 4, 5])
  expect(heldIn('community returns, hidden centry: upset', words)).toEqual([])
})

it('finds the same in plain text, where words are looked up in place, as where the sentence is cut into words', () => {
  const words = sought('a', 'ab', 'abc', 'abs', 'aby', 'abbed', 'b1', 'c', 'ab abc')
  const pieces = ['a', 'AB', 'ab', 'Abc', 'abCd', 'abs', 'abies', 'abbing', 'b1', 'B1c', '1', '_', '-', ' ', ' ', 'aBcD', 'y', 'ies']
  let seed = 7
  const next = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed
  }
  for (let round = 0; round < 2000; round++) {
    const sentence = Array.from({ length: 1 + (next() % 9) }, () => pieces[(next() >> 8) % pieces.length]).join('')
    expect(heldIn(sentence, words), sentence).toEqual(heldIn(`${sentence} é`, words))
  }
})
