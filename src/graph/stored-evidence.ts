import type { EvidenceItem } from './evidence.ts'

export interface StoredEvidence {
  readonly items: readonly EvidenceItem[]
  /** Merged without review: confirmed by the owner or the address book. */
  readonly sure: boolean
}

export function storedEvidence(json: string): StoredEvidence {
  return JSON.parse(json) as StoredEvidence
}
