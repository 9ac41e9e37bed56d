import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { type ScriptCall, serveCalls } from './call-folder.ts'
import { makeRunFolder, removeRunFolder } from './run-folder.ts'

async function served() {
  const run = await makeRunFolder()
  const asked: ScriptCall[] = []
  const calls = serveCalls(run, async (call) => {
    asked.push(call)
    return { code: 0, text: 'said\n' }
  })
  onTestFinished(async () => {
    await calls.stop()
    await removeRunFolder(run)
  })
  const leave = (id: string, files: Record<string, string>) => {
    const folder = join(run.calls, `call-${id}`)
    mkdirSync(folder)
    for (const [name, text] of Object.entries(files)) if (name !== 'call') writeFileSync(join(folder, name), text)
    return folder
  }
  const answered = async (id: string) => {
    while (!existsSync(join(run.answers, `${id}.code`))) await sleep(10)
    return [readFileSync(join(run.answers, `${id}.code`), 'utf8').trim(), readFileSync(join(run.answers, `${id}.text`), 'utf8')]
  }
  const finish = (folder: string, call: string) => writeFileSync(join(folder, 'call'), call)
  return { run, asked, leave, answered, finish, stop: () => calls.stop() }
}

it('arguments come as they were given, whatever a shell would make of them', async () => {
  const { run, asked } = await served()
  const args = ["it's", '$(id)', 'two\nlines', '--quote', '', '\u{1F600}']
  const script = join(run.folder, 'skills/cortex/cortex-write.sh')
  const { spawn } = await import('node:child_process')
  const child = spawn(script, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (part) => (said += part))
  expect(await new Promise((done) => child.once('close', done))).toBe(0)
  expect(said).toBe('said\n')
  expect(asked).toEqual([{ script: 'write', args }])
})

it('links, pipes, long arguments and calls of another form are refused unread', async () => {
  const { run, asked, leave, answered, finish } = await served()
  const secret = join(run.answers, 'secret')
  writeFileSync(secret, 'top secret')
  const link = leave('1-1', {})
  symlinkSync(secret, join(link, '0'))
  finish(link, 'search 1')
  const pipe = leave('1-2', {})
  execFileSync('mkfifo', [join(pipe, '0')])
  finish(pipe, 'search 1')
  finish(leave('1-3', { '0': 'x'.repeat(5000) }), 'search 1')
  finish(leave('1-4', { '0': 'x' }), 'forget 1')
  symlinkSync(run.answers, join(run.calls, 'call-1-5'))
  for (const id of ['1-1', '1-2', '1-3', '1-4', '1-5'])
    expect(await answered(id)).toEqual(['1', 'refused: this is no call of the scripts, or an argument is too long\n'])
  expect(asked).toEqual([])
  expect(readFileSync(secret, 'utf8')).toBe('top secret')
})

it('when it is stopped, nothing is answered any more', async () => {
  const { run, asked, leave, finish, stop } = await served()
  await stop()
  finish(leave('1-1', { '0': 'x' }), 'search 1')
  await sleep(150)
  expect([asked, existsSync(join(run.answers, '1-1.code'))]).toEqual([[], false])
})
