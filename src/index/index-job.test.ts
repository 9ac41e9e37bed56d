import { expect, it } from 'vitest'
import { tempStore } from '../../test/helpers/seed-ledger.ts'
import { MnemonicError } from '../core/error.ts'
import { logged } from './index-job.ts'
import { tally } from './tally.ts'

it('the error of a run stands in its row without secrets, colours or half a secret', async () => {
  const { store, close } = await tempStore()
  const token = `gh${'p_'}${'aB3dE5fG7hJ9kL2mN4pQ6rS8tV1wX0yZaB3d'}`
  try {
    const job = { store, clock: () => 1, agentId: 'main', counts: tally(10) }
    const fail = (message: string) =>
      logged(job, () => Promise.reject(new MnemonicError('STORAGE_ERROR', message))).catch((error: Error) => error.message)
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
  } finally {
    await close()
  }
})
