import { expect, it } from 'vitest'
import { shorten, shortener } from './shorten.ts'

const of = (asked: string) => shortener((text) => Math.ceil(text.length / 4), [asked])

it('keeps the sentences with words of the question, and says once what is missing', () => {
  const text = `\n\nIt begins.\n\n\n${'Nothing to see here, go on. '.repeat(10)}\n\n\nThe beacon uses the relay.\n\n${'And so it goes. '.repeat(10)}`
  const short = shorten(text, 20, of('which relay does the beacon use'))
  expect(short).toContain('The beacon uses the relay.')
  expect(short).not.toMatch(/\[…\]\s*\[…\]/)
})

it('does not keep the number of an item without the item', () => {
  const items = Array.from(
    { length: 12 },
    (_, i) => `${i + 1}. ${i === 7 ? 'The relay of the beacon.' : 'Something else that is long enough.'}`,
  )
  const short = shorten(items.join('\n'), 24, of('relay of the beacon'))
  expect(short).toContain('8. The relay of the beacon.')
  expect(short).not.toMatch(/\d+\. \[…\]/)
})
