import type { LanguageModel } from './language-model.ts'
import { type ModelProviderOptions, modelProvider } from './model-provider.ts'
import { type AnalyzeConfig, type OpenModelOptions, openModel } from './open-model.ts'
import { priceOf } from './prices.ts'

export interface ConfiguredOptions extends OpenModelOptions, Pick<ModelProviderOptions, 'entityTypes' | 'rules' | 'sentenceInput'> {
  readonly config: AnalyzeConfig
}

export async function configuredModel({ config, entityTypes, rules, sentenceInput, ...options }: ConfiguredOptions) {
  if (config.provider === 'rules') return undefined
  /** One instance per name: it holds the calls in progress and the provider's failures. */
  const opened = new Map<string | null, Promise<LanguageModel>>()
  const model = (name: string | null) => {
    const known = opened.get(name)
    if (known !== undefined) return known
    const made = openModel(name === null ? config : { ...config, model: name }, options).then((found) => found as LanguageModel)
    opened.set(name, made)
    return made
  }
  return modelProvider({ store: options.store, clock: options.clock, model, price: priceOf(config), entityTypes, rules, sentenceInput })
}
