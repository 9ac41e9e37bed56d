import type { Trust } from '../../core/trust.ts'

export interface KnownLine {
  readonly entity_id: string
  readonly type: string
  readonly name: string
  readonly text: string
  readonly citations: readonly string[]
  readonly trust: Trust
}
