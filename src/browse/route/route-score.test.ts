import { expect, it } from 'vitest'
import { scoreOf, worthChoosing } from './route-score.ts'

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
