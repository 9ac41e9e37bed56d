/**
 * The port of what finds statements in what was said: decisions, tasks, promises, preferences, corrections. Rules are behind it now; a model can
 * be later. What is found is known by its message, its span and its type: two extractors that find the same write the same row.
 */
import type { StatementType } from '../../core/statement-type.ts'

/** One message, as the ledger has it. */
export interface SaidText {
  /** The id that the ledger gives the message. */
  readonly message: string
  readonly text: string
  /** An agent decides and errs, but promises and prefers nothing. */
  readonly by: 'person' | 'agent'
  /** To whom: what a person tells an agent to do now is no task that is left, what they tell a person is. */
  readonly to: 'people' | 'agent'
  /** What the agent said last before it: "yes" and "the second one" say something only with what they answer. */
  readonly answers?: { readonly message: string; readonly text: string } | undefined
  /** What a tool of the harness asked, where the text is what the person answered there: each with the span of its answer. */
  readonly choices?: readonly Choice[] | undefined
  /** Of a plan that it approves: whether anything was done after it; undefined where nobody looked. */
  readonly isCarriedOut?: boolean | undefined
  /** The parts of the text that the message says itself, in UTF-16 units; all of it where absent. */
  readonly ownWords?: readonly (readonly [from: number, to: number])[] | undefined
}

/** A question that a harness put to the person, and what they chose; or a plan that they approved. */
export interface Choice {
  readonly isPlan?: true
  readonly question: string
  readonly answer: string
  /** In UTF-16 units of the text: question and answer as they stand there. */
  readonly start: number
  readonly end: number
}

export interface Statement {
  readonly message: string
  readonly type: StatementType
  /** In UTF-16 units of the text as it was given: `text.slice(start, end)` is the statement. */
  readonly start: number
  readonly end: number
  /** What it is about, in the words of the message that it answers: the option that was chosen, the question that was agreed to. */
  readonly about?: string | undefined
  /** The message that `about` was taken from, where it is another one: when that goes, the statement goes. */
  readonly answered?: string | undefined
  /** Which rule, or which model with which prompt. */
  readonly rule: string
  /** 0 to 1. */
  readonly confidence: number
  /** It may be somebody else's: it is a proposal that holds nowhere, whoever sent the message. */
  readonly isDoubtful?: boolean
}

export interface Extractor {
  /** What it finds may differ only where this differs: another one makes all of it again. */
  readonly version: string
  /** The texts of one conversation or a part of it, in their order. Never throws for what a text holds; finds no two statements of one type that overlap. */
  extract(texts: readonly SaidText[], signal?: AbortSignal): Promise<readonly Statement[]>
}
