/** File operations of the SQLite store. `alone` runs work between two write transactions of this process. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import type { StoreFile } from '../../store-file.ts'

interface Opened {
  readonly path: string
  readonly writer: () => Database.Database
  readonly reader: Database.Database
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>
}

const erasing = () => import('./erase.ts')

export function sqliteFile({ path, writer, reader, alone }: Opened): StoreFile {
  return {
    path,
    is: (other) => other === path || other === realpathSync(path),
    size: async () => [path, `${path}-wal`].reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0),
    copyTo: async (to, options) => (await import('./copy.ts')).copyChecked(path, to, options),
    replaceWith: async (staged, options) => (await import('./replace.ts')).replaceDatabase(path, staged, options),
    overwriteDeleted: (on) => alone(async () => (await erasing()).overwriteDeleted(writer(), on)),
    erase: (how = {}) =>
      alone(async () => {
        const { emptyLog, rewrite } = await erasing()
        return how.rewrite ? rewrite(writer(), path) : { logEmptied: await emptyLog(writer()), rewritten: false }
      }),
    requireRoom: async () => (await erasing()).requireRoom(path),
    schemaTexts: async () => (await import('../walk.ts')).schemaTexts(reader),
    async *values() {
      yield* (await import('../walk.ts')).storedValues(reader)
    },
  }
}
