/** The engines there are, each against the contract of the store. */
import { join } from 'node:path'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { NOON, tempFolder } from '../helpers/store.ts'
import { storeContract } from './store.ts'

storeContract('SQLite', () => {
  const path = join(tempFolder(), 'mnemonic.db')
  return () => openSqlite({ path, clock: () => NOON })
})
