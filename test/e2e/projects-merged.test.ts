/** Clones without a remote in their logs: joined by the commits that git printed, or by the owner, and told apart again. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cli } from '../helpers/cli.ts'
import { type TestHome, testHome } from '../helpers/home.ts'

interface Ran {
  readonly command: string
  readonly result: string
}

/** A session that ran commands in a folder that is not on this machine. */
function writeLog(home: TestHome, session: string, cwd: string, calls: readonly Ran[] = []): void {
  const common = { sessionId: session, cwd, version: '2.1.0', isSidechain: false, userType: 'external' }
  let [count, last] = [0, null as string | null]
  const line = (fields: Record<string, unknown>) => {
    const uuid = `${session}-${++count}`
    const timestamp = new Date(Date.UTC(2026, 1, 1, 10, count)).toISOString()
    const made = JSON.stringify({ ...common, ...fields, uuid, parentUuid: last, timestamp })
    last = uuid
    return made
  }
  const lines = [line({ type: 'user', message: { role: 'user', content: `Which port in ${session}?` } })]
  for (const { command, result } of calls) {
    const id = `toolu_${session}_${count}`
    const use = { type: 'tool_use', id, name: 'Bash', input: { command } }
    lines.push(line({ type: 'assistant', message: { id: `m${count}`, role: 'assistant', model: 'm1', content: [use] } }))
    lines.push(line({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] } }))
  }
  const text = [{ type: 'text', text: `Port 9000 in ${session}.` }]
  lines.push(line({ type: 'assistant', message: { id: `m${count}`, role: 'assistant', model: 'm1', content: text } }))
  const folder = join(home.logs, 'projects', 'x')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${session}.jsonl`), `${lines.join('\n')}\n`)
}

const log = (...hashes: string[]): Ran => ({
  command: 'git log --oneline -5',
  result: hashes.map((hash) => `${hash} Some subject`).join('\n'),
})
const push = (remote: string): Ran => ({
  command: 'git push',
  result: `To git@github.com:${remote}.git\n   1a2b3c4..5d6e7f8  main -> main`,
})
const [A, B, C] = ['a1b2c3d', 'b2c3d4e', 'c3d4e5f']

interface Listed {
  readonly projects: { name: string; key: string; folders: string[]; sessions: number; merged: string[] }[]
}

async function run(home: TestHome, ...args: string[]): Promise<string> {
  const env = { HOME: home.root, MNEMONIC_HOME: join(home.root, 'home'), MNEMONIC_WORKSPACE: join(home.root, 'workspace') }
  const { code, stdout, stderr } = await cli(args, { env, cwd: home.root })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return stdout
}

const listed = async (home: TestHome) => (JSON.parse(await run(home, 'projects', '--json')) as Listed).projects
const keys = async (home: TestHome) => (await listed(home)).map(({ key, sessions }) => `${key} ${sessions}`).sort()
const sync = (home: TestHome) => run(home, 'sync', '--path', home.logs, '--no-embed')

it('a clone is known by the commits that it shares; forks, strangers and few commits stay apart', async () => {
  const home = testHome()
  writeLog(home, 'origin', '/home/ada/src/harbor', [push('ada/harbor'), log(A, B, C, 'd4e5f6a')])
  writeLog(home, 'clone', '/home/ada/wks/port', [log(C, B, A)])
  writeLog(home, 'stranger', '/srv/harbor', [log('1f2e3d4', '2f3e4d5', '3f4e5d6')])
  writeLog(home, 'glance', '/srv/notes', [log(A, B)])
  writeLog(home, 'elsewhere', '/srv/tides', [{ ...log(A, B, C), command: 'cd /home/ada/src/harbor && git log --oneline' }])
  await sync(home)
  const alone = ['/srv/harbor 1', '/srv/notes 1', '/srv/tides 1']
  expect(await keys(home)).toEqual([...alone, 'github.com/ada/harbor 2'])
  // A fork has a remote of its own, and a clone of both fits both: nobody knows whose it is.
  writeLog(home, 'fork', '/home/bob/harbor', [push('bob/harbor'), log(A, B, C)])
  await sync(home)
  expect(await keys(home)).toEqual(['/home/ada/wks/port 1', ...alone, 'github.com/ada/harbor 1', 'github.com/bob/harbor 1'])
}, 60_000)

it('one root commit is enough, and what stash and reset print are commits too', async () => {
  const home = testHome()
  const root = 'e1f2a3b4c5d6e7f8a9b0c1d2e3f4a5b6c7d8e9f0'
  const roots = (more = ''): Ran => ({ command: 'git rev-list --max-parents=0 HEAD', result: `${more}${root}` })
  writeLog(home, 'origin', '/home/ada/src/harbor', [push('ada/harbor'), log(A, B, C), roots()])
  writeLog(home, 'old', '/home/ada/wks/port', [roots('aa11bb22cc33dd44ee55ff66aa77bb88cc99dd00\n')])
  writeLog(home, 'kept', '/home/ada/wks/pier', [
    { command: 'git stash', result: `Saved working directory and index state WIP on main: ${A} Some subject` },
    { command: 'git reset --hard HEAD~1', result: `HEAD is now at ${B} Some subject` },
    { command: 'git rev-parse HEAD', result: C.padEnd(40, '0') },
  ])
  // The tip of a branch is no root.
  writeLog(home, 'tip', '/srv/tip', [{ command: 'git rev-parse HEAD', result: root }])
  await sync(home)
  expect(await keys(home)).toEqual(['/srv/tip 1', 'github.com/ada/harbor 3'])
}, 60_000)

it('clones without any remote are one by their commits, in whatever order they are read', async () => {
  const home = testHome()
  writeLog(home, 'one', '/a/cli', [log(A, B, C)])
  writeLog(home, 'two', '/b/cli', [log(C, A, B)])
  await sync(home)
  writeLog(home, 'three', '/b/cli')
  await sync(home)
  expect(await listed(home)).toMatchObject([{ key: '/b/cli', folders: ['/a/cli', '/b/cli'], sessions: 3 }])
}, 60_000)

it('the owner merges two projects, takes it back, and every sync, rebuild and restore keeps to it', async () => {
  const home = testHome()
  writeLog(home, 'one', '/a/quay', [push('ada/quay')])
  writeLog(home, 'two', '/b/dock')
  await sync(home)
  expect(await run(home, 'projects', 'merge', 'dock', 'quay')).toContain('/b/dock is github.com/ada/quay')
  const merged = [{ name: 'quay', key: 'github.com/ada/quay', folders: ['/a/quay', '/b/dock'], sessions: 2, merged: ['/b/dock'] }]
  expect(await listed(home)).toMatchObject(merged)
  const sessionsOf = async (project: string) =>
    (JSON.parse(await run(home, 'sessions', '--project', project, '--json')) as { sessions: { session_id: string }[] }).sessions.length
  for (const project of ['quay', 'dock', '/b/dock', 'github.com/ada/quay'])
    expect([project, await sessionsOf(project)]).toEqual([project, 2])
  await run(home, 'backup', join(home.root, 'copy.db'))
  await sync(home)
  await run(home, 'rebuild', '--yes')
  expect(await listed(home)).toMatchObject(merged)

  expect(await run(home, 'projects', 'unmerge', 'dock')).toContain('/b/dock is not github.com/ada/quay')
  await sync(home)
  expect(await keys(home)).toEqual(['/b/dock 1', 'github.com/ada/quay 1'])

  await run(home, 'restore', join(home.root, 'copy.db'), '--yes')
  await sync(home)
  expect(await listed(home)).toMatchObject(merged)
}, 120_000)

it('a project that was joined by its commits is taken out by the owner, and a forgotten merge is no more', async () => {
  const home = testHome()
  writeLog(home, 'one', '/a/quay', [push('ada/quay'), log(A, B, C)])
  writeLog(home, 'two', '/b/dock', [log(A, B, C)])
  writeLog(home, 'three', '/c/pier')
  await sync(home)
  await run(home, 'projects', 'unmerge', 'dock')
  await sync(home)
  expect(await keys(home)).toEqual(['/b/dock 1', '/c/pier 1', 'github.com/ada/quay 1'])
  await run(home, 'projects', 'merge', 'quay', 'pier')
  expect(await keys(home)).toEqual(['/b/dock 1', '/c/pier 2'])
  await run(home, 'forget', '--match', 'The project github.com/ada/quay is /c/pier', '--yes')
  await sync(home)
  expect(await keys(home)).toEqual(['/b/dock 1', '/c/pier 1', 'github.com/ada/quay 1'])
}, 120_000)

it('where no session is of a project, the list says so', async () => {
  const home = testHome()
  const env = { HOME: home.root, MNEMONIC_HOME: join(home.root, 'home'), MNEMONIC_WORKSPACE: join(home.root, 'workspace') }
  expect(await cli(['projects'], { env, cwd: home.root })).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('of a project yet'),
  })
})
