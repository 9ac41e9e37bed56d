/** A forgetting that was stopped after the published files were removed: the next one finishes the lists that name them too. */
import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { spokenHome } from '../helpers/spoken-home.ts'

const TEXT = 'astrolabevyx'
const SESSIONS = ['jsonl:harbor', 'jsonl:orchard', 'jsonl:secret']

it.each([{ session: 'jsonl:secret' }, { match: TEXT }])('resuming %o takes it out of MEMORY.md and LEDGER.md', async (selector) => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  await home.say(mnemonic, 'secret', [`Where do we keep the ${TEXT} that was bought?`, `The ${TEXT} is in the attic.`])
  for (const session of SESSIONS) await mnemonic.artifacts.publish({ session })
  const lists = ['MEMORY.md', 'memory/LEDGER.md'].map((name) => join(home.root, 'workspace', name))
  const before = lists.map((path) => readFileSync(path, 'utf8'))
  expect(before.join('\n')).toContain(TEXT)
  // Folders in their place stop it where a kill would: everything else is removed, and no list is written.
  for (const path of lists) {
    rmSync(path)
    mkdirSync(path)
  }
  await expect(mnemonic.forget(selector)).rejects.toThrow()
  for (const [i, path] of lists.entries()) {
    rmdirSync(path)
    writeFileSync(path, before[i] as string)
  }
  await mnemonic.search({ query: 'pear trees' })
  for (const path of lists) expect(readFileSync(path, 'utf8')).not.toContain(TEXT)
  expect(readFileSync(lists[0] as string, 'utf8')).toContain('pear trees')
})
