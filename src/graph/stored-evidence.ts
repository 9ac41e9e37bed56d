/** What is kept as JSON with a candidate. */
import type { EvidenceItem } from './evidence.ts'

export interface StoredEvidence {
  readonly items: readonly EvidenceItem[]
  /** Joined without a person: the owner's address book or own words say so. */
  readonly sure: boolean
}

export function storedEvidence(json: string): StoredEvidence {
  return JSON.parse(json) as StoredEvidence
}
