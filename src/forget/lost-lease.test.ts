import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'
import { TOMBSTONE_FILE } from '../config/paths.ts'
import type { ForgetStep } from './context.ts'

const line = (role: string, content: string) => `${JSON.stringify({ role, content, timestamp: '2026-02-05T10:30:00Z' })}\n`

async function world(stop: ForgetStep) {
  const home = testHome()
  writeFileSync(
    join(home.logs, 'chat.jsonl'),
    line('user', 'The heron sleeps at the mill.') +
      line('assistant', 'Noted.') +
      line('user', 'And the mill?') +
      line('assistant', 'It turns.'),
  )
  const count = (table: string) => {
    const db = new Database(home.database, { readonly: true })
    const rows = db.prepare(`select count(*) from ${table}`).pluck().get() as number
    db.close()
    return rows
  }
  const mnemonic = await home.open(
    {},
    {
      onForgetStep: (step) => {
        if (step !== stop) return
        const db = new Database(home.database)
        db.exec("update leases set owner = 'somebody-else'")
        db.close()
      },
    },
  )
  await mnemonic.sync({ path: home.logs, embed: false })
  await expect(mnemonic.forget({ match: 'heron sleeps' })).rejects.toMatchObject({ code: 'LEASE_LOST' })
  return { file: join(home.root, 'workspace', TOMBSTONE_FILE), count }
}

it('before the tombstones: none is written, neither in the database nor in the workspace', async () => {
  const { file, count } = await world('tombstones')
  expect(count('tombstones')).toBe(0)
  expect(existsSync(file)).toBe(false)
  expect(count('agent_messages')).toBe(4)
})

it('before the removal: the tombstones stand, and nothing is removed yet', async () => {
  const { file, count } = await world('removal')
  expect(count('tombstones')).toBeGreaterThan(0)
  expect(existsSync(file)).toBe(true)
  expect(count('agent_messages')).toBe(4)
})
