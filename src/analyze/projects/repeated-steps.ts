/** Command sequences that sessions repeat: format, then lint, then test. */
import type { StoredFact } from './read-facts.ts'

export interface RepeatedSteps {
  readonly commands: readonly string[]
  readonly sessions: number
  readonly from: readonly StoredFact[]
}

const LEAST_SESSIONS = 3
const LONGEST = 4
const MOST = 3

/** `facts`: commands of one project. Uses passing runs, each form once per turn at its last position. */
export function repeatedSteps(facts: readonly StoredFact[]): RepeatedSteps[] {
  const turns = new Map<string, StoredFact[]>()
  for (const fact of facts)
    if (fact.turn !== null && fact.detail.state === 'passed' && fact.key !== 'one test' && !fact.value.includes('<'))
      turns.set(fact.turn, [...(turns.get(fact.turn) ?? []), fact])
  const found = new Map<string, { sessions: Set<string>; from: readonly StoredFact[] }>()
  for (const all of turns.values()) {
    const ordered = [...all].sort((a, b) => a.at - b.at || (a.call ?? '').localeCompare(b.call ?? '') || stepOf(a) - stepOf(b))
    const last = ordered.filter((fact, i) => !ordered.slice(i + 1).some(({ value }) => value === fact.value))
    for (let length = 2; length <= LONGEST; length += 1)
      for (let at = 0; at + length <= last.length; at += 1) {
        const some = last.slice(at, at + length)
        const key = some.map(({ value }) => value).join('\n')
        const before = found.get(key)
        found.set(key, { sessions: new Set([...(before?.sessions ?? []), some[0]?.session ?? '']), from: some })
      }
  }
  const ranked = [...found]
    .map(([key, { sessions, from }]) => ({ commands: key.split('\n'), sessions: sessions.size, from }))
    .filter(({ sessions }) => sessions >= LEAST_SESSIONS)
    .sort((a, b) => worth(b) - worth(a) || (a.commands.join() < b.commands.join() ? -1 : 1))
  // Drops subsets and reorderings of better ones.
  return ranked
    .filter((one, i) => !ranked.slice(0, i).some(({ commands }) => one.commands.every((command) => commands.includes(command))))
    .slice(0, MOST)
}

function worth({ sessions, commands }: Pick<RepeatedSteps, 'sessions' | 'commands'>): number {
  return sessions * commands.length ** 3
}

function stepOf({ detail }: StoredFact): number {
  return typeof detail.step === 'number' ? detail.step : 0
}
