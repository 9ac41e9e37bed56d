import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder, tempStore } from '../../test/helpers/store.ts'
import { TOMBSTONE_FILE } from '../config/paths.ts'
import type { Store } from '../store/store.ts'
import { isSettled, mergeTombstoneFile, readPending } from './settled.ts'
import { appendTombstoneFile, readTombstoneFile } from './tombstone-file.ts'
import { tombstonesOf } from './tombstones.ts'
import { addTombstones, listKeys } from './write-tombstones.ts'

const WHEN = { removedAt: 1, reason: 'owner' }

async function bury(store: Store, session: string): Promise<void> {
  await store.write((tx) => addTombstones(tx, [{ kind: 'session', agentId: 'main', id: session }], WHEN))
}

async function keepsOut(store: Store, session: string): Promise<boolean> {
  return (await tombstonesOf({ db: store.read }))?.holds('session', session) ?? false
}

it('a database that knows nothing takes over tombstones and key, and says that something is to be removed', async () => {
  const [workspace, old, fresh] = [tempFolder(), await tempStore(), await tempStore()]
  await bury(old, 'a:1')
  await mergeTombstoneFile(old, workspace, 5)
  expect(await readPending(old)).toBeUndefined()
  expect(await isSettled(fresh, workspace)).toBe(false)
  expect(await mergeTombstoneFile(fresh, workspace, 5)).toBe(1)
  expect(await listKeys(fresh.read)).toEqual(await listKeys(old.read))
  expect(await keepsOut(fresh, 'a:1')).toBe(true)
  expect(await keepsOut(fresh, 'a:2')).toBe(false)
  expect(await readPending(fresh)).toMatchObject({ selector: 'tombstones' })
})

it('two databases with keys of their own: each keeps out what the other forgot', async () => {
  const [workspace, one, two] = [tempFolder(), await tempStore(), await tempStore()]
  await bury(one, 'a:1')
  await bury(two, 'b:2')
  await mergeTombstoneFile(one, workspace, 5)
  await mergeTombstoneFile(two, workspace, 5)
  await mergeTombstoneFile(one, workspace, 5)
  for (const store of [one, two]) {
    expect(await keepsOut(store, 'a:1')).toBe(true)
    expect(await keepsOut(store, 'b:2')).toBe(true)
    expect(await listKeys(store.read)).toHaveLength(2)
  }
})

it('a lost file is written again, for the owner alone; a torn line in it is none', async () => {
  const [workspace, store] = [tempFolder(), await tempStore()]
  const file = join(workspace, TOMBSTONE_FILE)
  await bury(store, 'a:1')
  await mergeTombstoneFile(store, workspace, 5)
  expect(await isSettled(store, workspace)).toBe(true)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const whole = readFileSync(file, 'utf8')
  expect(whole.split('\n')[0]).toMatch(/^\{"v":1,"key":"[0-9a-f]{64}"\}$/)
  rmSync(file)
  expect(await isSettled(store, workspace)).toBe(false)
  await mergeTombstoneFile(store, workspace, 5)
  expect(readFileSync(file, 'utf8')).toBe(whole)
  writeFileSync(file, whole.slice(0, -20))
  appendTombstoneFile(workspace, { keys: [], rows: readTombstoneFile(workspace)?.rows ?? [] })
  await mergeTombstoneFile(store, workspace, 5)
  expect(readTombstoneFile(workspace)?.rows).toHaveLength(1)
  appendFileSync(file, '{"id": 7}\nnot json\n')
  expect(readTombstoneFile(workspace)?.rows).toHaveLength(1)
})

it('where nothing was ever forgotten there is no file, and nothing to compare', async () => {
  const [workspace, store] = [tempFolder(), await tempStore()]
  expect(await isSettled(store, workspace)).toBe(true)
  expect(readTombstoneFile(workspace)).toBeUndefined()
})
