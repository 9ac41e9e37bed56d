/** What came of a session or a turn, piece by piece, each with the message that it came from. Every text is one line, redacted, without markup. */
import type { Trust } from '../../core/trust.ts'

export interface Source {
  readonly message: string
  /** The tool call, where it is a deed. */
  readonly call?: string
  /** Where the message says it, in UTF-16 units of its text; absent for a deed. */
  readonly start?: number
  readonly end?: number
}

export interface Deed {
  readonly text: string
  readonly source: Source
  readonly turn: string | null
}

export interface Pull extends Deed {
  readonly action: 'opened' | 'merged'
  /** As people write it: `#12`. */
  readonly number: string | null
}

export interface Todo extends Deed {
  readonly status: 'open' | 'done'
}

export interface Tests {
  /** How the last run ended. */
  readonly state: 'red' | 'green'
  /** It was red before it was green. */
  readonly mended: boolean
  readonly source: Source
}

export interface ChangedFile {
  /** Relative to the project where it is below it. */
  readonly path: string
  readonly times: number
  readonly source: Source
}

export interface Outcome {
  readonly commits: readonly Deed[]
  readonly pulls: readonly Pull[]
  /** Issues that were opened. */
  readonly issues: readonly Deed[]
  /** `merged main`, `rebased onto main`. */
  readonly merges: readonly Deed[]
  /** The newest plan that was shown or handed over: its title. */
  readonly plan: Deed | undefined
  readonly todos: readonly Todo[]
  readonly tests: Tests | undefined
  /** The turn that changed the most. */
  readonly busiest: string | null
  /** The most often changed first. */
  readonly files: readonly ChangedFile[]
  /** Read and not changed, in their order. */
  readonly read: readonly string[]
  /** The folders in which most files changed. */
  readonly components: readonly string[]
  /** What was asked, in order: only what says something. */
  readonly asked: readonly Deed[]
  /** What the agent reported, in order: only what says something. */
  readonly reports: readonly Report[]
  /** Statements of people and agents, in order. */
  readonly decisions: readonly Deed[]
  readonly actions: readonly Deed[]
  readonly calls: number
  /** Of all that was read. */
  readonly trust: Trust
}

export interface Report extends Deed {
  /** Whether it tells what was done or found, and does not only go on talking. */
  readonly tells: boolean
}
