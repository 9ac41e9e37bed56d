import { mkdirSync, realpathSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NOON, tempFolder, tempStore } from '../../test/helpers/store.ts'
import { ignoreMatcher } from '../config/ignore.ts'
import type { SessionRecord } from '../ledgers/agent-record.ts'
import { unifyProjects } from '../ledgers/unify-projects.ts'
import type { Store } from '../store/store.ts'
import type { Adapter } from './adapter.ts'
import { projectLocator } from './project-of.ts'
import { syncSources } from './sync.ts'

/** A repository made of plain files. */
function repository(path: string, origin: string): string {
  mkdirSync(join(path, '.git'), { recursive: true })
  writeFileSync(join(path, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(path, '.git', 'config'), `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${origin}\n\tfetch = +refs/*\n`)
  return path
}

/** Units are JSON files with a session record and prompts. */
function capture(folder: string, name = 'harness'): Adapter {
  return {
    name,
    defaultPaths: () => [folder],
    async *discover() {
      const { readdirSync, statSync } = await import('node:fs')
      for (const file of readdirSync(folder).sort()) {
        const stat = statSync(join(folder, file))
        if (stat.isFile()) yield { path: join(folder, file), size: stat.size, mtimeMs: stat.mtimeMs }
      }
    },
    recognises: () => false,
    async *read(unit, _since, reader) {
      const records = JSON.parse((await reader.slice(unit.path, 0, unit.size)).toString()) as Partial<SessionRecord>[]
      for (const [i, record] of records.entries()) {
        const session = record.session ?? 's'
        yield { type: 'record', record: { type: 'session', session, firstHash: 'x', ...record } }
        yield {
          type: 'record',
          record: {
            type: 'message',
            session,
            id: `m${i}`,
            hash: 'h',
            role: 'user',
            kind: 'prompt',
            text: 'hello',
            timestamp: NOON,
            trust: 'owner',
          },
        }
      }
      yield { type: 'checkpoint', offset: unit.size, carry: null }
    },
  }
}

async function sync(store: Store, adapter: Adapter, ignore: readonly string[] = []): Promise<number> {
  await syncSources({
    store,
    adapters: [adapter],
    clock: () => NOON,
    quietMs: 1,
    ignore: ignoreMatcher(ignore),
    guard: async () => {},
    afterGroup: async () => {},
  })
  return unifyProjects(store, { locate: projectLocator(), guard: async () => {} })
}

async function sessions(store: Store) {
  const rows = await store.read
    .selectFrom('agent_sessions')
    .select(['native_id', 'project', 'workspace_path', 'context_json'])
    .orderBy('native_id')
    .execute()
  return rows.map(({ context_json, ...row }) => ({ ...row, context: JSON.parse(context_json ?? 'null') as unknown }))
}

const write = (folder: string, name: string, records: Partial<SessionRecord>[]) =>
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(records))

/** New mtime, same content. */
function touch(folder: string, name: string): void {
  const { mtimeMs } = { mtimeMs: Date.now() + Math.random() * 100_000 }
  utimesSync(join(folder, `${name}.json`), mtimeMs / 1000, mtimeMs / 1000)
}

