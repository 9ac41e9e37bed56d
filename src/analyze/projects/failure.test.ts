/** Nothing derived from a failed call may hold part of a secret. */
import { expect, it } from 'vitest'
import { failureOf } from './failure.ts'

it('shortens a failure only after its secrets are replaced', () => {
  const secret = `dop_v1_${'a1b2c3d4e5f60718'.repeat(4)}`
  const fact = failureOf('npm test', [`Error: cannot connect with ${secret}`], undefined)
  expect(fact?.value).toContain('[REDACTED:cloud-token]')
  expect(fact?.key).toContain('[redacted:cloud-token]')
  expect(`${fact?.key} ${fact?.value}`).not.toMatch(/dop_v|a\db\dc/)
})
