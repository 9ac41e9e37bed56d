/** Loads no adapter and no job, and the search only if a prompt may need memory. */
import { agentMemory } from '../config/agent-memory.ts'
import { given } from '../core/given.ts'
import type { Embedder } from '../embed/embedder.ts'
import { modelName } from '../embed/embedding-options.ts'
import type { Home } from './open-home.ts'
import type { MnemonicReader } from './prompt-reader.ts'

export function readerCalls(home: Home, embedder: Embedder | undefined): MnemonicReader {
  const { config, clock, vectors } = home
  return {
    async read(request) {
      const agent = request.agent ?? config.agent
      const { read } = await import('../roles/reader/read.ts')
      return read(
        { ...request, agent },
        {
          ...{ store: () => home.current(), clock, owner: home.owner, settings: agentMemory(config, agent).read },
          ...{
            embedQueries: vectors.queries,
            embedQuestion: vectors.question,
            embedModel: (embedder ?? modelName(config.embedding)).model,
            prepare: () => vectors.prepare(),
          },
        },
      )
    },
    async brief(request = {}) {
      const agent = request.agent ?? config.agent
      const { brief } = await import('../roles/reader/brief.ts')
      const settings = agentMemory(config, agent).read
      return brief({ ...given(request), agent }, { store: () => home.current(), clock, settings })
    },
    async personalIn(folder) {
      const { personal } = agentMemory(config).read
      if (personal === 'always') return personal
      const { isProject } = await import('../roles/reader/place.ts')
      return (await isProject(await home.current(), config.agent, folder)) ? personal : 'always'
    },
  }
}
