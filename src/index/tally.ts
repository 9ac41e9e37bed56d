import type { IndexReport } from './index-report.ts'
import type { Visited } from './indexable.ts'

export interface Tally {
  readonly sessions: number
  removed: number
  calls: number
  add(visited: Visited): void
  report(durationMs: number): IndexReport
}

export function tally(cap: number): Tally {
  const sum = { sessions: 0, documents: 0, chunks: 0, unchanged: 0 }
  const partial: string[] = []
  const warnings: string[] = []
  const counts: Tally = {
    get sessions() {
      return sum.sessions
    },
    removed: 0,
    calls: 0,
    add({ name, sessionId, documents, chunks, unchanged, removed, leftOut, errors, shortened }) {
      if (documents > 0 && sessionId !== undefined) sum.sessions++
      sum.documents += documents
      sum.chunks += chunks
      sum.unchanged += unchanged
      counts.removed += removed
      for (const error of errors) warnings.push(`${name}: ${error}`)
      if (shortened.length > 0) warnings.push(`${name}: ${tooLong(shortened)} too long to be indexed whole; all is in the ledger`)
      if (sessionId !== undefined && (leftOut > 0 || shortened.length > 0)) partial.push(sessionId)
      if (leftOut === 0) return
      const [out, kept] = [leftOut, cap].map((n) => n.toLocaleString('en-US'))
      warnings.push(`${name}: ${out} older chunks are left out of the index, the newest ${kept} are kept`)
    },
    report(durationMs) {
      return { ...sum, removed: counts.removed, calls: counts.calls, partial, duration_ms: durationMs, warnings }
    },
  }
  return counts
}

const NAMED = 3

function tooLong(ids: readonly string[]): string {
  const names = ids.slice(0, NAMED).join(', ')
  if (ids.length === 1) return `message ${names} is`
  return ids.length <= NAMED ? `messages ${names} are` : `${ids.length.toLocaleString('en-US')} messages (the first: ${names}) are`
}
