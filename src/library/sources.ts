/** What is read, from where: the list of sources, the switch of each, and the check of session files. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { given } from '../core/given.ts'
import type { MnemonicSources, ValidatedFile } from './mnemonic.ts'
import type { Home } from './open-home.ts'

export function sources(home: Home): MnemonicSources {
  const { paths, config } = home
  return {
    async list() {
      const { everySource } = await import('../browse/sources.ts')
      const { isEnabled } = await import('../jobs/pipeline.ts')
      const store = existsSync(paths.database) ? await home.open() : undefined
      return everySource(await home.adapters(), { store, enabled: (name) => isEnabled(config, name) })
    },
    setEnabled: async (name, enabled) => (await import('../config/switch-source.ts')).switchSource(paths.config, name, enabled),
    async validate(path) {
      const { validateSessionFile } = await import('../ingest/capture/validate-session-file.ts')
      const plain = (await home.adapters()).find(({ name }) => name === 'jsonl')
      const warn = () => undefined // a folder that cannot be listed is reported by `list` and `sync`; here only files are judged
      const files: ValidatedFile[] = []
      for await (const unit of plain?.discover({ ...given({ path: path && resolve(path) }), warn }) ?? [])
        files.push({ path: unit.path, result: await validateSessionFile(unit.path) })
      return files
    },
  }
}
