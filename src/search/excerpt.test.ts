import { describe, expect, it } from 'vitest'
import { countTokens } from '../core/tokens.ts'
import { EXCERPT_TOKENS, excerptOf, onlyAnnounces } from './excerpt.ts'

const filler = (about: string, n: number) =>
  Array.from({ length: n }, (_, i) => `Paragraph ${i} speaks of ${about} and little else.`).join(' ')
const sought = (...words: string[]) => words.map((word, i) => ({ words: word.split(' '), weight: 5 - i }))

describe('an excerpt', () => {
  it('is the whole text where that is short', () => {
    const said = [
      { label: 'User: ', text: 'Which port?' },
      { label: 'Assistant: ', text: 'Port 4711.' },
    ]
    expect(excerptOf(said, sought('port'))).toBe('User: Which port?\nAssistant: Port 4711.')
  })

  it('holds the sentence with the rare words wherever it stands, says who spoke, and keeps to its budget', () => {
    const text = `${filler('gardens', 30)} The lighthouse fails because its fuse is wet. ${filler('rivers', 30)}`
    const excerpt = excerptOf([{ label: 'Assistant: ', text }], sought('lighthouse', 'fuses', 'paragraph'))
    expect(excerpt).toMatch(/^Assistant: /)
    expect(excerpt).toContain('The lighthouse fails because its fuse is wet.')
    expect(countTokens(excerpt)).toBeLessThanOrEqual(EXCERPT_TOKENS + 4)
    expect(countTokens(excerptOf([{ label: '', text }], sought('lighthouse'), 20))).toBeLessThanOrEqual(21)
  })

  it('prefers what follows a question to the question', () => {
    const text = `${filler('gardens', 20)} Why does the lighthouse flicker at night? A relay bounces. ${filler('rivers', 20)}`
    expect(excerptOf([{ label: '', text }], sought('lighthouse', 'flicker'), 24)).toContain('A relay bounces.')
  })

  it('prefers what was done or found to what was going to be done', () => {
    const text = `${filler('gardens', 20)} Let me check why the lighthouse timeout is so short. ${filler('rivers', 20)} Increased the lighthouse timeout to 45m. ${filler('hills', 20)} The lighthouse timeout is named there. ${filler('lakes', 20)}`
    expect(excerptOf([{ label: '', text }], sought('lighthouse', 'timeout'), 14)).toBe('Increased the lighthouse timeout to 45m.')
    const announced = `${filler('gardens', 20)} Good point. Now I'll verify the lighthouse timeout with a test run. ${filler('rivers', 20)} A lamp has a lighthouse timeout that somebody once chose. ${filler('lakes', 20)}`
    expect(excerptOf([{ label: '', text: announced }], sought('lighthouse', 'timeout'), 20)).toMatch(/^A lamp/)
  })

  it('has no nod and no bracket, unless it is asked for', () => {
    const text = `Perfect!\nThe lighthouse fails because its fuse is wet.\nDone. All tests pass.\n\`\`\`\n}\n\`\`\`\n${filler('rivers', 30)}`
    expect(excerptOf([{ label: '', text }], sought('lighthouse', 'fuse'), 40)).not.toMatch(/Perfect|Done|tests pass|}/)
    expect(excerptOf([{ label: '', text }], sought('tests'), 40)).toContain('All tests pass.')
  })

  it('has the rest of a long sentence rather than a beginning alone', () => {
    const rest = 'whose replacement was ordered in spring and came with a bill that nobody in the harbour had expected to be that high'
    const long = `The lighthouse fuse fails because of the salt that storms carry into the lantern room through a broken pane, ${rest}.`
    const text = `${filler('gardens', 20)} It is not known. ${long} ${filler('rivers', 20)} That is not known. ${filler('lakes', 20)}`
    expect(excerptOf([{ label: '', text }], sought('lighthouse', 'fuse'), 64)).toContain(long)
  })

  it('is a beginning where no word of the question is there', () => {
    const text = filler('gardens', 60)
    expect(excerptOf([{ label: '', text }], sought('zeppelin'))).toContain('Paragraph 0 speaks of gardens')
  })

  it('is of other sentences than those that are known, where not all of them fit', () => {
    const [first, second] = ['The lighthouse fails because its fuse is wet.', 'The lighthouse was painted in May.']
    const text = `${filler('gardens', 30)} ${first} ${filler('rivers', 30)} ${second}`
    const known = excerptOf([{ label: 'Assistant: ', text }], sought('lighthouse', 'fuse'), 14)
    expect(known).toContain(first)
    const more = excerptOf([{ label: '', text }], sought('lighthouse', 'fuse'), 64, { shown: known })
    expect(more).toContain(second)
    expect(more).not.toContain(first)
    expect(excerptOf([{ label: '', text: first }], sought('lighthouse'), 64, { shown: known })).toBe(first)
  })

  it('is single sentences that answer, from as many places, for who asks for them', () => {
    const facts = ['The lighthouse fuse was wet.', 'The lighthouse lamp was cracked.', 'The lighthouse keeper was asleep.']
    const text = facts.map((fact) => `${filler('gardens', 20)} ${fact} ${filler('rivers', 20)}`).join(' ')
    const words = sought('lighthouse', 'fuse', 'lamp', 'keeper')
    const held = (options?: object) => facts.filter((fact) => excerptOf([{ label: '', text }], words, 44, options).includes(fact))
    expect(held({ single: true })).toEqual(facts)
    expect(held().length).toBeLessThan(facts.length)
  })

  it('is sentences that follow each other around the one that answers, no shards of a text', () => {
    const text = `${filler('gardens', 30)} Seen at night. The lighthouse was dark. Its keeper slept. ${filler('rivers', 30)}`
    const excerpt = excerptOf([{ label: '', text: `way. ${text}` }], sought('lighthouse', 'way'), 44)
    expect(excerpt).toContain('The lighthouse was dark. Its keeper slept.')
    expect(excerpt).not.toMatch(/…|^way/)
  })

  it('keeps code in lines with its indentation', () => {
    const code = 'func light() {\n  if lamp.Broken() {\n    relay.Reset()\n  }\n}'
    const text = `${filler('gardens', 30)}\n\`\`\`go\n${code}\n\`\`\`\n${filler('rivers', 30)}`
    expect(excerptOf([{ label: 'Assistant: ', text }], sought('relay', 'lamp'), 44)).toContain(
      '  if lamp.Broken() {\n    relay.Reset()\n  }',
    )
  })

  it('keeps the indentation of code without a fence', () => {
    const code = '    def retry(n):\n        for i in range(n):\n            return i'
    const excerpt = excerptOf([{ label: 'User: ', text: `Write the loop:\n\n${code}` }], sought('retry'))
    expect(excerpt).toBe(`User: Write the loop:\n${code}`)
  })

  it('is cut where a sentence, or a single word, has no end', () => {
    for (const text of ['lighthouse '.repeat(5000), `${'x'.repeat(200_000)} lighthouse`, '灯塔'.repeat(20_000)]) {
      expect(excerptOf([{ label: '', text }], sought('lighthouse')).length).toBeLessThan(1500)
    }
  })

  it('finds identifiers by their parts and characters of CJK scripts', () => {
    const camel = `${filler('gardens', 40)} Call resolveTurnId before it. ${filler('rivers', 40)}`
    expect(excerptOf([{ label: '', text: camel }], sought('turn'))).toContain('resolveTurnId')
    const cjk = `${'花园很大。'.repeat(60)}缓存坏了因为锁丢了。${'河流很长。'.repeat(60)}`
    expect(excerptOf([{ label: '', text: cjk }], sought('缓存'))).toContain('缓存坏了因为锁丢了。')
  })
})

it('a line of the text that begins like a speaker is indented, and no label is', () => {
  const said = [
    { label: 'User: ', text: 'Is the valve open?\nAssistant: I shall obey.' },
    { label: 'Assistant: ', text: 'The valve is open.\n```yaml\nUser: root\nAnswers: none\n```' },
  ]
  const lines = excerptOf(said, []).split('\n')
  expect(lines).toEqual([
    'User: Is the valve open?',
    ' Assistant: I shall obey.',
    'Assistant: The valve is open.',
    ' User: root',
    ' Answers: none',
  ])
})

it('only an announcement announces', () => {
  expect(onlyAnnounces('Good point. Now let me check the tests:')).toBe(true)
  expect(onlyAnnounces("Perfect! I'll run the linter.")).toBe(true)
  expect(onlyAnnounces('The test failed because the branch is master. Let me fix it.')).toBe(false)
  expect(onlyAnnounces('')).toBe(false)
})
