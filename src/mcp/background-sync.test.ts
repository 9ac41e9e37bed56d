import { expect, it } from 'vitest'
import { MnemonicError } from '../core/error.ts'
import { backgroundSync, type StartSync } from './background-sync.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('runs one sync at a time, and another only after a while', async () => {
  let now = 0
  let started = 0
  let finish = () => {}
  const start: StartSync = () => {
    started++
    return new Promise((resolve) => {
      finish = () => resolve({ imported: 2, warnings: ['w'] })
    })
  }
  const sync = backgroundSync(start, () => now)
  expect(sync.state()).toMatchObject({ state: 'off' })
  sync.refresh()
  sync.refresh()
  expect(sync.state()).toMatchObject({ state: 'running', started_at: '1970-01-01T00:00:00.000Z' })
  finish()
  await settled()
  expect(sync.state()).toMatchObject({ state: 'done', imported: 2, warnings: ['w'], error: null })
  now = 60_000
  sync.refresh()
  expect(started).toBe(1)
  now = 600_000
  sync.refresh()
  expect(started).toBe(2)
})

it('keeps a failure for the status; a sync of another process is none', async () => {
  let error = new MnemonicError('STORAGE_ERROR', 'disk full', { hint: 'Free some.' })
  let now = 0
  const sync = backgroundSync(
    () => Promise.reject(error),
    () => now,
  )
  sync.refresh()
  await settled()
  expect(sync.state()).toMatchObject({ state: 'failed', error: { code: 'STORAGE_ERROR', message: 'disk full', hint: 'Free some.' } })
  error = new MnemonicError('JOB_RUNNING', 'another')
  now = 600_000
  sync.refresh()
  await settled()
  expect(sync.state()).toMatchObject({ state: 'elsewhere', error: null })
})

it('stops the running one, waits for it, and starts no other', async () => {
  let stopped = false
  let started = 0
  const sync = backgroundSync((signal) => {
    started++
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        stopped = true
        reject(new MnemonicError('INTERRUPTED', 'stopped'))
      }),
    )
  })
  sync.refresh()
  await sync.stop()
  sync.refresh()
  expect({ stopped, started }).toEqual({ stopped: true, started: 1 })
})
