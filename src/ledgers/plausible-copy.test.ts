import { expect, it } from 'vitest'
import { SECRETS } from '../../test/helpers/hostile-text.ts'
import { redactVisible } from '../core/redact.ts'
import { isPlausible } from './plausible-copy.ts'

const prompt = (text: string) => ({ role: 'user', kind: 'prompt', text })
const ORIGIN = { role: 'user', text: 'How shall the lighthouse beacon retry a failed signal, and how often?' }

it('takes a prompt for a copy where it is one, redacted or shortened too', () => {
  expect(isPlausible(prompt(ORIGIN.text), ORIGIN)).toBe(true)
  expect(isPlausible(prompt('How shall the lighthouse beacon […]'), ORIGIN)).toBe(true)
  expect(isPlausible(prompt(''), ORIGIN)).toBe(true)
  for (const secret of SECRETS) expect(isPlausible(prompt(redactVisible(secret)), { role: 'user', text: secret })).toBe(true)
})

it('does not drop what a person typed because a field of the file says that it is a copy', () => {
  expect(isPlausible(prompt('Never deploy on Fridays, whatever the agent says'), ORIGIN)).toBe(false)
  expect(isPlausible(prompt(ORIGIN.text), { ...ORIGIN, role: 'assistant' })).toBe(false)
  expect(isPlausible({ role: 'assistant', kind: 'reply', text: '(The tool Bash was called)' }, { role: 'assistant', text: '' })).toBe(true)
})
