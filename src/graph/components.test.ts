import { expect, it } from 'vitest'
import { components, type Joined } from './components.ts'

const members = ['a', 'b', 'c', 'd'].map((id) => ({ id, key: `email:${id}@example.com` }))
const rule = (a: string, b: string, confidence = 0.99): Joined => ({ a, b, by: 'rule', confidence })
const owner = (a: string, b: string, into: string): Joined => ({ a, b, into, by: 'owner', confidence: 1 })

it('those that are joined have one that stands for all: the first by key', () => {
  expect([...components(members, [rule('b', 'c'), rule('a', 'b')], []).canonical]).toEqual([
    ['b', 'a'],
    ['c', 'a'],
  ])
})

it('the owner says which one stays, also over what a rule joined', () => {
  const { canonical } = components(members, [rule('a', 'b'), owner('a', 'c', 'c'), owner('b', 'd', 'd')], [])
  expect(new Set(canonical.values())).toEqual(new Set(['c']))
})

it('no rule joins what the owner keeps apart, not by way of others either', () => {
  const weak = rule('b', 'c', 0.9)
  const { canonical, applied } = components(members, [rule('a', 'b'), weak], [['a', 'c']])
  expect([...canonical]).toEqual([['b', 'a']])
  expect(applied.has(weak)).toBe(false)
  expect(components(members, [owner('a', 'c', 'a')], [['a', 'c']]).canonical.get('c')).toBe('a')
})

it('pairs of what is gone count for nothing', () => {
  expect(components(members, [rule('a', 'z')], []).canonical.size).toBe(0)
})
