/** What others are at, and what is theirs, stays. */
import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { artifactsOf, DAY, seedSessions } from '../../test/helpers/artifacts-home.ts'
import { NOON, tempFolder, tempStore } from '../../test/helpers/store.ts'
import { removeLeftovers } from '../core/atomic-file.ts'

it('a half-written file of a process that lives stays for ten minutes; one of a process that died goes at once', () => {
  const folder = tempFolder()
  const put = (name: string, ageMs: number) => {
    const path = join(folder, name)
    writeFileSync(path, 'half')
    utimesSync(path, (NOON - ageMs) / 1000, (NOON - ageMs) / 1000)
    return path
  }
  const living = put(`.mnemonic-tmp-a.md-${process.pid}-0123abcd`, 9 * 60_000)
  const stale = put(`.mnemonic-tmp-b.md-${process.pid}-0123abcd`, 11 * 60_000)
  const dead = put('.mnemonic-tmp-c.md-4194303-0123abcd', 0)
  const own = put('notes.md', DAY)
  expect(removeLeftovers(folder, NOON)).toBe(2)
  expect([living, stale, dead, own].map((path) => existsSync(path))).toEqual([true, false, false, true])
})

it('re-indexing for one persona leaves the rows of another alone', async () => {
  const [store, workspace] = [await tempStore(), tempFolder()]
  await seedSessions(store, [
    { name: 'a', at: NOON - 3 * DAY },
    { name: 'b', at: NOON - 2 * DAY, agentId: 'ops' },
  ])
  await artifactsOf(store, workspace).publish()
  await artifactsOf(store, workspace, { agentId: 'ops' }).publish()
  const rows = () => store.read.selectFrom('artifacts').selectAll().orderBy('source_path').execute()
  const before = await rows()
  expect(new Set(before.map(({ agent_id }) => agent_id))).toEqual(new Set(['main', 'ops']))
  expect(await artifactsOf(store, workspace).reindex()).toMatchObject({ repaired: 0, removed: 0 })
  expect(await rows()).toEqual(before)
})
