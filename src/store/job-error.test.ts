import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { MnemonicError } from '../core/error.ts'
import { finishJob, loggedOnce, startJob } from './job.ts'

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

it('the error of a run stands in its row without secrets, colours or half a secret', async () => {
  const store = await tempStore()
  const token = `gh${'p_'}${'aB3dE5fG7hJ9kL2mN4pQ6rS8tV1wX0yZaB3d'}`
  const job = { kind: 'index', clock: () => 1, agentId: 'main' }
  const fail = (message: string) =>
    loggedOnce(store, job, () => Promise.reject(new MnemonicError('STORAGE_ERROR', message))).catch((error: Error) => error.message)
  await fail(`cannot open /home/me/${token}/mnemonic.db`)
  await fail(`word\u001b[31m${token}\u001b[0m`)
  await fail(`${'x '.repeat(242)}${token}`)
  const rows = await store.read.selectFrom('jobs').select('error_message').orderBy('id').execute()
  expect(rows.map((row) => row.error_message)).toEqual([
    'cannot open /home/me/[REDACTED:github-token]/mnemonic.db',
    'word[REDACTED:github-token]',
    expect.stringMatching(/^x x x/),
  ])
  expect(JSON.stringify(rows)).not.toContain(token.slice(0, 10))
})
