/** What hooks ask for, over an open home: each part is loaded by the event that needs it. */
import { agentMemory } from '../config/agent-memory.ts'
import { given } from '../core/given.ts'
import { clearHookFailures, readHookFailures } from '../core/hook-failures.ts'
import type { HookServices } from '../roles/hooks/hook-services.ts'
import { searchForAgent } from './agent-text.ts'
import type { Home } from './open-home.ts'
import { withoutWaiting } from './without-waiting.ts'

export function hookServices(home: Home, onStep: (name: string) => void = () => undefined): HookServices {
  const { config, paths, clock } = home
  return {
    agent: config.agent,
    settings: (agent) => agentMemory(config, agent),
    async read({ agent, prompt, folder, signal }) {
      home.vectors.prepare()
      const store = await home.current(signal)
      onStep('database')
      const { searcher } = await import('../search/search.ts')
      const { modelName } = await import('../embed/embedding-options.ts')
      onStep('modules')
      const embedQueries = withoutWaiting(home.vectors.queries, signal)
      const search = searcher({
        store,
        clock,
        owner: home.owner(),
        agentId: agent,
        embedQueries,
        embedModel: modelName(config.embedding).model,
      })
      const answer = await search.search({ query: prompt.slice(0, 2000), limit: 5, ...given({ prefer_project: folder }) })
      onStep('search')
      const hints = { read: (id: string) => `memory_get ${id}`, readHit: (_: number, id: string) => `memory_get ${id}` }
      const text = answer.results.length === 0 ? '' : searchForAgent(answer, { now: clock(), hints })
      return { needed: true, reason: '', scope: 'all', phrasings: [prompt], pieces: [], tokens: 0, text, mode: answer.mode.realized }
    },
    async brief({ signal }) {
      await home.current(signal)
      return { project: null, stable: '', changed: '', tokens: 0, text: '' }
    },
    async enqueue() {
      await home.open()
    },
    async countTurn() {
      await home.open()
      return false
    },
    startWorker: async () => undefined,
    lastFailures: () => readHookFailures(paths.home),
    clearFailures: () => clearHookFailures(paths.home),
  }
}
