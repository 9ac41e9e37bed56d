/** Asks the configured model for the published sentence of a session or compaction. Shares the cached answer with `analyze`. */
import { ensureSessionEpisode, sessionEpisodeId } from '../../episodes/agent-session.ts'
import type { EpisodeMessage, EpisodeText } from '../analyzer.ts'
import type { SentenceWriter, WrittenSession } from '../memory-sentence.ts'
import { loadEpisodes } from '../run/load-episodes.ts'
import { implementationOf } from './by-model.ts'
import { type LanguageModel, modelFailed } from './language-model.ts'
import { type AnalyzeConfig, type OpenModelOptions, openModel } from './open-model.ts'
import { SESSION_PROMPT } from './prompts/session.ts'
import { sessionText } from './session-text.ts'

export interface SentenceWriterOptions extends OpenModelOptions {
  readonly config: AnalyzeConfig
}

/** Undefined for `rules`. Opens the model lazily: a failure to open must not block publishing. */
export function modelSentences({ config, ...options }: SentenceWriterOptions): SentenceWriter | undefined {
  if (config.provider === 'rules') return undefined
  let opened: Promise<LanguageModel | undefined> | undefined
  return {
    name: implementationOf({ provider: config.provider, model: config.model ?? '' }),
    version: SESSION_PROMPT.version,
    async write(_, signal, written) {
      opened ??= openModel(config, options)
      const [model, episode] = [await opened, await episodeOf(options, written)]
      const said = episode && sessionText(episode)
      if (model === undefined || said === undefined) throw modelFailed('there is nothing of its own to say of it', { fault: 'input' })
      const { text, messages } = said
      const { value } = await model.ask({ prompt: SESSION_PROMPT, text, messages, purpose: 'memory_sentence_v1' }, signal)
      return value.sentence.trim()
    },
  }
}

async function episodeOf({ store, clock }: OpenModelOptions, { session, compaction }: WrittenSession): Promise<EpisodeText | undefined> {
  await store.write((tx) => ensureSessionEpisode(tx, session, clock))
  const row = await store.read.selectFrom('episodes').selectAll().where('id', '=', sessionEpisodeId(session)).executeTakeFirst()
  if (row === undefined) return undefined
  for await (const episode of loadEpisodes(store.read, [{ ...row, strategy: 'agent_session' }], 'calls')) {
    return compaction === undefined ? episode : { ...episode, messages: [condensed(compaction, row.end_time)], calls: [] }
  }
  return undefined
}

function condensed({ message, text }: NonNullable<WrittenSession['compaction']>, timestamp: number): EpisodeMessage {
  return {
    ...{ message, text, by: 'agent', to: 'people', timestamp, trust: 'agent' },
    ...{ handle: null, speaker: null, isOwner: false, turn: null },
  }
}
