/**
 * The memory-reader selects memory for a prompt before its agent sees it. Returns dated, cited pieces within a token budget. Writes only
 * which pieces a session got, so that none is repeated. Calls no language model.
 */
import type { KnownLine } from '../../search/known/known-line.ts'

export interface ReadRequest {
  /** The agent whose memory is read. */
  readonly agent: string
  readonly prompt: string
  /** Folder of the session. Its project is the scope, unless prompt or configuration widens it. */
  readonly folder?: string
  readonly harness?: string
  /** The harness's session id, which prevents repetition. If undefined, nothing is noted. */
  readonly session?: string
  /** First prompt of its session: "continue" then asks for the state of the work. Undefined: unknown. */
  readonly opens?: boolean
  /** Default: the folder's current branch. */
  readonly branch?: string
  readonly maxTokens?: number
  /** On abort, answers with what is ready: without vectors, by words alone. */
  readonly signal?: AbortSignal
  /** Milliseconds that the caller still waits. Decides if all vectors can be compared. */
  readonly left?: () => number
  readonly explain?: boolean
}

export interface ReadPiece {
  /** Accepted by `show` and `memory_get`. */
  readonly citation: string
  readonly kind: 'turn' | 'work' | 'decision' | 'preference' | 'fact' | 'document' | 'conversation' | 'state'
  readonly date: string
  readonly title: string | null
  readonly project: string | null
  readonly trust: string
  readonly text: string
  readonly tokens: number
  readonly why: string
}

export interface ReadAnswer {
  readonly needed: boolean
  readonly reason: string
  readonly scope: 'project' | 'all'
  readonly phrasings: readonly string[]
  readonly known: readonly KnownLine[]
  readonly pieces: readonly ReadPiece[]
  readonly tokens: number
  /** Marked as memory, ready to inject; may be empty. */
  readonly text: string
  /** `hybrid`, or `lexical: …` with the reason. */
  readonly mode: string
  /** With `explain`: rejected candidates with reasons. */
  readonly left?: readonly { readonly citation: string; readonly why: string }[]
}

export interface BriefRequest {
  readonly agent: string
  readonly folder?: string
  readonly harness?: string
  readonly session?: string
  readonly maxTokens?: number
  readonly signal?: AbortSignal
}

export interface BriefAnswer {
  readonly project: string | null
  /** Byte-identical while memory is unchanged, so that the harness's prompt cache holds. */
  readonly stable: string
  /** Since this agent was last in the project; may be empty. */
  readonly changed: string
  readonly tokens: number
  readonly text: string
}
