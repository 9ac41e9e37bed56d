import { expect, it } from 'vitest'
import { sentencesOf } from './sentences.ts'

const texts = (text: string) => sentencesOf(text).map((sentence) => sentence.text)

it('ends a sentence at its mark, not inside of paths, versions, numbers and abbreviations', () => {
  expect(texts('Use v1.2.3 of lib/a.ts, e.g. in main.go. It fails (see No. 4). Why? Because.')).toEqual([
    'Use v1.2.3 of lib/a.ts, e.g. in main.go.',
    'It fails (see No. 4).',
    'Why?',
    'Because.',
  ])
})

it('knows scripts that put no space between sentences', () => {
  expect(texts('缓存为什么坏了？因为锁丢了。「好的。」就这样。')).toEqual(['缓存为什么坏了？', '因为锁丢了。', '「好的。」', '就这样。'])
})

it('takes items, table rows and lines of code one by one, and drops what only draws', () => {
  expect(
    sentencesOf('## The fix\n\n- first item\n| a | b |\n|---|---|\n```ts\nconst x = 1\n\n  run()\n```\nWhat next?\nIn short:'),
  ).toEqual([
    { text: 'The fix', kind: 'heading', line: 0 },
    { text: 'first item', kind: 'prose', line: 2 },
    { text: 'a | b', kind: 'prose', line: 3 },
    { text: 'const x = 1', kind: 'code', line: 6 },
    { text: '  run()', kind: 'code', line: 8 },
    { text: 'What next?', kind: 'question', line: 10 },
    { text: 'In short:', kind: 'heading', line: 11 },
  ])
})

it('goes on behind abbreviations, however many follow each other', () => {
  expect(texts(`${'x. '.repeat(3000)}end. Next one.`)).toHaveLength(2)
  expect(texts('It is approx. e.g. 3. or 4. so. Yes.')).toEqual(['It is approx. e.g. 3. or 4. so.', 'Yes.'])
})

it('takes lines that markdown indents as code, with their indentation', () => {
  const kinds = (text: string) => sentencesOf(text).map(({ text: line, kind }) => `${kind}: ${line}`)
  const code = '    def retry(n):\n        return n\n\n        pass'
  expect(kinds(`Write it:\n\n${code}\n\nand keep\n\n\tif a {\n\t\treturn\n\t}\n`)).toEqual([
    'heading: Write it:',
    'code:     def retry(n):',
    'code:         return n',
    'code:         pass',
    'prose: and keep',
    'code: \tif a {',
    'code: \t\treturn',
    'code: \t}',
  ])
  expect(kinds('1. first\n\n    goes on\n\n    - inner\n\na line\n    that goes on')).toEqual([
    'prose: 1. first',
    'prose: goes on',
    'prose: inner',
    'prose: a line',
    'prose: that goes on',
  ])
})

it('gives nothing for nothing', () => {
  expect(sentencesOf(' \n```\n```\n---\n')).toEqual([])
})
