/** Every entry of the mutation list still changes something: a stale one proves nothing. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

interface Mutation {
  readonly name: string
  readonly file: string
  readonly find: string
  readonly replace: string
  readonly tests: readonly string[]
}

const mutations = JSON.parse(readFileSync(join(ROOT, 'scripts', 'mutations.json'), 'utf8')) as Mutation[]

it('each text stands once in its file, is replaced by another, and has tests that exist', () => {
  const stale = mutations.flatMap(({ name, file, find, replace, tests }) => {
    const path = join(ROOT, file)
    const times = existsSync(path) ? readFileSync(path, 'utf8').split(find).length - 1 : 0
    const lost = tests.filter((test) => !existsSync(join(ROOT, test)))
    return times === 1 && find !== replace && tests.length > 0 && lost.length === 0 ? [] : [{ name, file, times, lost }]
  })
  expect(stale).toEqual([])
})

it('no two entries have one name', () => {
  const names = mutations.map(({ name }) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
