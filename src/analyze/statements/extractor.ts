/**
 * Port that finds decisions, tasks, promises, preferences and corrections. A finding is identified by message, span and type, so two
 * extractors write the same row.
 */
import type { StatementType } from '../../core/statement-type.ts'

export interface SaidText {
  readonly message: string
  readonly text: string
  /** Agents may decide and err, but do not promise or prefer. */
  readonly by: 'person' | 'agent'
  /** A request to an agent is not an open task; one to a person is. */
  readonly to: 'people' | 'agent'
  /** The agent's previous message, which gives "yes" and "the second one" a meaning. */
  readonly answers?: { readonly message: string; readonly text: string } | undefined
  /** Questions of a harness tool, with the spans of the person's answers in the text. */
  readonly choices?: readonly Choice[] | undefined
  /** For an approved plan: if work followed. Undefined if unknown. */
  readonly isCarriedOut?: boolean | undefined
  /** Ranges without quoted text, in UTF-16 units. Default: all. */
  readonly ownWords?: readonly (readonly [from: number, to: number])[] | undefined
}

export interface Choice {
  readonly isPlan?: true
  readonly question: string
  readonly answer: string
  /** UTF-16 units of the text; covers question and answer. */
  readonly start: number
  readonly end: number
}

export interface Statement {
  readonly message: string
  readonly type: StatementType
  /** UTF-16 units of the input: `text.slice(start, end)` is the statement. */
  readonly start: number
  readonly end: number
  /** Subject from the answered message: the chosen option or the accepted question. */
  readonly about?: string | undefined
  /** Source message of `about`, if another one: the statement is forgotten with it. */
  readonly answered?: string | undefined
  readonly rule: string
  readonly confidence: number
  /** May be foreign text: kept as a proposal only, whatever the sender's trust. */
  readonly isDoubtful?: boolean
}

export interface Extractor {
  /** A new version re-derives everything. Must change if findings may differ. */
  readonly version: string
  /** Texts of one conversation in order. Must not throw for any text; statements of one type must not overlap. */
  extract(texts: readonly SaidText[], signal?: AbortSignal): Promise<readonly Statement[]>
}
