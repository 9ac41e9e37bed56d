/** Loads what answers a hook: from dist/bundle/, where all that a prompt needs lies in one file, else from the library, module by module. */
import { existsSync } from 'node:fs'
import type { HookAnswer, HookRequest } from '../../library/index.ts'
import { type KeptCode, keptCode } from './kept-code.ts'

/** `started` is only handed on, from one file of the bundle to the other. */
type AnswerHook = (request: HookRequest & { readonly started?: object }) => Promise<HookAnswer>
type BeginModel = (prompt: string, home: string) => object | undefined

export interface LoadedAnswer {
  readonly answerHook: AnswerHook
  /** The model, where it was begun to load before everything else. */
  readonly started: object | undefined
  /** Keeps the compiled code for the next process, where there was none to take over. */
  readonly keep: KeptCode['keep']
}

export interface ToAnswer {
  readonly home: string | undefined
  /** Each kind of hook keeps compiled code of its own. */
  readonly kind: 'prompt' | 'tool' | 'others'
  /** Undefined for a hook that is no prompt's. */
  readonly prompt: string | undefined
}

/** Made by scripts/bundle-hook.js; not there where the sources run. `at-once` holds all that `answer-hook` imports at once. */
const BUNDLE = new URL('../../bundle/', import.meta.url)

export async function loadAnswer({ home, kind, prompt }: ToAnswer): Promise<LoadedAnswer> {
  const { fileURLToPath } = process.getBuiltinModule('node:url')
  const file = (name: string) => fileURLToPath(new URL(name, BUNDLE))
  if (!existsSync(file('at-once.cjs'))) {
    return { answerHook: (await import('../../library/index.ts')).answerHook, started: undefined, keep: () => undefined }
  }
  const require = process.getBuiltinModule('node:module').createRequire(BUNDLE)
  const begin = () => (require(file('hook-first.cjs')) as { beginModel: BeginModel }).beginModel
  const started = prompt === undefined || home === undefined ? undefined : begin()(prompt, home)
  const { keep } = keptCode(file('at-once.cjs'), { home, kind })
  return { answerHook: (require(file('answer-hook.cjs')) as { answerHook: AnswerHook }).answerHook, started, keep }
}
