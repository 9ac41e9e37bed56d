import { expect, it } from 'vitest'
import { descriptionOf } from './description.ts'
import type { Entry } from './entry.ts'

const entry = (description: string) => ({ properties: [['description', {}, 'text', description]] }) as unknown as Entry

it('HTML becomes text, with the address of a link where its words do not say it', () => {
  expect(descriptionOf(entry('<p>Join <a href="https://meet.example/x">here</a>.</p><p>Bring tea.</p>'))).toBe(
    'Join here [https://meet.example/x].\n\nBring tea.',
  )
})

it('HTML that nests deeper than any invitation gives its words, and ends', () => {
  expect(descriptionOf(entry(`${'<div><ul><li>'.repeat(50_000)}the launch`))?.trim()).toBe('the launch')
})
