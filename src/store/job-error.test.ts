import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { MnemonicError } from '../core/error.ts'
import { finishJob, startJob } from './job.ts'

const KEY = 'sk-ant-api03-Zq7wRt9LmXv2Bn4Kc8Hs6Pd1Fg3Jy5Ua0Ei-Oo'

it('the error of a failed job is kept without the credentials in it', async () => {
  const store = await tempStore()
  const clock = () => NOON
  const id = await startJob(store, { kind: 'sync', agentId: 'main', clock })
  const error = new MnemonicError('STORAGE_ERROR', `cannot open /srv/${KEY}/mnemonic.db: no space left`)
  await finishJob(store, id, { status: 'failed', items: 0, error, clock })
  const db = new Database(store.location, { readonly: true })
  const kept = db.prepare('select error_message from jobs').pluck().get() as string
  db.close()
  expect(kept).not.toContain(KEY.slice(14, 40))
  expect(kept).toContain('cannot open /srv/')
  expect(kept).toContain('[REDACTED:')
})
