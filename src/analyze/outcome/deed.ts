/** Outcome of a session or turn, each part with its source message. Texts are one line, redacted, without markup. */
import type { Trust } from '../../core/trust.ts'

export interface Source {
  readonly message: string
  readonly call?: string
  /** UTF-16 units of the message; undefined for a deed. */
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
  readonly number: string | null
}

export interface Todo extends Deed {
  readonly status: 'open' | 'done'
}

export interface Tests {
  readonly state: 'red' | 'green'
  /** Red before it became green. */
  readonly mended: boolean
  readonly source: Source
}

export interface ChangedFile {
  /** Relative to the project if inside it. */
  readonly path: string
  readonly times: number
  readonly source: Source
}

export interface Outcome {
  readonly commits: readonly Deed[]
  readonly pulls: readonly Pull[]
  readonly issues: readonly Deed[]
  readonly merges: readonly Deed[]
  readonly plan: Deed | undefined
  readonly todos: readonly Todo[]
  readonly tests: Tests | undefined
  readonly busiest: string | null
  readonly files: readonly ChangedFile[]
  readonly read: readonly string[]
  readonly components: readonly string[]
  readonly asked: readonly Deed[]
  readonly reports: readonly Report[]
  readonly decisions: readonly Deed[]
  readonly actions: readonly Deed[]
  readonly calls: number
  /** Least trusted of all sources. */
  readonly trust: Trust
}

export interface Report extends Deed {
  readonly tells: boolean
}
