import { expect, it } from 'vitest'
import { askedLast, saidNext } from './said-next.ts'

it('finds what an answer says is next: below a heading, unchecked, or in a sentence', () => {
  expect(saidNext('Done.\n\n## Next steps\n- Write the docs\n- Publish it\n\nThat is all.')).toEqual(['Write the docs', 'Publish it'])
  expect(saidNext('Test plan\n- [x] unit tests\n- [ ] try it by hand')).toEqual(['try it by hand'])
  expect(saidNext('The merge is staged and ready to commit whenever you like.')).toEqual([
    'The merge is staged and ready to commit whenever you like.',
  ])
  expect(saidNext('I fixed the parser. All tests pass.')).toEqual([])
})

it('finds the question at its end, and no offer that goes with every answer', () => {
  expect(askedLast('I see two ways. Want me to take the second one?')).toBe('Want me to take the second one?')
  expect(askedLast('Done. Is there anything else?')).toBeUndefined()
  expect(askedLast('Why did it fail? The lock was held. It is released now. Tests pass.')).toBeUndefined()
})
