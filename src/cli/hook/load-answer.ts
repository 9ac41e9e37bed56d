/** Loads what answers a hook: from dist/bundle/, where all that a prompt needs lies in one file, else from the library, module by module. */
import type { HookAnswer, HookRequest } from '../../library/index.ts'

type AnswerHook = (request: HookRequest) => Promise<HookAnswer>

/** Made by scripts/bundle-hook.js; not there where the sources run. */
const BUNDLE = '../../bundle/answer-hook.js'

export async function loadAnswer(): Promise<AnswerHook> {
  const bundle = new URL(BUNDLE, import.meta.url).href
  try {
    return ((await import(bundle)) as { answerHook: AnswerHook }).answerHook
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return (await import('../../library/index.ts')).answerHook
  }
}
