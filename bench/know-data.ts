/** The labels of `know`: questions, facts of the project card, prompts that need no memory, people. Reads only. */
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

/** Case-insensitive regular expressions; an answer is accepted if one of them matches. */
interface Accepted {
  readonly accept: readonly string[]
}

export interface KnowQuestion extends Labelled, Accepted {
  readonly set: 'locomo' | 'samples' | 'coding'
  /** The file of LoCoMo, without its ending. */
  readonly conversation?: string
  readonly type: string
  readonly question: string
}

export interface CardFact extends Labelled, Accepted {
  readonly kind: string
  readonly fact: string
}

/** Verdicts of a person who read the card: patterns of right lines and of wrong ones. */
export interface CardVerdict {
  readonly line: string
  readonly right: boolean
}

export interface Chore extends Labelled {
  readonly prompt: string
}

/** Conversations with labelled names, and which labels are the same person. */
export interface Story extends Labelled {
  readonly kind: string
  readonly says: readonly { readonly text: string; readonly from?: string; readonly channel?: 'imessage' | 'gmail' }[]
  readonly cards?: readonly { readonly name: string; readonly handles: readonly string[] }[]
  readonly mentions: readonly { readonly say: number; readonly name: string; readonly label: string }[]
  readonly entities: Readonly<Record<string, string>>
  /** One entity, or at least candidates. */
  readonly one: readonly (readonly [string, string])[]
  /** Two entities that are candidates. */
  readonly candidate: readonly (readonly [string, string])[]
  /** Two entities. */
  readonly apart: readonly (readonly [string, string])[]
}

export interface KnowLabels {
  readonly questions: readonly KnowQuestion[]
  readonly card: readonly CardFact[]
  readonly verdicts: readonly CardVerdict[]
  readonly chores: readonly Chore[]
  readonly stories: readonly Story[]
}

/** The half in the repository, and the one that is kept apart if its folder is named: `--held-out DIR`. */
export function knowLabels(context: BenchContext): KnowLabels {
  const apart = context.options.get('held-out')
  // npm runs scripts in the package's folder; what was typed counts from where it was typed.
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

/** Blanks count as one, so that a line break or a table's padding does not hide an answer. */
export function holds(text: string, { accept }: Accepted): boolean {
  const flat = text.replace(/\s+/g, ' ')
  return accept.some((pattern) => new RegExp(pattern, 'is').test(flat))
}
