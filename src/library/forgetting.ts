import type { Mnemonic } from './mnemonic.ts'
import type { Home } from './open-home.ts'

const jobs = () => import('../jobs/forget.ts')

export function forgetting(home: Home): Pick<Mnemonic, 'planForget' | 'forget' | 'resumeForgetting'> {
  return {
    planForget: async (request) => (await jobs()).runPlan(await home.unsettledStages(request.signal), request),
    async forget(request) {
      const stages = await home.unsettledStages(request.signal)
      // Traces name sessions: once queued, they are forgotten too.
      await (await import('./hook-traces.ts')).takeHookTraces(home, { all: true })
      return (await jobs()).runForget(stages, request)
    },
    resumeForgetting: async (options = {}) => (await jobs()).runResume(await home.unsettledStages(options.signal), options),
  }
}
