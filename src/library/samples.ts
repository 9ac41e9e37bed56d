import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MnemonicError } from '../core/error.ts'

const SAMPLES = fileURLToPath(new URL('../../samples', import.meta.url))
const MESSAGES = join('people', 'messages.sql')

export async function copySamples(folder: string): Promise<void> {
  if (!existsSync(SAMPLES)) {
    throw new MnemonicError('NOT_FOUND', `the samples are missing: ${SAMPLES}`, {
      details: { path: SAMPLES },
      hint: 'Install the package again: npm install agent-mnemonic',
    })
  }
  await cp(SAMPLES, folder, { recursive: true, filter: (from) => !from.endsWith(MESSAGES) })
  const { buildDatabase } = await import('../store/sqlite/files/build.ts')
  buildDatabase(join(folder, 'people', 'chat.db'), join(SAMPLES, MESSAGES))
}
