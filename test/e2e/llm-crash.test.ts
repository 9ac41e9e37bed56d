/** A process that is killed while it asks a model: what was answered is not asked again, and what was paid is counted once. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { llmServer } from '../helpers/llm-server.ts'
import { tempFolder } from '../helpers/store.ts'

const SCRIPT = fileURLToPath(new URL('../helpers/llm-process.mjs', import.meta.url))
const COUNT = 6

function start(database: string, analyze: object): { child: ChildProcess; ended: Promise<string> } {
  const child = spawn(process.execPath, [SCRIPT, database, JSON.stringify(analyze), String(COUNT)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Killed, it leaves the empty folder that its program ran in.
    env: { ...process.env, TMPDIR: tempFolder() },
  })
  const ended = new Promise<string>((done) => {
    let text = ''
    child.stdout?.on('data', (part: Buffer) => {
      text += part.toString()
    })
    child.once('close', () => done(text))
  })
  return { child, ended }
}

it('killed in the middle of a call it repeats that call alone, and pays for no other twice', { timeout: 60_000 }, async () => {
  const database = join(tempFolder(), 'mnemonic.db')
  let [asks, hangs] = [0, true]
  const server = await llmServer(({ prompt }) => {
    asks += 1
    return hangs && asks === 4 ? { hangs: true } : { value: { n: Number(prompt.split(' ')[1]) }, usage: { input: 10, output: 2 } }
  })
  const analyze = { provider: 'openai-compatible', model: 'm', base_url: server.url }
  const first = start(database, analyze)
  while (asks < 4) await sleep(10)
  first.child.kill('SIGKILL')
  expect(await first.ended).toBe('1 paid\n2 paid\n3 paid\n')
  hangs = false
  expect(await start(database, analyze).ended).toBe('1 kept\n2 kept\n3 kept\n4 paid\n5 paid\n6 paid\n')
  expect(server.asked).toHaveLength(COUNT + 1)
  const db = new Database(database, { readonly: true })
  const [row] = db.prepare('select calls, input_tokens, output_tokens from llm_spend').all() as { calls: number; output_tokens: number }[]
  db.close()
  // The room of the call that was cut off stays taken: nobody knows whether it was paid for.
  expect(row?.calls).toBe(COUNT + 1)
  expect(row?.output_tokens).toBe(COUNT * 2 + 50)
})

it('a program that was running ends with the process that started it', { timeout: 60_000 }, async () => {
  if (process.platform === 'win32') return
  const folder = tempFolder()
  const [note, program] = [join(folder, 'pid'), join(folder, 'program.mjs')]
  writeFileSync(
    program,
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(note)}, String(process.pid))\nsetInterval(() => {}, 1000)\n`,
  )
  const { child, ended } = start(join(folder, 'mnemonic.db'), { provider: 'command', command: [process.execPath, program] })
  while (!existsSync(note) || readFileSync(note, 'utf8') === '') await sleep(20)
  const pid = Number(readFileSync(note, 'utf8'))
  expect(isRunning(pid)).toBe(true)
  child.kill('SIGTERM')
  await ended
  for (let i = 0; i < 100 && isRunning(pid); i++) await sleep(20)
  const left = isRunning(pid)
  if (left) process.kill(pid, 'SIGKILL')
  expect(left).toBe(false)
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
