/** `mnemonic entities`, as a person types it, over a graph that runs have written. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeExtracted } from '../../src/graph/write-extracted.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { found, from, named, observed, peopleOf, runOf, type Told, tell } from '../helpers/graph-story.ts'
import { type BinaryHome, binaryHome } from '../helpers/run-binary.ts'

let home: BinaryHome
const TOLD: readonly Told[] = [
  { id: 'm1', channel: 'gmail', from: ['robert.hale@work.example', 'Robert Hale'], says: 'Robert Hale founded Acme.' },
  { id: 'm2', channel: 'gmail', from: ['bob@home.example', 'Bob Hale'], says: 'Acme is my company.' },
  { id: 'm3', channel: 'gmail', from: ['ann@work.example', 'Ann Lee'], says: 'Acme Inc. hired me.' },
  { id: 'm4', channel: 'gmail', agentId: 'other', from: ['bob@home.example', 'Bob Hale'], says: 'Acme is mine.' },
]

beforeEach(async () => {
  home = binaryHome()
  mkdirSync(join(home.root, 'home'), { recursive: true })
  const store = await openSqlite({ path: join(home.root, 'home', 'mnemonic.db'), clock: () => 0 })
  for (const told of TOLD)
    await store.write(async (tx) => {
      const runId = await runOf(tx, await tell(tx, told))
      const acme = named(told, told.id === 'm3' ? 'Acme Inc.' : 'Acme', 'company')
      const [speaker] = peopleOf(told)
      if (speaker === undefined) throw new Error('nobody speaks')
      await writeExtracted(tx, from(told, { runId }), found([speaker, acme], [observed(told, speaker, 'KNOWS_OF', acme)]))
    })
  await store.close()
})
afterEach(() => home.remove())

interface Listed {
  readonly entities: readonly { readonly id: string; readonly name: string; readonly type: string; readonly parts: number }[]
  readonly total: number
}
async function json<T>(...argv: string[]): Promise<T> {
  const run = await home.runHere('entities', ...argv, '--json')
  expect(run.code).toBe(0)
  return JSON.parse(run.stdout) as T
}
const names = async (...argv: string[]) => (await json<Listed>('list', ...argv)).entities.map(({ name }) => name).sort()

it('lists by type, name and agent; fits 80 columns', async () => {
  expect(await names('--type', 'person')).toEqual(['Ann Lee', 'Bob Hale', 'Robert Hale'])
  expect(await names('bob')).toEqual(['Bob Hale'])
  expect(await names('--agent', 'other')).toEqual(['Acme', 'Bob Hale'])
  expect((await json<Listed>('list', '--agent', 'all')).total).toBe(7)
  const { stdout } = await home.runHere('entities')
  expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true)
  expect(stdout).toContain('Robert Hale')
})

it('merge, show, unmerge, by short id, address and name; what is taken back leaves what was', async () => {
  const before = await home.runHere('entities', 'list', '--json')
  const merged = await home.runHere('entities', 'merge', 'bob@home.example', 'Robert Hale')
  expect(merged).toMatchObject({ code: 0, stderr: '' })
  const shown = await json<{
    entity: { name: string; parts: number; observations: number }
    parts: { id: string; name: string }[]
    current: { type: string; observations: unknown[] }[]
  }>('show', 'Bob Hale')
  expect(shown.entity).toMatchObject({ name: 'Robert Hale', parts: 2, observations: 2 })
  expect(shown.current.map(({ type, observations }) => [type, observations.length])).toEqual([['KNOWS_OF', 2]])
  const again = await home.runHere('entities', 'merge', 'Bob Hale', 'robert.hale@work.example')
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is already one with')])
  const part = shown.parts.find(({ name }) => name === 'Bob Hale')?.id ?? ''
  expect((await home.runHere('entities', 'unmerge', part.slice(0, 8))).code).toBe(0)
  expect((await home.runHere('entities', 'list', '--json')).stdout).toBe(before.stdout)
  expect((await home.runHere('entities', 'unmerge', part)).stderr).toContain('is not merged')
})

it('review shows what speaks for a pair; reject keeps it away', async () => {
  type Review = {
    candidates: { a: { id: string }; b: { id: string }; auto_eligible: boolean; evidence: { says: string }[] }[]
    total: number
  }
  const review = await json<Review>('review', '--type', 'person')
  expect(review.total).toBe(1)
  const [pair] = review.candidates
  expect(pair).toMatchObject({ auto_eligible: false, evidence: [{ says: 'nickname' }] })
  expect((await home.runHere('entities', 'reject', pair?.a.id ?? '', pair?.b.id ?? '')).code).toBe(0)
  expect((await json<Review>('review', '--type', 'person')).total).toBe(0)
  expect((await json<Review>('review', '--status', 'rejected')).total).toBe(1)
  expect((await json<Review>('review', '--type', 'company')).candidates[0]?.evidence[0]?.says).toBe('same name')
})

it('an alias of the owner is the name that is shown, and can be taken back', async () => {
  await home.runHere('entities', 'alias', 'ann@work.example', 'Auntie')
  expect(await names('--type', 'person')).toEqual(['Auntie', 'Bob Hale', 'Robert Hale'])
  await home.runHere('entities', 'alias', 'auntie', '+1 415 555 2671', '--as', 'phone')
  expect(await names('+14155552671')).toEqual(['Auntie'])
  await home.runHere('entities', 'alias', 'auntie', 'Auntie', '--remove')
  expect(await names('--type', 'person')).toEqual(['Ann Lee', 'Bob Hale', 'Robert Hale'])
})

it.each([
  [['merge', 'Bob Hale', 'Acme'], 'VALIDATION_ERROR', 'a person'],
  [['merge', 'Bob Hale', 'nobody'], 'NOT_FOUND', 'no entity has'],
  [['show', 'acme', '--agent', 'all'], 'AMBIGUOUS_ID', 'fits'],
  [['merge', 'Bob Hale', 'Robert Hale', '--agent', 'all'], 'AMBIGUOUS_ID', 'fits'],
  [['alias', 'Bob Hale', 'Robert', '--remove'], 'VALIDATION_ERROR', 'was not called'],
])('%j is refused with %s', async (argv, code, message) => {
  const run = await home.runHere('entities', ...argv, '--json')
  expect(run.code).not.toBe(0)
  const { error } = JSON.parse(run.stderr.trim().split('\n').at(-1) ?? '') as { error: { code: string; message: string } }
  expect(error.code).toBe(code)
  expect(error.message).toContain(message)
})

it('entities of two agents are never merged', async () => {
  const { entities } = await json<Listed>('list', '--agent', 'all', '--type', 'person')
  const bobs = entities.filter(({ name }) => name === 'Bob Hale').map(({ id }) => id)
  expect(bobs).toHaveLength(2)
  const run = await home.runHere('entities', 'merge', bobs[0] ?? '', bobs[1] ?? '', '--agent', 'all')
  expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('belongs to the memory of')])
})

it('a name that several have leads to commands that settle it', async () => {
  for (const name of ['Ann Lee', 'Bob Hale']) expect((await home.runHere('entities', 'alias', name, 'Chief')).code).toBe(0)
  const show = (...argv: string[]) => home.runHere('entities', 'show', ...argv)
  const hint = async (...argv: string[]) => (await show(...argv)).stderr.replace(/\s+/g, ' ')

  const pairs = await json<{ total: number; candidates: { a: { id: string }; b: { id: string } }[] }>('review')
  expect(await hint('Chief')).toContain('fits 2 entities')
  expect((await hint('Chief')).includes('entities review')).toBe(pairs.total > 0)
  for (const { a, b } of pairs.candidates) await home.runHere('entities', 'reject', a.id, b.id)
  expect(await hint('Chief')).not.toMatch(/review|merge/)
  const [id = ''] = /[0-9a-f]{8}/.exec(await hint('Chief')) ?? []
  expect((await show(id)).code).toBe(0)

  expect((await home.runHere('entities', 'alias', 'Acme', 'Ann Lee')).code).toBe(0)
  expect(await hint('Ann Lee')).toMatch(/--type company/)
  expect(await hint('Ann Lee')).not.toMatch(/review|merge/)
  expect((await show('Ann Lee', '--type', 'company')).code).toBe(0)

  expect(await hint('acme', '--agent', 'all')).toMatch(/--agent main, --agent other/)
  expect(await hint('acme', '--agent', 'all')).not.toMatch(/review|merge/)
  expect((await show('acme', '--agent', 'other')).code).toBe(0)
})

it('somebody of the address book whom no text names leads to what they wrote', async () => {
  const store = await openSqlite({ path: join(home.root, 'home', 'mnemonic.db'), clock: () => 0 })
  const card = { unit: 'book.vcf', name: 'Zoe Park', card: 'c1' }
  await store.write((tx) =>
    tx.db
      .insertInto('contacts')
      .values({ ...card, handle: 'zoe@park.example' })
      .execute(),
  )
  await store.close()
  for (const name of ['Zoe Park', 'zoe', 'zoe@park.example']) {
    const { code, stderr } = await home.runHere('entities', 'show', name)
    expect(code).not.toBe(0)
    expect(stderr).toContain('"Zoe Park" is in your address book (zoe@park.example)')
    const [, handle = ''] = /search --with (\S+?)\.\s/.exec(stderr.replaceAll('\n', ' ')) ?? []
    expect((await home.runHere('search', '--with', handle)).stderr).not.toMatch(/error|called/)
    expect(stderr.replaceAll('\n', ' ')).toMatch(/nothing is known of them yet .*Where they are named: mnemonic search '"Zoe Park"'/)
  }
  expect((await home.runHere('entities', 'show', 'Nobody Known')).stderr).toContain('no entity')
})

it('an address that only an address book gives somebody is theirs', async () => {
  const store = await openSqlite({ path: join(home.root, 'home', 'mnemonic.db'), clock: () => 0 })
  const card = { unit: 'book.vcf', name: 'Ann Lee', card: 'c1' }
  await store.write((tx) =>
    tx.db
      .insertInto('contacts')
      .values([
        { ...card, handle: 'ann@work.example' },
        { ...card, handle: '+14155550111' },
        { ...card, handle: '+14155550112', name: 'Roy Lee', card: 'c2' },
      ])
      .execute(),
  )
  await store.close()
  const { stdout, code } = await home.runHere('entities', 'show', '+1 415 555-0111')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Ann Lee\nperson/)])
  // Another card of the book says nothing of her.
  expect((await home.runHere('entities', 'show', '+14155550112')).stderr).toContain('"Roy Lee" is in your address book')
})
