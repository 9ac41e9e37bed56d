/** What is kept as JSON with a candidate. */
import type { EvidenceItem } from './evidence.ts'

export interface StoredEvidence {
  readonly items: readonly EvidenceItem[]
  /** The owner's address book says so: no person needs to. */
  readonly sure: boolean
}

export function storedEvidence(json: string): StoredEvidence {
  return JSON.parse(json) as StoredEvidence
}
