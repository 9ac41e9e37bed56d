import type { Artifacts } from '../artifacts/artifacts.ts'
import { given } from '../core/given.ts'
import { parseWhen } from '../core/time.ts'
import type { JobHooks } from '../jobs/options.ts'
import type { MnemonicArtifacts } from './mnemonic.ts'
import type { Home } from './open-home.ts'

export function artifacts(home: Home): MnemonicArtifacts {
  async function open(hooks: JobHooks = {}, more = { asksModel: false }): Promise<Artifacts> {
    const { config, clock } = home
    const store = await home.current(hooks.signal)
    const { indexedArtifacts } = await import('../jobs/indexed-artifacts.ts')
    return indexedArtifacts(await home.artifacts(config.agent, hooks, more), { store, clock, config, owner: home.owner(), hooks })
  }
  return {
    publish: async ({ signal, onProgress, ...options } = {}) =>
      (await open(given({ signal, onProgress }), { asksModel: true })).publish(options),
    render: async ({ signal, onProgress, ...options } = {}) => (await open(given({ signal, onProgress }))).render(options),
    reindex: async (hooks) => (await open(hooks)).reindex(),
    verify: async (hooks) => (await open(hooks)).verify(),
    open: async (session) => (await open()).open(session),
    recover: async (hooks) => (await open(hooks)).recover(),
    restore: async (path, hooks) => (await open(hooks)).restore(path),
    accept: async (path, hooks) => (await open(hooks)).accept(path),
    async archive({ signal, onProgress, before, dryRun } = {}) {
      const when = before === undefined ? undefined : parseWhen(before, { timezone: home.owner().timezone, now: home.clock() })
      return (await open(given({ signal, onProgress }))).archive(given({ before: when, dryRun }))
    },
  }
}
