/** Adds a model's narrative. If the model fails, the dossier stays rule-based. */

import type { LanguageModel } from '../../analyze/llm/language-model.ts'
import { weaveNarrative } from '../../analyze/llm/weave-narrative.ts'
import { asMnemonicError } from '../../core/error.ts'
import type { Dossier } from './cited.ts'

export interface Narrated {
  readonly dossier: Dossier
  readonly warnings: readonly string[]
}

export async function withNarrative(dossier: Dossier, model: LanguageModel | undefined): Promise<Narrated> {
  if (model === undefined) return { dossier, warnings: [] }
  const sentences = dossier.sections.flatMap(({ title, sentences: some }) => some.map((sentence) => ({ ...sentence, section: title })))
  const recorded = sentences.map(({ text, section, cites }) => ({ text, section, messages: cites.map(({ message }) => message) }))
  try {
    const { sentences: woven, refused } = await weaveNarrative(model, { title: dossier.title, recorded })
    const narrative = woven.map(({ text, from }) => ({ text, cites: from.flatMap((at) => sentences[at]?.cites ?? []) }))
    if (narrative.length > 0) return { dossier: { ...dossier, narrative }, warnings: [] }
    return { dossier, warnings: refused > 0 ? ['what the model wrote was refused: it cites nothing, or says more than what it cites'] : [] }
  } catch (error) {
    const { code, message } = asMnemonicError(error)
    if (code !== 'MODEL_FAILED') throw error
    return { dossier, warnings: [`no narrative: ${message}`] }
  }
}
