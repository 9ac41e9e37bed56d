import type { Trust } from '../../core/trust.ts'

/** One line of what is known of somebody or something: what holds, since when, what held before. */
export interface KnownLine {
  readonly entity_id: string
  readonly type: string
  readonly name: string
  readonly text: string
  /** What `show` takes. */
  readonly citations: readonly string[]
  /** The least trusted of what it says. */
  readonly trust: Trust
}
