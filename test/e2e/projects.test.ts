/** One project, one name: repositories, worktrees and moved folders, from the logs of a harness to filters of search and sessions. */
import { mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Mnemonic } from '../../src/library/index.ts'
import { type TestHome, testHome } from '../helpers/home.ts'

/** A repository as its files show it, with a worktree beside it. */
function repository(path: string): string {
  mkdirSync(join(path, '.git', 'worktrees', 'fix'), { recursive: true })
  writeFileSync(join(path, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(path, '.git', 'config'), '[remote "origin"]\n\turl = https://ada:hunter2@github.com/ada/harbor.git\n')
  writeFileSync(join(path, '.git', 'worktrees', 'fix', 'commondir'), '../..\n')
  return path
}

function worktree(path: string, of: string): string {
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, '.git'), `gitdir: ${join(of, '.git', 'worktrees', 'fix')}\n`)
  return path
}

function writeLog(home: TestHome, session: string, cwd: string): void {
  const common = { sessionId: session, cwd, version: '2.1.0', timestamp: '2026-02-01T10:00:00.000Z' }
  const lines = [
    { ...common, type: 'user', uuid: `${session}-1`, parentUuid: null, message: { role: 'user', content: `Which port in ${session}?` } },
    {
      ...common,
      type: 'assistant',
      uuid: `${session}-2`,
      parentUuid: `${session}-1`,
      message: { id: `msg_${session}`, role: 'assistant', model: 'm1', content: [{ type: 'text', text: `Port 9000 in ${session}.` }] },
    },
  ]
  const folder = join(home.logs, 'projects', 'x')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${session}.jsonl`), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
}

const sync = (mnemonic: Mnemonic, home: TestHome) => mnemonic.sync({ path: home.logs, embed: false })

async function found(mnemonic: Mnemonic, project: string): Promise<{ sessions: string[]; search: string[] }> {
  const listed = await mnemonic.sessions({ project })
  const { results } = await mnemonic.search({ query: 'port', filters: { project } })
  const names = (ids: readonly string[]) => [...new Set(ids.map((id) => id.slice('claude-code:'.length)))].sort()
  return { sessions: names(listed.map((one) => one.session_id)), search: names(results.map((one) => one.session_id)) }
}

it('sessions of a repository, its subfolders and its worktrees are one project, before and after it moves', async () => {
  const home = testHome()
  const at = realpathSync(home.root)
  const old = repository(join(at, 'old', 'harbor'))
  mkdirSync(join(old, 'docs'))
  writeLog(home, 'root', old)
  writeLog(home, 'docs', join(old, 'docs'))
  writeLog(home, 'tree', worktree(join(at, 'elsewhere', 'fix'), old))
  writeLog(home, 'other', '/srv/tides')
  const mnemonic = await home.open()
  await sync(mnemonic, home)

  const all = { sessions: ['docs', 'root', 'tree'], search: ['docs', 'root', 'tree'] }
  for (const name of [old, 'harbor', 'old/HARBOR']) expect([name, await found(mnemonic, name)]).toEqual([name, all])
  // The folder that a harness named still leads to its sessions.
  expect(await found(mnemonic, join(old, 'docs'))).toEqual({ sessions: ['docs'], search: ['docs'] })
  expect(await found(mnemonic, 'elsewhere/fix')).toEqual({ sessions: ['tree'], search: ['tree'] })
  expect(JSON.stringify((await mnemonic.sql('select * from agent_sessions')).rows)).not.toContain('hunter2')

  renameSync(join(at, 'old'), join(at, 'new'))
  const moved = join(at, 'new', 'harbor')
  writeLog(home, 'after', moved)
  await sync(mnemonic, home)
  const more = { sessions: ['after', 'docs', 'root', 'tree'], search: ['after', 'docs', 'root', 'tree'] }
  for (const name of [moved, 'harbor', 'new/harbor']) expect([name, await found(mnemonic, name)]).toEqual([name, more])
  expect(await found(mnemonic, old)).toEqual(all)
  expect(await found(mnemonic, '/srv/tides')).toEqual({ sessions: ['other'], search: ['other'] })

  const before = await mnemonic.sessions({})
  writeLog(home, 'root', old)
  await sync(mnemonic, home)
  expect(await mnemonic.sessions({})).toEqual(before)
})
