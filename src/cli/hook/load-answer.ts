/** Prefers dist/bundle/, one file with all that a prompt needs; else the library. */
import { existsSync } from 'node:fs'
import type { HookAnswer, HookRequest } from '../../library/index.ts'
import { type KeptCode, keptCode } from './kept-code.ts'

/** `started` is passed from one file of the bundle to the other. */
type AnswerHook = (request: HookRequest & { readonly started?: object }) => Promise<HookAnswer>
type BeginModel = (prompt: string, home: string) => object | undefined

export interface LoadedAnswer {
  readonly answerHook: AnswerHook
  readonly started: object | undefined
  readonly keep: KeptCode['keep']
}

export interface ToAnswer {
  readonly home: string | undefined
  readonly kind: 'prompt' | 'tool' | 'others'
  readonly prompt: string | undefined
}

/** Built by scripts/bundle-hook.js; absent when running from sources. `at-once` holds all static imports of `answer-hook`. */
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
