/** The questions on coding sessions, what each needs, and what an agent asked beside it. Reads only. */
import { readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchContext } from './run.ts'

/** This file is compiled to bench/.out/bench. */
const QUESTIONS = new URL('../../../bench/coding/questions.json', import.meta.url)
const SHARED = fileURLToPath(new URL('../../../../shared/bench/coding', import.meta.url))

/** The day on which these questions were first asked: what is recent does not depend on when they are asked again. */
export const ASKED_AT = Date.parse('2026-11-15T12:00:00Z')

export interface CodingQuestion {
  readonly type: string
  readonly question: string
  readonly answer: string
  /** The question and other phrasings of it, as an agent gave them without seeing a session. */
  readonly phrasings: readonly string[]
  /** The needed facts: the ids of any message that holds it. */
  readonly facts: readonly ReadonlySet<string>[]
}

export function codingFolder({ options }: BenchContext): string {
  const given = options.get('coding')
  // npm runs scripts in the package's folder; what was typed counts from where it was typed.
  return given === undefined ? SHARED : isAbsolute(given) ? given : resolve(process.env.INIT_CWD ?? '.', given)
}

export function codingQuestions(): CodingQuestion[] {
  return (JSON.parse(readFileSync(QUESTIONS, 'utf8')) as Asked[]).map(({ type, question, phrasings, answer, evidence }) => ({
    ...{ type, question, answer, phrasings: [question, ...phrasings] },
    facts: evidence.map(({ messages }) => new Set(messages)),
  }))
}

/** As bench/coding/README.md says. */
interface Asked {
  readonly type: string
  readonly question: string
  readonly phrasings: readonly string[]
  readonly answer: string
  /** One entry is one needed fact; any of its messages holds it. */
  readonly evidence: readonly { readonly messages: readonly string[] }[]
}
