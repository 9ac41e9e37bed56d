import { expect, it } from 'vitest'
import { seedSession } from '../../test/helpers/seed-ledger.ts'
import { tempStore } from '../../test/helpers/store.ts'
import type { Ranked } from './candidate.ts'
import { preferProject } from './prefer-project.ts'

const hit = (group: string, score: number) => ({ group, score, parts: {} }) as unknown as Ranked

async function seeded() {
  const store = await tempStore()
  await seedSession(store, { id: 'a', project: '/nowhere/harbor' })
  await seedSession(store, { id: 'b', project: '/elsewhere/harbor-clone' })
  await seedSession(store, { id: 'c', project: '/nowhere/tides' })
  await store.write(async ({ db }) => {
    const own = ['claude-code:a', 'claude-code:b']
    await db.updateTable('agent_sessions').set({ repository: 'github.com/ada/harbor' }).where('id', 'in', own).execute()
  })
  const hits = [hit('claude-code:c', 0.5), hit('claude-code:b', 0.49), hit('claude-code:a', 0.4)]
  return { hits, order: async (folder: string) => (await preferProject(store, hits, folder)).map(({ group }) => group.slice(-1)).join('') }
}

it.each([
  ['the project’s own folder, for a clone of it', '/nowhere/harbor', 'bca'],
  ['a folder below it', '/nowhere/harbor/src', 'bca'],
  ['a worktree of it', '/nowhere/harbor/.worktrees/3', 'bca'],
  ['another project', '/nowhere/tides', 'cba'],
  ['a folder of no project', '/somewhere', 'cba'],
  ['a folder above all', '/nowhere', 'cba'],
])('somebody who asks in %s', async (_, folder, expected) => {
  const { order } = await seeded()
  expect(await order(folder)).toBe(expected)
})

it('where all hits are of the project, nothing changes', async () => {
  const store = await tempStore()
  await seedSession(store, { id: 'a', project: '/nowhere/harbor' })
  const hits = [hit('claude-code:a', 0.5)]
  expect(await preferProject(store, hits, '/nowhere/harbor')).toBe(hits)
})
