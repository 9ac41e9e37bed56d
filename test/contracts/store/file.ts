/** The part of the store contract for engines whose database is a file. Holds nothing of the others. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest'
import { META, readMeta, writeMeta } from '../../../src/store/meta.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreFile } from '../../../src/store/store-file.ts'
import { seedChunks } from '../../helpers/seed-chunks.ts'

export function fileContract(open: () => Promise<Store>): void {
  async function withFile({ skip }: TestContext): Promise<{ store: Store; file: StoreFile; folder: string }> {
    const store = await open()
    if (store.file === undefined) return skip('its database is no file')
    const folder = mkdtempSync(join(tmpdir(), 'mnemonic-contract-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return { store, file: store.file, folder }
  }
  const mark = (store: Store, value: string) => store.write(({ db }) => writeMeta(db, META.exports, value))

  describe('a database that is a file', () => {
    it('is for its owner alone, and knows its own path', async (context) => {
      const { file, folder } = await withFile(context)
      expect(statSync(file.path).mode & 0o077).toBe(0)
      expect(await file.size()).toBeGreaterThan(0)
      expect([file.path, realpathSync(file.path), folder].map((path) => file.is(path))).toEqual([true, true, false])
    })

    it('is copied whole, and its content replaced by that of a copy, unless what was expected has changed', async (context) => {
      const { store, file, folder } = await withFile(context)
      const copy = join(folder, 'copy.db')
      await mark(store, 'first')
      let bytes = 0
      await file.copyTo(copy, { onBytes: (_done, total) => (bytes = total) })
      expect(bytes).toBeGreaterThan(0)
      expect(statSync(copy).mode & 0o077).toBe(0)
      await mark(store, 'second')
      expect(await file.replaceWith(copy, { expectMeta: { [META.exports]: 'first' } })).toBe(false)
      expect(await readMeta(store.read, META.exports)).toBe('second')
      expect(await file.replaceWith(copy, { expectMeta: { [META.exports]: 'second', [META.backups]: undefined } })).toBe(true)
      expect(await readMeta(store.read, META.exports)).toBe('first')
    })

    it('leaves nothing of a copy that was stopped', async (context) => {
      const { file, folder } = await withFile(context)
      const copy = join(folder, 'copy.db')
      await expect(file.copyTo(copy, { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop')
      expect(existsSync(copy)).toBe(false)
    })

    it('holds nothing any more of what was deleted and erased', async (context) => {
      const { store, file } = await withFile(context)
      const [secret, later] = ['xylophone'.repeat(20), 'quinquereme'.repeat(20)]
      await seedChunks(store, [{ user: secret }, { user: later }])
      await file.requireRoom()
      await file.overwriteDeleted(true)
      await store.write(({ db }) => db.deleteFrom('chunks').where('said_user', '=', secret).execute())
      await file.overwriteDeleted(false)
      await store.rebuildText()
      expect(await file.erase({ rewrite: true })).toEqual({ logEmptied: true, rewritten: true })
      const content = readFileSync(file.path, 'latin1')
      expect([content.includes(secret), content.includes(later)]).toEqual([false, true])
      expect(await file.erase()).toEqual({ logEmptied: true, rewritten: false })
    })

    it('tells the words of its own schema from what is stored in it', async (context) => {
      const { store, file } = await withFile(context)
      await mark(store, 'a stored value')
      expect(await file.schemaTexts()).toEqual(expect.arrayContaining([expect.stringContaining('agent_sessions')]))
      expect((await file.schemaTexts()).some((text) => text.includes('a stored value'))).toBe(false)
      const values: unknown[] = []
      for await (const value of file.values()) values.push(value)
      expect(values.filter((value) => value === 'a stored value')).toHaveLength(1)
    })
  })
}
