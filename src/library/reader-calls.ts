/** The calls of the memory-reader. Loads no adapter, no job, and a search only where a prompt may need memory. */
import { agentMemory } from '../config/agent-memory.ts'
import { given } from '../core/given.ts'
import type { Embedder } from '../embed/embedder.ts'
import { modelName } from '../embed/embedding-options.ts'
import type { BriefAnswer, BriefRequest, ReadAnswer, ReadRequest } from '../roles/reader/reader.ts'
import type { Home } from './open-home.ts'

export type ReadPromptRequest = Omit<ReadRequest, 'agent'> & { readonly agent?: string }
export type ReadBriefRequest = Omit<BriefRequest, 'agent'> & { readonly agent?: string }

export interface MnemonicReader {
  /** The memory that a prompt is given before its agent sees it: dated, cited pieces within a budget of tokens; nothing where it needs none. */
  read(request: ReadPromptRequest): Promise<ReadAnswer>
  /** What a session is told at its start: where its project stands, what holds, what is open, and what changed since it was last here. */
  brief(request?: ReadBriefRequest): Promise<BriefAnswer>
}

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
  }
}
