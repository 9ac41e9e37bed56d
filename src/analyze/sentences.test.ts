import { expect, it } from 'vitest'
import { sentencesOf } from './sentences.ts'

it.each<[string, string[]]>([
  ['', []],
  ['One. Two! Three? Four', ['One.', 'Two!', 'Three?', 'Four']],
  ['Use v1.2 of file.ts now. Then e.g. this, or Dr. Smith.', ['Use v1.2 of file.ts now.', 'Then e.g. this, or Dr. Smith.']],
  ['line one\nline two\n\n', ['line one', 'line two']],
  ['He said "stop." Then left.', ['He said "stop."', 'Then left.']],
  ['这是一。这是二！', ['这是一。', '这是二！']],
  ['Really?! Yes...', ['Really?!', 'Yes...']],
])('%j', (text, sentences) => {
  expect(sentencesOf(text)).toEqual(sentences)
})

it('a text of a hundred thousand sentences gives the first four hundred', () => {
  expect(sentencesOf('A b. '.repeat(100_000)).length).toBe(400)
})
