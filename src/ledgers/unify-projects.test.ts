import { expect, it } from 'vitest'
import { tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import { type UnifyOptions, unifyProjects } from './unify-projects.ts'

const ORIGIN = 'github.com/ada/harbor'

/** Only these folders exist on this machine. */
const here =
  (folders: Record<string, { project: string; origin?: string }>): UnifyOptions['locate'] =>
  (folder) =>
    folders[folder]

const free = async () => {}

async function add(store: Store, rows: readonly { id: string; project: string; context?: unknown; workspace?: string }[]): Promise<void> {
  await store.write(async (tx) => {
    for (const { id, project, context, workspace } of rows) {
      const context_json = context === undefined ? null : JSON.stringify(context)
      await tx.db
        .insertInto('agent_sessions')
        .values({ id, source: 'a', native_id: id, label: id, project, context_json, workspace_path: workspace ?? null })
        .execute()
    }
  })
}

const projects = async (store: Store) =>
  (await store.read.selectFrom('agent_sessions').select('project').distinct().execute()).map((row) => row.project)

it('moves every session, however many there are, and the second time none', async () => {
  const store = await tempStore()
  const many = Array.from({ length: 4500 }, (_, n) => ({ id: `s${n}`, project: '/old', context: { git_origin: ORIGIN } }))
  await add(store, [...many, { id: 'now', project: '/new', context: { git_origin: ORIGIN } }])
  const locate = here({ '/new': { project: '/new', origin: ORIGIN } })
  expect(await unifyProjects(store, { locate, guard: free })).toBe(4500)
  expect(await projects(store)).toEqual(['/new'])
  expect(await unifyProjects(store, { locate, guard: free })).toBe(0)
})

it('a guard that throws leaves everything as it was', async () => {
  const store = await tempStore()
  await add(store, [
    { id: 'a', project: '/old', context: { git_origin: ORIGIN } },
    { id: 'b', project: '/new' },
  ])
  const locate = here({ '/new': { project: '/new', origin: ORIGIN } })
  const guard = async () => {
    throw new Error('the lease is lost')
  }
  await expect(unifyProjects(store, { locate, guard })).rejects.toThrow('the lease is lost')
  expect(await projects(store)).toEqual(['/old', '/new'])
})

it('remembers each path of a project that moved twice', async () => {
  const store = await tempStore()
  await add(store, [
    { id: 'a', project: '/one', workspace: '/one/docs', context: { git_origin: ORIGIN, branch: 'main' } },
    { id: 'b', project: '/two', context: { git_origin: ORIGIN } },
  ])
  await unifyProjects(store, { locate: here({ '/two': { project: '/two', origin: ORIGIN } }), guard: free })
  await add(store, [{ id: 'c', project: '/three' }])
  await unifyProjects(store, { locate: here({ '/three': { project: '/three', origin: ORIGIN } }), guard: free })
  const row = await store.read.selectFrom('agent_sessions').selectAll().where('id', '=', 'a').executeTakeFirstOrThrow()
  expect(row).toMatchObject({ project: '/three', workspace_path: '/one/docs' })
  expect(JSON.parse(row.context_json ?? '')).toEqual({ git_origin: ORIGIN, branch: 'main', moved_from: ['/one', '/two'] })
})

it('without an origin, or with another one, a folder that is gone stays as it is', async () => {
  const store = await tempStore()
  await add(store, [
    { id: 'a', project: '/old' },
    { id: 'b', project: '/older', context: { git_origin: 'github.com/ada/tides' } },
    { id: 'c', project: '/new', context: { git_origin: ORIGIN } },
  ])
  expect(await unifyProjects(store, { locate: here({ '/new': { project: '/new', origin: ORIGIN } }), guard: free })).toBe(0)
})
