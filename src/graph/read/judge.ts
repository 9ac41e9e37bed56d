/**
 * Classifies observations of a subject as current, former or uncertain. Decides at read time: the log keeps every observation. Pure and
 * independent of row order.
 */

import { correctedIn } from './corrected.ts'
import { saidToBeOver, takesBack } from './said-to-be-over.ts'
import { isFixed, presentOf, slotOf } from './slot.ts'

export interface Observation {
  readonly id: string
  readonly type: string
  /** Entity id, or the normalized literal. */
  readonly value: string
  readonly name: string
  readonly fact: string
  readonly sourceType: string
  readonly confidence: number
  readonly validAt: number | null
  readonly invalidAt: number | null
  readonly saidAt: number
  readonly trust: string
  readonly message: string | null
  readonly start?: number | null
  /** Id of the corrected observation or message; `*`: see the wording. */
  readonly corrects?: string | null
}

/**
 * `replaced`: newer value; `over`: ended; `corrected`: a fixed fact was wrong; `untrusted`: unknown source; `weak`: low confidence;
 * `contested`: a more trusted source disagrees; `planned`: starts later.
 */
export type Why = 'replaced' | 'over' | 'corrected' | 'untrusted' | 'weak' | 'contested' | 'planned'

export interface Judged {
  readonly type: string
  readonly value: string
  readonly status: 'current' | 'former' | 'uncertain'
  readonly why: Why | null
  readonly since: number | null
  readonly until: number | null
  readonly replacedBy: string | null
  readonly confidence: number
  readonly observations: readonly Observation[]
}

/** Below this, a single observation is a guess. */
const LEAST_CONFIDENCE = 0.5

/** The caller must drop observations after `at`. */
export function judge(observations: readonly Observation[], at: number): Judged[] {
  const names = new Map<string, Set<string>>()
  for (const { type, name } of observations) {
    const plain = presentOf(type).type
    names.set(plain, (names.get(plain) ?? new Set()).add(name))
  }
  const seen = observations.map((one) => see(one, [...(names.get(presentOf(one.type).type) ?? [])], at)).sort(byTime)
  const wrong = correctedIn(seen)
  const slots = new Map<string, Seen[]>()
  for (const one of seen) if (!wrong.has(one)) slots.set(one.slot, [...(slots.get(one.slot) ?? []), one])
  const runs = [...slots.values()].flatMap((slot) => judgeSlot(slot, at))
  for (const [one, by] of wrong) putRight(runs, one, by)
  return runs.map(shown)
}

/** A corrected value is former; later repeats are only claims, in any row order. */
function putRight(runs: Run[], one: Seen, by: Seen): void {
  const status = one.time <= by.time ? 'former' : 'uncertain'
  const known = runs.find(
    (run) => run.type === one.type && run.value === one.of.value && run.status === status && run.replacedBy === by.of.value,
  )
  if (known !== undefined) return void known.observations.push(one.of)
  const run = begun(one, status, status === 'former' ? 'corrected' : 'contested')
  runs.push({ ...run, until: status === 'former' ? by.time : run.until, replacedBy: by.of.value })
}

interface Seen {
  readonly of: Observation
  readonly type: string
  /** Observations of one slot replace or end each other. */
  readonly slot: string
  readonly oneAtATime: boolean
  readonly time: number
  readonly isOver: boolean
  /** Only ends a current value; has no effect without one. */
  readonly onlyEnds: 'denied' | 'gone' | undefined
  /** Names of other values that the sentence ends. */
  readonly ends: ReadonlySet<string>
  readonly weight: number
}

function see(of: Observation, names: readonly string[], at: number): Seen {
  const { type, past, onlyEnds } = presentOf(of.type)
  const over = saidToBeOver(of.fact, names)
  const slot = slotOf(type, of.fact, of.name)
  const isOver = past || over.has(of.name) || (of.invalidAt !== null && of.invalidAt <= at)
  over.delete(of.name)
  const time = of.validAt ?? of.saidAt
  return { of, type, slot: slot ?? type, oneAtATime: slot !== undefined, time, isOver, onlyEnds, ends: over, weight: weightOf(of) }
}

function byTime(a: Seen, b: Seen): number {
  const start = a.of.message === b.of.message ? (a.of.start ?? 0) - (b.of.start ?? 0) : 0
  return a.time - b.time || a.of.saidAt - b.of.saidAt || start || (a.of.id < b.of.id ? -1 : a.of.id > b.of.id ? 1 : 0)
}

/**
 * 3: stated by the owner; 2: owner or contact in a message; 1: agents and counts; 0: strangers. A lower weight never replaces a higher one.
 */
function weightOf({ trust, sourceType }: Observation): number {
  if (sourceType === 'owner') return 3
  if (trust === 'untrusted') return 0
  return trust === 'agent' || sourceType === 'inferred' ? 1 : 2
}

