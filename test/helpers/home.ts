import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Mnemonic, OpenMnemonicOptions } from '../../src/library/index.ts'
import type { TestHooks } from '../../src/library/open-home.ts'
import { openWithHooks } from '../../src/library/open-mnemonic.ts'
import { copyFreshDatabase } from './fresh-database.ts'

export interface TestHome {
  readonly root: string
  readonly logs: string
  readonly database: string
  open(more?: Partial<OpenMnemonicOptions>, hooks?: TestHooks): Promise<Mnemonic>
}

export function testHome(): TestHome {
  const root = mkdtempSync(join(tmpdir(), 'mnemonic-home-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const logs = join(root, 'logs')
  mkdirSync(logs, { recursive: true })
  const database = join(root, 'home', 'mnemonic.db')
  let opened = false
  return {
    root,
    logs,
    database,
    async open(more = {}, hooks = {}) {
      // A removed home must stay removed.
      if (!opened && !existsSync(join(root, 'home'))) copyFreshDatabase(database)
      opened = true
      const mnemonic = await openWithHooks({ home: join(root, 'home'), workspace: join(root, 'workspace'), ...more }, hooks)
      onTestFinished(() => mnemonic.close())
      return mnemonic
    },
  }
}
