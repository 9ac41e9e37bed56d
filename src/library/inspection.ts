/** These calls answer even if the database is damaged. */
import type { Mnemonic } from './mnemonic.ts'
import type { Home } from './open-home.ts'

export function inspection(home: Home): Pick<Mnemonic, 'status' | 'agentStatus' | 'health' | 'doctor'> {
  const { paths, config, clock, open } = home
  return {
    async status() {
      const { statusReport } = await import('../operations/status.ts')
      const { agentMemory } = await import('../config/agent-memory.ts')
      const { packageVersion } = await import('../core/version.ts')
      const { indexIdentity } = await import('../index/identity.ts')
      const identity = indexIdentity(config.index.max_chunk_tokens)
      return statusReport(await open(), {
        version: packageVersion(),
        paths,
        agentId: config.agent,
        identity,
        clock,
        mode: agentMemory(config).write.mode,
      })
    },
    async agentStatus() {
      const { agentStatus } = await import('../operations/agent-status.ts')
      return agentStatus(await open(), config.agent)
    },
    async health() {
      const { healthReport } = await import('../operations/health.ts')
      const { agentMemory } = await import('../config/agent-memory.ts')
      const memory = agentMemory(config)
      const { agentCaps } = await import('../roles/writer/agent/agent-caps.ts')
      const caps = { embedding: config.embedding, analyze: config.analyze, agent: agentCaps(memory) }
      return healthReport(open, { clock, folders: paths, embeds: true, adapters: await home.adapters(), caps, write: memory.write })
    },
    async doctor() {
      const { doctorReport } = await import('../operations/doctor.ts')
      const { isEnabled } = await import('../jobs/chosen-sources.ts')
      const { sweepLeftovers } = await import('../operations/leftovers.ts')
      return doctorReport({
        ...{
          paths,
          open,
          sweep: (store) => sweepLeftovers(store, paths, clock()),
          adapters: await home.adapters(),
          embedding: home.vectors.engine,
        },
        enabled: (name) => isEnabled(config, name),
        engine: (store) => store.diagnose(),
        timer: async () => (await import('./installing.ts')).timerHere(home),
        clock: home.clock,
        agent: async () => (await import('../operations/doctor-agent.ts')).agentCheck(config),
      })
    },
  }
}
