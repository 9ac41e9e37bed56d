/** The folder that `bench/model/answer-from-folder.js` reads and writes. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** This file is compiled to bench/.out/bench. */
const PROGRAM = fileURLToPath(new URL('../../../bench/model/answer-from-folder.js', import.meta.url))
export const MODEL = 'reader'

export interface Asked {
  readonly key: string
  readonly instructions: string
  readonly text: string
  /** Undefined without an answer. */
  readonly answer: string | undefined
}

export const command = (folder: string) => [process.execPath, PROGRAM, '--folder', folder, '--model', MODEL]

/** Each run writes its own prompts; answers stay. */
export function forgetAsked(folder: string): void {
  for (const name of ['asked', 'instructions']) rmSync(join(folder, name), { recursive: true, force: true })
  for (const name of ['asked', 'answered', 'instructions']) mkdirSync(join(folder, name), { recursive: true })
}

export function askedIn(folder: string): Asked[] {
  const names = readdirSync(join(folder, 'asked')).filter((name) => name.endsWith('.md'))
  return names.toSorted().map((name) => {
    const written = readFileSync(join(folder, 'asked', name), 'utf8')
    const shared = /^instructions: (\S+)\n/.exec(written)?.[1]
    const key = name.replace('.md', '')
    const file = join(folder, 'answered', `${key}.json`)
    return {
      key,
      instructions: shared === undefined ? '' : readFileSync(join(folder, shared), 'utf8'),
      text: written.slice(written.indexOf('\n\n') + 2),
      answer: existsSync(file) ? readFileSync(file, 'utf8') : undefined,
    }
  })
}

/** Deterministic, unrelated to the content. */
export function shuffled<T>(items: readonly T[], idOf: (item: T) => string, seed = 'bench-model-1'): T[] {
  const place = (item: T) =>
    createHash('sha256')
      .update(`${seed} ${idOf(item)}`)
      .digest('hex')
  return items.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
}
