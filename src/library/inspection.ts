/** The state of a home and its machine: status, health, doctor. They answer also where the database is broken. */
import type { Mnemonic } from './mnemonic.ts'
import type { Home } from './open-home.ts'

export function inspection(home: Home): Pick<Mnemonic, 'status' | 'agentStatus' | 'health' | 'doctor'> {
  const { paths, config, clock, open } = home
  return {
    async status() {
      const { statusReport } = await import('../operations/status.ts')
      const { packageVersion } = await import('../core/version.ts')
      const { indexIdentity } = await import('../index/identity.ts')
      const identity = indexIdentity(config.index.max_chunk_tokens)
      return statusReport(await open(), { version: packageVersion(), paths, agentId: config.agent, identity, clock })
    },
    async agentStatus() {
      const { agentStatus } = await import('../operations/agent-status.ts')
      return agentStatus(await open(), config.agent)
    },
    async health() {
      const { healthReport } = await import('../operations/health.ts')
      const caps = { embedding: config.embedding, analyze: config.analyze }
      return healthReport(open, { clock, folders: paths, embeds: true, adapters: await home.adapters(), caps })
    },
    async doctor() {
      const { doctorReport } = await import('../operations/doctor.ts')
      const { isEnabled } = await import('../jobs/chosen-sources.ts')
      return doctorReport({
        ...{ paths, open, adapters: await home.adapters(), embedding: home.vectors.engine },
        enabled: (name) => isEnabled(config, name),
        engine: (store) => store.diagnose(),
      })
    },
  }
}
