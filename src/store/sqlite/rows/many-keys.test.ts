import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { manyKeys } from './many-keys.ts'

function words() {
  const db = new Database(':memory:')
  db.exec('create table words (word text, position integer)')
  const add = db.prepare('insert into words values (?, ?)')
  const find = manyKeys<{ position: number }>(
    db,
    (list) => `select word as key, position from words where word in (${list}) and position <> @not order by position`,
  )
  return { add: (word: string, position: number) => add.run(word, position), find }
}

const positions = (found: Map<string, { position: number }[]>, key: string) => found.get(key)?.map((row) => row.position)

it('gives the rows of each key in their order, and nothing for a key without any', () => {
  const { add, find } = words()
  for (const [word, position] of [
    ['a', 3],
    ['b', 2],
    ['a', 1],
    ['c', 4],
  ] as const)
    add(word, position)
  const found = find(['a', 'c', 'd'], { not: '4' })
  expect([...found.keys()]).toEqual(['a'])
  expect(positions(found, 'a')).toEqual([1, 3])
  expect(find([]).size).toBe(0)
})

it('finds keys that JSON spells otherwise than the database does', () => {
  const { add, find } = words()
  const odd = ['nul\0inside', 'line\nend', 'half \ud800 pair', 'whole 😀 pair', 'quote " and \\ slash', '12', 'null', '']
  for (const [position, word] of odd.entries()) add(word, position)
  const found = find(odd, { not: '-1' })
  for (const [position, word] of odd.entries()) expect(positions(found, word)).toEqual([position])
})
