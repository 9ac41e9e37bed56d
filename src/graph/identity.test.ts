import { expect, it } from 'vitest'
import { HELD_OUT } from '../../test/helpers/identity-set/held-out.ts'
import { measureIdentity, told } from '../../test/helpers/identity-set/measure-identity.ts'
import { TOLD_APART } from '../../test/helpers/identity-set/told-apart.ts'
import { tempStore } from '../../test/helpers/store.ts'

it.each([
  ['graph.auto_merge off', false],
  ['graph.auto_merge on', true],
])('the labelled identities, %s: nobody is joined to somebody else without a person', async (name, autoMerge) => {
  const measured = await measureIdentity(await tempStore(), autoMerge)
  process.stdout.write(`${told(measured, name)}\n`)
  expect(measured.falseJoined).toEqual([])
  expect(measured.joined).toBeGreaterThan(3)
  expect(measured.precision).toBeGreaterThan(0.95)
  expect(measured.recall).toBeGreaterThan(0.55)
  expect(measured.reviewedRecall).toBeGreaterThan(0.9)
})

it.each([
  ['graph.auto_merge off', false],
  ['graph.auto_merge on', true],
])(
  'identities that the rules were not made for, %s: nobody is joined to somebody else, and nobody holds two people',
  async (name, autoMerge) => {
    const measured = await measureIdentity(await tempStore(), autoMerge, HELD_OUT)
    process.stdout.write(`${told(measured, `held out, ${name}`)}\n`)
    expect(measured.falseJoined).toEqual([])
    expect(measured.mixed).toEqual([])
    expect(measured.joined).toBeGreaterThan(1)
  },
)

it.each([
  ['graph.auto_merge off', false],
  ['graph.auto_merge on', true],
])('people of one first name whom the text tells apart, %s: nobody is joined to somebody else', async (name, autoMerge) => {
  const measured = await measureIdentity(await tempStore(), autoMerge, TOLD_APART)
  process.stdout.write(`${told(measured, `told apart, ${name}`)}\n`)
  expect(measured.falseJoined).toEqual([])
  expect(measured.mixed).toEqual([])
  expect(measured.places).toBeGreaterThan(32)
  expect(measured.recall).toBeGreaterThan(0.9)
})
