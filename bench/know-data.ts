/** Labels of `know`: questions, card facts, prompts without need of memory, people. */
import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchContext } from './run.ts'

/** This file is compiled to bench/.out/bench. */
const DEV = fileURLToPath(new URL('../../../bench/know', import.meta.url))

export type Half = 'dev' | 'held-out'

interface Labelled {
  readonly id: string
  readonly half: Half
}

/** Case-insensitive regular expressions; one must match. */
interface Accepted {
  readonly accept: readonly string[]
}

export interface KnowQuestion extends Labelled, Accepted {
  readonly set: 'locomo' | 'samples' | 'coding'
  /** File of LoCoMo, without extension. */
  readonly conversation?: string
  readonly type: string
  readonly question: string
}

export interface CardFact extends Labelled, Accepted {
  readonly kind: string
  readonly fact: string
}

/** Human verdicts: patterns of right and of wrong lines. */
export interface CardVerdict {
  readonly line: string
  readonly right: boolean
}

export interface Chore extends Labelled {
  readonly prompt: string
}

export interface Story extends Labelled {
  readonly kind: string
  readonly says: readonly { readonly text: string; readonly from?: string; readonly channel?: 'imessage' | 'gmail' }[]
  readonly cards?: readonly { readonly name: string; readonly handles: readonly string[] }[]
  readonly mentions: readonly { readonly say: number; readonly name: string; readonly label: string }[]
  readonly entities: Readonly<Record<string, string>>
  /** Must be one entity, or at least candidates. */
  readonly one: readonly (readonly [string, string])[]
  /** Must be candidates. */
  readonly candidate: readonly (readonly [string, string])[]
  /** Must stay apart. */
  readonly apart: readonly (readonly [string, string])[]
}

export interface KnowLabels {
  readonly questions: readonly KnowQuestion[]
  readonly card: readonly CardFact[]
  readonly verdicts: readonly CardVerdict[]
  readonly chores: readonly Chore[]
  readonly stories: readonly Story[]
}

/** The half in the repository, plus the held-out one of `--held-out DIR`. */
export function knowLabels(context: BenchContext): KnowLabels {
  const apart = context.options.get('held-out')
  // npm changes the folder: relative paths count from the caller's.
  const folder = apart === undefined || isAbsolute(apart) ? apart : resolve(process.env.INIT_CWD ?? '.', apart)
  const halves = [[DEV, 'dev'] as const, ...(folder === undefined ? [] : [[folder, 'held-out'] as const])]
  const all = <T extends Labelled>(name: string) =>
    halves
      .flatMap(([at, half]) => labelsIn<T>(join(at, `${name}.json`)).map((label) => ({ ...label, half })))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  return {
    questions: all<KnowQuestion>('questions'),
    card: all<CardFact>('card'),
    verdicts: halves.flatMap(([at]) => labelsIn<CardVerdict>(join(at, 'card-verdicts.json'))),
    chores: all<Chore>('chores'),
    stories: all<Story>('identity'),
  }
}

function labelsIn<T>(file: string): T[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T[]) : []
}

/** Collapses blanks, so that line breaks and table padding do not hide an answer. */
export function holds(text: string, { accept }: Accepted): boolean {
  const flat = text.replace(/\s+/g, ' ')
  return accept.some((pattern) => new RegExp(pattern, 'is').test(flat))
}
