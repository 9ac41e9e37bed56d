/** The first moment of a home's life, with everybody arriving at once. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../helpers/store.ts'

it('eight processes that create the database at once all succeed', async () => {
  const path = join(tempFolder(), 'mnemonic.db')
  const module = new URL('../../dist/store/sqlite/open.js', import.meta.url).href
  const script = `import(${JSON.stringify(module)})
    .then(({ openSqlite }) => openSqlite({ path: ${JSON.stringify(path)}, clock: Date.now }))
    .then((store) => store.close())`
  const run = () => new Promise((done) => spawn(process.execPath, ['-e', script], { stdio: 'inherit' }).on('exit', done))
  expect(await Promise.all(Array.from({ length: 8 }, run))).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
})
