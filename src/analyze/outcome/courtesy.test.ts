import { expect, it } from 'vitest'
import { isCourtesy } from './courtesy.ts'

it.each(['Verdict: APPROVE ✓', 'LGTM', 'Approved.', 'No worries.', 'Right.', 'Pushed.', 'Good morning!'])('%s is no memory', (text) =>
  expect(isCourtesy(text)).toBe(true),
)

it.each(['The verdict of the court changes our contract with Acme.', 'We keep the lease at ten seconds.'])('%s is one', (text) =>
  expect(isCourtesy(text)).toBe(false),
)
