import { EventEmitter } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { TRACE_FOLDER } from '../../core/home-folder.ts'
import { readHookFailures } from '../../core/hook-failures.ts'
import { enterHook } from './enter-hook.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'enter-hook-'))
  vi.spyOn(process, 'uptime').mockReturnValue(60)
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(home, { recursive: true, force: true })
})

async function late(event: string, payload: unknown): Promise<{ code: number; output: string }> {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const code = await new Promise<number>((resolve) => {
    const proc = Object.assign(new EventEmitter(), { env: {}, stdin, stdout, exit: resolve }) as unknown as NodeJS.Process
    void enterHook({ harness: 'claude-code', event, home }, proc)
    stdin.end(JSON.stringify(payload))
  })
  return { code, output: String(stdout.read() ?? '') }
}

it('notes a prompt as late that may need memory, and prints nothing', async () => {
  expect(await late('prompt', { session_id: 's1', prompt: 'why did we choose sqlite?' })).toEqual({ code: 0, output: '' })
  expect(readHookFailures(home)?.last).toMatchObject([{ code: 'LATE', event: 'prompt' }])
})

it.each(['ok, thanks', '', '/clear', 'yes'])('does not note as late what its gate stops: %j', async (prompt) => {
  expect(await late('UserPromptSubmit', { session_id: 's1', prompt })).toEqual({ code: 0, output: '' })
  expect(readHookFailures(home)).toBeUndefined()
})

it.each(['stop', 'Stop', 'SessionEnd', 'session-end', 'PreCompact', 'pre-compact'])(
  'leaves a trace of %s, and nothing is missed',
  async (event) => {
    expect(await late(event, { session_id: 's1', transcript_path: '/log' })).toEqual({ code: 0, output: '' })
    expect(readdirSync(join(home, TRACE_FOLDER))).toHaveLength(1)
    expect(readHookFailures(home)).toBeUndefined()
  },
)

it('leaves no trace of a start', async () => {
  await late('session-start', { session_id: 's1' })
  expect(existsSync(join(home, TRACE_FOLDER))).toBe(false)
  expect(readHookFailures(home)?.last).toMatchObject([{ code: 'LATE' }])
})
