/** Forgetting: the plan, the removal, and the end of one that was interrupted. */
import type { Mnemonic } from './mnemonic.ts'
import type { Home } from './open-home.ts'

const jobs = () => import('../jobs/forget.ts')

export function forgetting(home: Home): Pick<Mnemonic, 'planForget' | 'forget' | 'resumeForgetting'> {
  return {
    planForget: async (request) => (await jobs()).runPlan(await home.unsettledStages(request.signal), request),
    forget: async (request) => (await jobs()).runForget(await home.unsettledStages(request.signal), request),
    resumeForgetting: async (options = {}) => (await jobs()).runResume(await home.unsettledStages(options.signal), options),
  }
}
