/** The owner's verdicts on pairs of decisions. They still match if a decision's span changes. */
import { DERIVED } from '../../ledgers/derived-events.ts'
import type { DecisionVerdict } from '../../ledgers/owner-verdicts.ts'

export function verdictOn(earlier: string, later: string, said: readonly DecisionVerdict[]): DecisionVerdict['says'] | undefined {
  return said.findLast((one) => isSame(one.earlier, earlier) && isSame(one.later, later))?.says
}

export function othersIn(id: string, said: readonly DecisionVerdict[]): string[] {
  const others = said.flatMap(({ earlier, later }) => (isSame(earlier, id) ? [later] : isSame(later, id) ? [earlier] : []))
  return others.flatMap((other) => ID.exec(other)?.[1]?.slice(DERIVED.length + 1) ?? [])
}

const ID = /^(.*):(\d+)-(\d+):([a-z_]+)$/s

function isSame(meant: string, id: string): boolean {
  if (meant === id) return true
  const [a, b] = [ID.exec(meant), ID.exec(id)]
  if (a === null || b === null || a[1] !== b[1] || a[4] !== b[4]) return false
  return Number(a[2]) < Number(b[3]) && Number(b[2]) < Number(a[3])
}
