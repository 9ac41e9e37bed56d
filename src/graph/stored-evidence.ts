import type { EvidenceItem } from './evidence.ts'

export interface StoredEvidence {
  readonly items: readonly EvidenceItem[]
  readonly sure: boolean
}

export function storedEvidence(json: string): StoredEvidence {
  return JSON.parse(json) as StoredEvidence
}
