/**
 * Sync step that derives decisions, promises, preferences and corrections. Reads final turns and finished episodes, if they wait.
 * Idempotent; a killed run resumes.
 */
import type { Clock } from '../../core/clock.ts'
import { maskSecrets } from '../../core/mask-secrets.ts'
import { redactValues } from '../../core/redact.ts'
import { throwIfStopped } from '../../core/stopped.ts'
import { isClosed } from '../../episodes/closed.ts'
import { REMEMBERED, readRules } from '../../episodes/definitions.ts'
import { type DerivedEvent, type DerivedUnit, replaceDerived, waitForAll } from '../../ledgers/derived-events.ts'
import type { Lease } from '../../store/lease.ts'
import { META, readMeta, writeMeta } from '../../store/meta.ts'
import type { Store } from '../../store/store.ts'
import { followDecisions } from '../history/follow-decisions.ts'
import { RULE_EXTRACTOR } from '../statements/by-rules.ts'
import type { Extractor, SaidText } from '../statements/extractor.ts'
import { derivedEvent } from './derived-event.ts'
import type { Said } from './said.ts'
import { type CountedEpisode, saidInEpisodes } from './said-in-episode.ts'
import { saidInSession } from './said-in-session.ts'

export interface DeriveOptions {
  readonly clock: Clock
  readonly lease?: Lease | undefined
  readonly signal?: AbortSignal | undefined
  readonly extractor?: Extractor
}

export interface DeriveReport {
  readonly looked_at: number
  readonly added: number
  readonly removed: number
}

const AT_ONCE = 64

export async function deriveEvents(store: Store, options: DeriveOptions): Promise<DeriveReport> {
  const { clock, lease, signal, extractor = RULE_EXTRACTOR } = options
  if ((await readMeta(store.read, META.derivedIdentity)) !== extractor.version) await startAgain(store, extractor, lease)
  const report = { looked_at: 0, added: 0, removed: 0 }
  for await (const some of waitingUnits(store, clock())) {
    throwIfStopped(signal, 'sync')
    const found = await derive(store, some, extractor, signal)
    await store.write(async (tx) => {
      await lease?.check(tx)
      const { added, removed } = await replaceDerived(tx, some, found)
      report.added += added
      report.removed += removed
    })
    report.looked_at += some.length
  }
  await followDecisions(store, { lease, signal })
  return report
}

async function startAgain(store: Store, { version }: Extractor, lease: Lease | undefined): Promise<void> {
  await store.write(async (tx) => {
    await lease?.check(tx)
    await waitForAll(tx)
    await writeMeta(tx.db, META.derivedIdentity, version)
  })
}

interface Waiting extends DerivedUnit, CountedEpisode {}

async function* waitingUnits(store: Store, now: number): AsyncGenerator<Waiting[]> {
  for (const next of [sessionsThatWait(store), await episodesThatAreOver(store, now)]) {
    for (let last = ''; ; ) {
      const { units, end } = await next(last)
      if (end === undefined) break
      if (units.length > 0) yield units
      last = end
    }
  }
}

type NextUnits = (last: string) => Promise<{ readonly units: Waiting[]; readonly end: string | undefined }>

function sessionsThatWait({ read }: Store): NextUnits {
  return async (last) => {
    const sessions = read.selectFrom('derived_waiting').selectAll().where('kind', '=', 'session')
    const rows = await sessions.where('unit', '>', last).orderBy('unit').limit(AT_ONCE).execute()
    return { units: rows.map((row) => ({ ...row, events: 0, isLong: false })), end: rows.at(-1)?.unit }
  }
}

async function episodesThatAreOver({ read }: Store, now: number): Promise<NextUnits> {
  const rules = new Map((await readRules(read)).map((rule) => [rule.id, rule]))
  return async (last) => {
    const rows = await read
      .selectFrom('derived_waiting as w')
      .innerJoin('episodes as e', 'e.id', 'w.unit')
      .select(['e.id', 'e.definition_id', 'e.end_time', 'e.event_count'])
      .where('w.kind', '=', 'episode')
      .where('w.unit', '>', last)
      // The owner's explicit statements bypass the rules.
      .where('e.definition_id', '<>', REMEMBERED)
      .orderBy('w.unit')
      .limit(AT_ONCE)
      .execute()
    const units = rows.flatMap(({ id, definition_id, end_time, event_count: events }) => {
      const rule = rules.get(definition_id)
      return rule !== undefined && isClosed(rule, { end_time }, now)
        ? [{ kind: 'episode' as const, unit: id, events, isLong: rule.strategy === 'thread' }]
        : []
    })
    return { units, end: rows.at(-1)?.id }
  }
}

/** Keeps offsets: blanks replace secrets. */
function withoutSecrets<T extends SaidText>(said: T): T {
  const { text, answers, choices } = said
  return {
    ...said,
    text: maskSecrets(text),
    answers: answers && { ...answers, text: maskSecrets(answers.text) },
    choices: choices && redactValues(choices),
  }
}

async function derive(
  store: Store,
  units: readonly Waiting[],
  extractor: Extractor,
  signal?: AbortSignal,
): Promise<Map<string, DerivedEvent[]>> {
  const derived = new Map<string, DerivedEvent[]>()
  async function look(unit: string, said: readonly Said[]): Promise<void> {
    const by = new Map(said.map((one) => [one.message, one]))
    for (const statement of await extractor.extract(said.map(withoutSecrets), signal)) {
      const source = by.get(statement.message)
      if (source !== undefined) derived.set(unit, [...(derived.get(unit) ?? []), derivedEvent(source, statement)])
    }
  }
  for (const { kind, unit } of units)
    if (kind === 'session') for await (const said of saidInSession(store.read, unit)) await look(unit, said)
  const episodes = units.filter(({ kind }) => kind === 'episode')
  for await (const { unit, said } of saidInEpisodes(store.read, episodes)) await look(unit, said)
  return derived
}
