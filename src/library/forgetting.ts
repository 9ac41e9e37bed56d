/** Forgetting: the plan, the removal, and the end of one that was interrupted. */
import type { Mnemonic } from './mnemonic.ts'
import type { Home } from './open-home.ts'

const jobs = () => import('../jobs/forget.ts')

export function forgetting(home: Home): Pick<Mnemonic, 'planForget' | 'forget' | 'resumeForgetting'> {
  return {
    planForget: async (request) => (await jobs()).runPlan(await home.unsettledStages(request.signal), request),
    async forget(request) {
      const stages = await home.unsettledStages(request.signal)
      // They name sessions: in the queue they go with what is forgotten.
      await (await import('./hook-traces.ts')).takeHookTraces(home, { all: true })
      return (await jobs()).runForget(stages, request)
    },
    resumeForgetting: async (options = {}) => (await jobs()).runResume(await home.unsettledStages(options.signal), options),
  }
}
