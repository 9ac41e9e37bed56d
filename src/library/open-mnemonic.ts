/** Opens a home as the public object. */
import { analyzing } from './analyzing.ts'
import { artifacts } from './artifacts.ts'
import { dossiers } from './dossiers.ts'
import { entities } from './entities.ts'
import { forgetting } from './forgetting.ts'
import { understanding } from './graph-reading.ts'
import { inspection } from './inspection.ts'
import type { Mnemonic, OpenMnemonicOptions } from './mnemonic.ts'
import { openHome, type TestHooks } from './open-home.ts'
import { reading } from './reading.ts'
import { safekeeping } from './safekeeping.ts'
import { syncing } from './syncing.ts'

/** The database is opened when the first call needs it, so that a broken one can still be diagnosed. */
export async function openMnemonic(options: OpenMnemonicOptions = {}): Promise<Mnemonic> {
  return openWithHooks(options, {})
}

/** For tests; not exported by the package. */
export async function openWithHooks(options: OpenMnemonicOptions, hooks: TestHooks): Promise<Mnemonic> {
  const home = await openHome(options, hooks)
  const { flush, ...read } = reading(home, options.embedder)
  const deciding = async () => (await import('./deciding.ts')).deciding(home)
  async function close(): Promise<void> {
    await flush()
    await home.close()
  }
  return {
    paths: home.paths,
    warnings: home.warnings,
    ...syncing(home),
    ...analyzing(home),
    ...read,
    entities: entities(home),
    decisions: async (request) => (await deciding()).decisions(request),
    separateDecisions: async (a, b) => (await deciding()).separateDecisions(a, b),
    joinDecisions: async (a, b) => (await deciding()).joinDecisions(a, b),
    ...forgetting(home),
    artifacts: artifacts(home),
    safekeeping: safekeeping(home),
    ...inspection(home),
    ...understanding(home),
    ...dossiers(home, read.search),
    close,
    [Symbol.asyncDispose]: close,
  }
}
