/** Questions on coding sessions, their evidence, and other phrasings. */
import { readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchContext } from './run.ts'

/** This file is compiled to bench/.out/bench. */
const QUESTIONS = new URL('../../../bench/coding/questions.json', import.meta.url)
const SHARED = fileURLToPath(new URL('../../../../shared/bench/coding', import.meta.url))

/** Fixed, so that recency does not depend on the day of the run. */
export const ASKED_AT = Date.parse('2026-11-15T12:00:00Z')

export interface CodingQuestion {
  readonly type: string
  readonly question: string
  readonly answer: string
  /** First the question, then phrasings by an agent that saw no session. */
  readonly phrasings: readonly string[]
  /** Per needed fact the messages that hold it. */
  readonly facts: readonly ReadonlySet<string>[]
}

export function codingFolder({ options }: BenchContext): string {
  const given = options.get('coding')
  // npm changes the folder: relative paths count from the caller's.
  return given === undefined ? SHARED : isAbsolute(given) ? given : resolve(process.env.INIT_CWD ?? '.', given)
}

export function codingQuestions(): CodingQuestion[] {
  return (JSON.parse(readFileSync(QUESTIONS, 'utf8')) as Asked[]).map(({ type, question, phrasings, answer, evidence }) => ({
    ...{ type, question, answer, phrasings: [question, ...phrasings] },
    facts: evidence.map(({ messages }) => new Set(messages)),
  }))
}

/** Format: bench/coding/README.md. */
interface Asked {
  readonly type: string
  readonly question: string
  readonly phrasings: readonly string[]
  readonly answer: string
  /** One entry per needed fact; any of its messages will do. */
  readonly evidence: readonly { readonly messages: readonly string[] }[]
}
