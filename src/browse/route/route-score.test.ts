import { expect, it } from 'vitest'
import { scoreOf, staleScore, worthChoosing } from './route-score.ts'

const choices = (...scores: number[]) => worthChoosing(scores.map((score) => ({ score }))).map(({ score }) => score)

it('where even the best says too little there is no choice', () => {
  expect(choices()).toEqual([])
  expect(choices(0.17, 0.16)).toEqual([])
  expect(choices(0.19, 0.17)).toEqual([0.19, 0.17])
})

it('what is far behind the best is no choice beside it', () => {
  expect(choices(0.8, 0.41, 0.39)).toEqual([0.8, 0.41])
})

it('project and time decide only between sessions that fit the message', () => {
  const here = { inProject: true, age: 0 }
  expect(scoreOf({ search: 0, entities: 0, terms: 0, topics: 0 }, here)).toBe(0)
  const parts = { search: 0.5, entities: 0, terms: 1, topics: 0 }
  expect(scoreOf(parts, here)).toBeGreaterThan(scoreOf(parts, { inProject: false, age: 1e12 }))
  expect(scoreOf({ search: 1, entities: 1, terms: 1, topics: 1 }, here)).toBe(1)
})

it('of two that fit alike the current one comes first, the more has changed for the other the surer', () => {
  expect(staleScore(0.8, { asked: 0, total: 5 })).toBe(0.8)
  expect(staleScore(0.8, { asked: 1, total: 1 })).toBeLessThan(0.8)
  expect(staleScore(0.8, { asked: 1, total: 5 })).toBeLessThan(0.74)
  expect(staleScore(0.8, { asked: 5, total: 50 })).toBeGreaterThan(0.65)
})