describe('projects of captured sessions', () => {
  it('two harnesses in one repository are one project, and each folder stays known', async () => {
    const [store, folder, at] = [await tempStore(), tempFolder(), realpathSync(tempFolder())]
    const root = repository(join(at, 'harbor'), 'git@github.com:ada/harbor.git')
    mkdirSync(join(root, 'docs'))
    write(folder, 'a', [{ session: 'a', project: join(root, 'docs'), workspacePath: join(root, 'docs') }])
    write(folder, 'b', [{ session: 'b', workspacePath: root, context: { branch: 'main' } }])
    write(folder, 'c', [{ session: 'c', project: '/not/here' }])
    write(folder, 'd', [{ session: 'd', project: 'C:\\code\\harbor', workspacePath: 'C:\\code\\harbor\\docs' }])
    write(folder, 'e', [{ session: 'e' }])
    await sync(store, capture(folder))
    const git_origin = 'github.com/ada/harbor'
    expect(await sessions(store)).toEqual([
      { native_id: 'a', project: root, workspace_path: join(root, 'docs'), context: { git_origin } },
      { native_id: 'b', project: root, workspace_path: root, context: { branch: 'main', git_origin } },
      { native_id: 'c', project: '/not/here', workspace_path: '/not/here', context: null },
      { native_id: 'd', project: 'C:\\code\\harbor', workspace_path: 'C:\\code\\harbor\\docs', context: null },
      { native_id: 'e', project: null, workspace_path: null, context: null },
    ])
  })

  it('ignore matches the folder as the harness says it, and the root', async () => {
    const [store, folder, at] = [await tempStore(), tempFolder(), realpathSync(tempFolder())]
    const root = repository(join(at, 'harbor'), 'git@github.com:ada/harbor.git')
    // A worktree elsewhere: only its root matches the ignored project.
    mkdirSync(join(root, '.git', 'worktrees', 'w'), { recursive: true })
    writeFileSync(join(root, '.git', 'worktrees', 'w', 'commondir'), '../..\n')
    mkdirSync(join(at, 'scratch'))
    writeFileSync(join(at, 'scratch', '.git'), `gitdir: ${join(root, '.git', 'worktrees', 'w')}\n`)
    mkdirSync(join(root, 'secret'))
    write(folder, 'a', [{ session: 'a', workspacePath: join(at, 'scratch') }])
    write(folder, 'b', [{ session: 'b', project: join(root, 'secret') }])
    await sync(store, capture(folder), ['harbor'])
    expect(await sessions(store)).toEqual([])
    const other = await tempStore()
    await sync(other, capture(folder), ['**/secret'])
    expect((await sessions(other)).map((row) => row.native_id)).toEqual(['a'])
  })

  it('sessions of a folder that was moved go along, once, and reading them again does not bring them back', async () => {
    const [store, folder, at] = [await tempStore(), tempFolder(), realpathSync(tempFolder())]
    const old = repository(join(at, 'old', 'harbor'), 'https://github.com/ada/harbor.git')
    mkdirSync(join(old, 'docs'))
    write(folder, 'a', [{ session: 'a', workspacePath: join(old, 'docs') }])
    await sync(store, capture(folder))
    renameSync(join(at, 'old'), join(at, 'new'))
    const moved = join(at, 'new', 'harbor')
    // The new folder is not known yet.
    expect(await sync(store, capture(folder))).toBe(0)
    expect((await sessions(store))[0]).toMatchObject({ project: old })
    write(folder, 'b', [{ session: 'b', workspacePath: moved }])
    expect(await sync(store, capture(folder))).toBe(1)
    const expected = {
      native_id: 'a',
      project: moved,
      workspace_path: join(old, 'docs'),
      context: { git_origin: 'github.com/ada/harbor', moved_from: [old] },
    }
    expect((await sessions(store))[0]).toEqual(expected)
    touch(folder, 'a')
    expect(await sync(store, capture(folder))).toBe(0)
    expect((await sessions(store))[0]).toEqual(expected)
    write(folder, 'a', [
      { session: 'a', workspacePath: join(old, 'docs') },
      { session: 'a', workspacePath: join(old, 'docs') },
    ])
    expect(await sync(store, capture(folder))).toBe(0)
    expect((await sessions(store))[0]).toEqual(expected)
  })

  it('a worktree whose repository moved stays with it', async () => {
    const [store, folder, at] = [await tempStore(), tempFolder(), realpathSync(tempFolder())]
    const old = repository(join(at, 'old'), 'git@github.com:ada/harbor.git')
    const tree = join(at, 'fix')
    mkdirSync(join(old, '.git', 'worktrees', 'fix'), { recursive: true })
    writeFileSync(join(old, '.git', 'worktrees', 'fix', 'commondir'), '../..\n')
    mkdirSync(tree)
    writeFileSync(join(tree, '.git'), `gitdir: ${join(old, '.git', 'worktrees', 'fix')}\n`)
    write(folder, 'a', [{ session: 'a', workspacePath: tree }])
    await sync(store, capture(folder))
    expect(await sessions(store)).toMatchObject([{ project: old }])
    renameSync(old, join(at, 'new'))
    write(folder, 'b', [{ session: 'b', workspacePath: join(at, 'new') }])
    for (const changed of [1, 0]) {
      touch(folder, 'a')
      expect(await sync(store, capture(folder))).toBe(changed)
      expect((await sessions(store))[0]).toMatchObject({ project: join(at, 'new'), workspace_path: tree })
    }
  })

  it('with two copies of a repository nobody knows where it went', async () => {
    const [store, folder, at] = [await tempStore(), tempFolder(), realpathSync(tempFolder())]
    const origin = 'git@github.com:ada/harbor.git'
    const old = repository(join(at, 'old'), origin)
    write(folder, 'a', [{ session: 'a', workspacePath: old }])
    await sync(store, capture(folder))
    renameSync(old, join(at, 'one'))
    repository(join(at, 'two'), origin)
    write(folder, 'b', [{ session: 'b', workspacePath: join(at, 'one') }])
    write(folder, 'c', [{ session: 'c', workspacePath: join(at, 'two') }])
    expect(await sync(store, capture(folder))).toBe(0)
    expect((await sessions(store))[0]).toMatchObject({ project: old })
  })

  it('a folder that is gone keeps the project it had when it was there', async () => {
    const [store, folder, at] = [await tempStore(), tempFolder(), realpathSync(tempFolder())]
    const root = repository(join(at, 'harbor'), '../nowhere')
    mkdirSync(join(root, 'docs'))
    write(folder, 'a', [{ session: 'a', workspacePath: join(root, 'docs') }])
    await sync(store, capture(folder))
    renameSync(join(root, 'docs'), join(root, 'papers'))
    touch(folder, 'a')
    await sync(store, capture(folder))
    expect(await sessions(store)).toMatchObject([{ project: root, workspace_path: join(root, 'docs') }])
  })

  it('a session that goes to a folder without an origin does not take the old one along', async () => {
    const [store, folder, at] = [await tempStore(), tempFolder(), realpathSync(tempFolder())]
    const root = repository(join(at, 'harbor'), 'git@github.com:ada/harbor.git')
    const plain = join(at, 'plain')
    mkdirSync(plain)
    write(folder, 'a', [{ session: 'a', workspacePath: root }])
    await sync(store, capture(folder))
    write(folder, 'a', [{ session: 'a', workspacePath: plain }])
    await sync(store, capture(folder))
    expect(await sessions(store)).toMatchObject([{ project: plain, context: { git_origin: null } }])
  })

  it('sessions imported before their folder became a repository are put in order', async () => {
    const [store, folder, at] = [await tempStore(), tempFolder(), realpathSync(tempFolder())]
    mkdirSync(join(at, 'harbor', 'docs'), { recursive: true })
    write(folder, 'a', [{ session: 'a', workspacePath: join(at, 'harbor', 'docs') }])
    await sync(store, capture(folder))
    expect(await sessions(store)).toMatchObject([{ project: join(at, 'harbor', 'docs') }])
    const root = repository(join(at, 'harbor'), 'git@github.com:ada/harbor.git')
    expect(await sync(store, capture(folder))).toBe(1)
    expect(await sessions(store)).toMatchObject([
      { project: root, workspace_path: join(root, 'docs'), context: { git_origin: 'github.com/ada/harbor' } },
    ])
    expect(await sync(store, capture(folder))).toBe(0)
  })
})
