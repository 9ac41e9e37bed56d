/** Shared by all model analyses: falls back to rules on failure and records it. A daily limit or a resting model ends the run instead. */
import { MnemonicError } from '../../core/error.ts'
import type { Analyzer, EpisodeText, Findings } from '../analyzer.ts'
import { type LanguageModel, modelFault } from './language-model.ts'

export interface ByModelOptions {
  readonly model: LanguageModel
  /** Fallback. If undefined, the run fails. */
  readonly rules: Analyzer | undefined
}

export function implementationOf({ provider, model }: Pick<LanguageModel, 'provider' | 'model'>): string {
  return `${provider}:${model}`
}

export function byModel(
  { name, version, reads }: Pick<Analyzer, 'name' | 'version' | 'reads'>,
  { model, rules }: ByModelOptions,
  read: (episode: EpisodeText, signal: AbortSignal | undefined) => Promise<Findings>,
): Analyzer {
  return {
    ...{ name, version, reads: rules?.reads === 'calls' ? 'calls' : reads, implementation: implementationOf(model) },
    async analyze(episode, signal) {
      try {
        return await read(episode, signal)
      } catch (error) {
        const fault = modelFault(error)
        if (fault === undefined) throw error
        const failed = error as MnemonicError
        if (fault === 'cap' || failed.details.resting === true) throw endsTheRun(failed)
        if (rules === undefined) throw error
        const found = await rules.analyze(episode, signal)
        return { ...found, implementation: rules.implementation, note: `${failed.message}; rules stood in` }
      }
    },
  }
}

/** Other episodes would fail too: they wait instead of getting the fallback. */
function endsTheRun({ message, details, hint }: MnemonicError): MnemonicError {
  return new MnemonicError('MODEL_FAILED', message, { details, recoverable: false, ...(hint === undefined ? {} : { hint }) })
}
