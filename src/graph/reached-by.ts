import type { ExtractedAlias } from './extracted.ts'

export const REACHED_BY: readonly ExtractedAlias['type'][] = ['email', 'phone', 'handle', 'username']
