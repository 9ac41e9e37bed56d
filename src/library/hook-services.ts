import { agentMemory } from '../config/agent-memory.ts'
import { clearHookFailures, readHookFailures } from '../core/hook-failures.ts'
import type { HookServices } from '../roles/hooks/hook-services.ts'
import type { Home } from './open-home.ts'
import { readerCalls } from './reader-calls.ts'

export function hookServices(home: Home, onStep: (name: string) => void = () => undefined): HookServices {
  const { config, paths, clock } = home
  const opened = async (signal?: AbortSignal) => {
    const store = await home.current(signal)
    onStep('database')
    return store
  }
  // Opens database and model only if a prompt may need memory.
  const reader = readerCalls({ ...home, current: opened }, undefined)
  const queue = () => import('../roles/writer/queue.ts')
  return {
    agent: config.agent,
    settings: (agent) => agentMemory(config, agent),
    async read(request) {
      const answer = await reader.read(request)
      onStep('reader')
      return answer
    },
    async brief(request) {
      const answer = await reader.brief(request)
      onStep('brief')
      return answer
    },
    async moment(request) {
      const { atMoment } = await import('../roles/moment/moment.ts')
      const text = await atMoment(request, { store: () => opened(), clock, settings: agentMemory(config, request.agent).read })
      onStep('moment')
      return text
    },
    enqueue: async (task) => (await queue()).enqueue(await home.open(), task, { now: clock() }),
    countTurn: async (task) =>
      (await queue()).countTurn(await home.open(), task, { write: agentMemory(config, task.agent).write, now: clock() }),
    async startWorker() {
      const { startWorker } = await import('../roles/writer/start-worker.ts')
      await startWorker(await home.open(), { home: paths.home, workspace: paths.workspace, now: clock() })
    },
    lastFailures: () => readHookFailures(paths.home),
    clearFailures: () => clearHookFailures(paths.home),
  }
}