interface Run {
  readonly type: string
  readonly value: string
  readonly name: string
  status: Judged['status']
  why: Why | null
  since: number | null
  until: number | null
  replacedBy: string | null
  weight: number
  readonly observations: Observation[]
}

function judgeSlot(seen: readonly Seen[], at: number): Run[] {
  const runs: Run[] = []
  const holding = () => runs.filter(({ status }) => status === 'current')
  for (const one of seen) {
    const same = holding().find(({ value }) => value === one.of.value)
    const strongest = Math.max(0, ...holding().map(({ weight }) => weight))
    if (one.isOver) endOrRecall(runs, one, same)
    else if (one.time > at) doubt(runs, one, 'planned')
    else if (same !== undefined) support(same, one)
    else if (one.weight === 0) doubt(runs, one, 'untrusted')
    else if (one.of.confidence < LEAST_CONFIDENCE) doubt(runs, one, 'weak')
    else if (
      one.oneAtATime &&
      holding().some(({ observations }) => observations.at(-1)?.message !== one.of.message) &&
      one.weight < strongest
    )
      doubt(runs, one, 'contested')
    else {
      if (one.oneAtATime) replace(holding(), one)
      if (!(one.oneAtATime && takesBack(one.of.fact, { sameMessage: false }) && restore(runs, one))) runs.push(begun(one, 'current', null))
    }
    for (const run of holding())
      if (one.ends.has(run.name) && one.weight >= run.weight && one.time >= (run.since ?? 0)) end(run, one.time, 'replaced', one.of.value)
  }
  return withoutConfirmed(runs)
}

/** Values of one message coexist: "works at Anthropic and at Stanford". */
function replace(holding: readonly Run[], one: Seen): void {
  for (const run of holding) {
    const sameMessage = run.observations.at(-1)?.message === one.of.message && one.of.message !== null
    const isTakenBack = takesBack(one.of.fact, { sameMessage })
    if (sameMessage && !isTakenBack) continue
    end(run, one.time, isFixed(one.type) || isTakenBack ? 'corrected' : 'replaced', one.of.value)
  }
}

/** Undoes a mistaken replacement. */
function restore(runs: readonly Run[], one: Seen): boolean {
  const before = runs.findLast(({ value, status, why }) => value === one.of.value && status === 'former' && why === 'replaced')
  if (before === undefined) return false
  Object.assign(before, { status: 'current', why: null, until: null, replacedBy: null })
  support(before, one)
  return true
}

function end(run: Run, until: number | null, why: Why, by: string | null): void {
  Object.assign(run, { status: 'former', why, until: run.until ?? until, replacedBy: by })
}

function endOrRecall(runs: Run[], one: Seen, same: Run | undefined): void {
  const { of } = one
  if (same !== undefined && one.weight >= same.weight) {
    same.observations.push(of)
    end(same, of.invalidAt ?? of.saidAt, one.onlyEnds === 'denied' ? 'corrected' : 'over', null)
    return
  }
  if (one.onlyEnds !== undefined) return
  const known = runs.findLast(({ value, status }) => value === of.value && status === 'former')
  if (known !== undefined) {
    known.observations.push(of)
    known.until ??= of.invalidAt
    return
  }
  if (one.weight === 0) doubt(runs, one, 'untrusted')
  else if (of.confidence < LEAST_CONFIDENCE) doubt(runs, one, 'weak')
  else runs.push({ ...begun(one, 'former', 'over'), since: of.validAt, until: of.invalidAt })
}

function support(run: Run, one: Seen): void {
  run.observations.push(one.of)
  run.weight = Math.max(run.weight, one.weight)
}

function doubt(runs: Run[], one: Seen, why: Why): void {
  const known = runs.find(({ status, value, why: other }) => status === 'uncertain' && value === one.of.value && other === why)
  if (known === undefined) runs.push(begun(one, 'uncertain', why))
  else known.observations.push(one.of)
}

function begun({ of, type, time, weight }: Seen, status: Run['status'], why: Why | null): Run {
  const { value, name } = of
  return { type, value, name, status, why, since: time, until: of.invalidAt, replacedBy: null, weight, observations: [of] }
}

function withoutConfirmed(runs: readonly Run[]): Run[] {
  const firm = new Map(runs.filter(({ status }) => status === 'current').map((run) => [run.value, run]))
  return runs.filter((run) => {
    const holds = run.status === 'uncertain' && run.why !== 'planned' ? firm.get(run.value) : undefined
    holds?.observations.push(...run.observations)
    return holds === undefined
  })
}

function shown({ type, value, status, why, since, until, replacedBy, observations }: Run): Judged {
  const inOrder = [...observations].sort((a, b) => a.saidAt - b.saidAt || (a.id < b.id ? -1 : 1))
  const confidence = Math.max(...observations.map((one) => one.confidence))
  return { type, value, status, why, since, until, replacedBy, confidence, observations: inOrder }
}
