import { expect, it } from 'vitest'
import { sectionsOf } from './workspace-sections.ts'

const long = (word: string) => Array.from({ length: 100 }, (_, i) => `${word}${i % 7}`).join(' ')

it('a section is what stands below a heading, with the headings above it', () => {
  const text = `# Plan\n\n${long('intro')}\n\n## Retries\n\n${long('retry')}\n\n### Why\n${long('why')}\n\n# End\n\n${long('end')}\n`
  const sections = sectionsOf(text, 500)
  expect(sections.map(({ trail }) => trail)).toEqual([['Plan'], ['Plan', 'Retries'], ['Plan', 'Retries', 'Why'], ['End']])
  for (const section of sections) expect(text).toContain(section.text)
})

it('small sections are joined as they stand in the text', () => {
  const text = '# A\none\n# B\n\n\n\ntwo\n'
  expect(sectionsOf(text, 500)).toEqual([{ text: text.trim(), trail: ['A'] }])
})

it('a heading inside a code block is code', () => {
  const text = `# A\n\n${long('a')}\n\n\`\`\`sh\n# not a heading\nls\n\`\`\`\n`
  expect(sectionsOf(text, 500)).toHaveLength(1)
})

it('nothing is left out, and nothing but blanks makes no section', () => {
  const text = `---\ntitle: x\n---\n\nfirst\n\n## Two ##\n${long('two')}\n\n## Three\n${long('three')}`
  const rest = sectionsOf(text, 500).reduce((left, section) => left.replace(section.text, ''), text)
  expect(rest.trim()).toBe('')
  expect(sectionsOf(' \n\n\t\n', 500)).toEqual([])
})
