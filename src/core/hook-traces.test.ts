import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { HOOK_HARNESSES } from '../roles/hooks/harnesses.ts'
import { TRACE_FOLDER } from './home-folder.ts'
import { dropTrace, leaveTrace, waitingTraces } from './hook-traces.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hook-traces-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const STOP = { harness: 'codex', event: 'Stop', payload: { session_id: 's1', turn_id: 't1', transcript_path: '/log', cwd: '/app' } }
const files = () => readdirSync(join(home, TRACE_FOLDER))
const later = () => Date.now() + 60_000

it('holds which session it is and where, for its owner only, and nothing that anybody said', () => {
  const secret = 'we deploy on Friday'
  const path = leaveTrace(home, {
    ...STOP,
    payload: {
      ...STOP.payload,
      last_assistant_message: secret,
      prompt: secret,
      event: { prompt: secret, sessionId: 's1' },
      reason: 'x'.repeat(5000),
    },
  })
  const text = readFileSync(path as string, 'utf8')
  expect(text).not.toContain(secret)
  expect(JSON.parse(text)).toEqual({ ...STOP, payload: { ...STOP.payload, event: { sessionId: 's1' } } })
  if (process.platform !== 'win32') expect(statSync(path as string).mode & 0o777).toBe(0o600)
})

it('is one for each event of a session, however often and in however many turns it ends', () => {
  for (const turn_id of ['t1', 't1', 't2']) leaveTrace(home, { ...STOP, payload: { ...STOP.payload, turn_id } })
  expect(files()).toHaveLength(1)
  leaveTrace(home, { ...STOP, event: 'SessionEnd' })
  expect(files()).toHaveLength(2)
})

it('makes the same call as the whole payload, in every harness', () => {
  const everything = {
    ...{ session_id: 'a', sessionID: 'b', sessionId: 'c', conversation_id: 'd', transcript_path: '/l', sessionFile: '/m', cwd: '/n' },
    ...{
      directory: '/o',
      workspaceDir: '/p',
      workspace_roots: ['/q', '/r'],
      trigger: 'manual',
      reason: 'exit',
      status: 'done',
      source: 'x',
    },
    ...{ agentId: 'ada', context: { sessionKey: 'agent:main' } },
  }
  for (const harness of HOOK_HARNESSES) {
    for (const payload of [everything, { ...everything, agent_id: 'sub' }, { ...everything, parent_id: 'p', subagent_id: 's' }]) {
      const left = leaveTrace(home, { harness: harness.name, event: 'stop', payload }) as string
      const [kept] = waitingTraces(home, later())
      expect(harness.call('stop', kept?.trace?.payload ?? {}), harness.name).toEqual(harness.call('stop', payload))
      dropTrace(left)
    }
  }
})

it('is left alone while its hook may still run; what is half written, broken or too old goes', () => {
  const path = leaveTrace(home, STOP) as string
  expect(waitingTraces(home, Date.now())).toEqual([])
  expect(waitingTraces(home, later())).toEqual([{ path, trace: STOP }])
  const half = `${path}.4711`
  writeFileSync(half, '{"har')
  writeFileSync(path, '{"har')
  expect(waitingTraces(home, later())).toEqual([{ path, trace: undefined }])
  expect(existsSync(half)).toBe(false)
  utimesSync(path, 1, 1)
  expect(waitingTraces(home, later())).toEqual([])
  expect(files()).toEqual([])
})

it('makes no home where there is none, and never throws', () => {
  rmSync(home, { recursive: true })
  expect(leaveTrace(home, STOP)).toBeUndefined()
  expect(existsSync(home)).toBe(false)
  writeFileSync(home, 'a file')
  expect(leaveTrace(home, STOP)).toBeUndefined()
  expect(waitingTraces(home, later())).toEqual([])
  rmSync(home)
  mkdirSync(home)
  writeFileSync(join(home, TRACE_FOLDER), 'a file where the folder should be')
  expect(leaveTrace(home, STOP)).toBeUndefined()
  expect(waitingTraces(home, later())).toEqual([])
})
