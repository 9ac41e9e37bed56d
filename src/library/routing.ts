import type { Mnemonic } from './mnemonic.ts'
import type { Home } from './open-home.ts'

export function routing(home: Home, search: Mnemonic['search']): Pick<Mnemonic, 'route'> {
  return {
    async route(request) {
      const { route } = await import('../browse/route/route.ts')
      return route(await home.current(), request, { search, agentId: home.config.agent, now: home.clock() })
    },
  }
}
