import { redactSensitiveText } from '../../core/redact.ts'
import { oneLine } from '../../core/text.ts'
import { isoOrNull, toIso } from '../../core/time.ts'
import type { Trust } from '../../core/trust.ts'
import type { Store } from '../../store/store.ts'
import { mergedInto } from '../same-entity.ts'
import { type Place, placesOf } from './cite.ts'
import { countedEvents } from './counted-events.ts'
import { type Judged, judge, type Observation, type Why } from './judge.ts'
import { type Named, namesOf } from './names.ts'
import { type LoggedRow, loggedAbout } from './observation-log.ts'

export interface SynthesizeOptions {
  readonly agentId: string
  readonly now: number
  /** Milliseconds UTC: what held then, by what was known then. */
  readonly asOf?: number | undefined
  /** False: ignore conversations between people. */
  readonly personal?: boolean
}

export interface Citation extends Place {
  readonly relationship_id: string
  /** UTF-16 offsets in the ledger's text. */
  readonly span: readonly [number, number] | null
  readonly fact: string
  readonly said_at: string
  readonly trust: Trust
  readonly source_type: string
  readonly confidence: number
  /** Said after the requested time. */
  readonly learned_later: boolean
  readonly counted: number | null
}

export interface SynthesizedStatement {
  readonly subject: Named
  readonly type: string
  readonly object: Named | null
  readonly literal: string | null
  readonly why: Why | null
  readonly since: string | null
  readonly until: string | null
  readonly replaced_by: string | null
  readonly confidence: number
  readonly observations: readonly Citation[]
}

export interface Synthesis {
  readonly entity: Named
  readonly as_of: string | null
  readonly current: readonly SynthesizedStatement[]
  readonly former: readonly SynthesizedStatement[]
  readonly uncertain: readonly SynthesizedStatement[]
}

export async function synthesize(
  store: Store,
  entityId: string,
  { agentId, now, asOf, personal = true }: SynthesizeOptions,
): Promise<Synthesis> {
  const ids = await mergedInto(store, entityId)
  const at = asOf ?? now
  const logged = (await loggedAbout(store, ids, agentId)).filter((row) => asOf === undefined || wasSoAt(row, asOf))
  const places = await placesOf(
    store,
    logged.flatMap(({ message_id }) => message_id ?? []),
  )
  const rows = personal ? logged : logged.filter(({ message_id }) => !isPersonal(places.get(message_id ?? '')))
  const names = await namesOf(store, [entityId, ...rows.flatMap(({ subject, object }) => [subject, ...(object === null ? [] : [object])])])
  const called = (id: string) => names.get(id) ?? { entity_id: id, type: 'entity', name: id }
  const counted = await countedEvents(
    store,
    rows.flatMap(({ id, source_type }) => (source_type === 'inferred' ? [id] : [])),
  )
  const byRow = new Map(rows.map((row) => [row.id, row]))
  const bySubject = new Map<string, LoggedRow[]>()
  for (const row of rows) bySubject.set(row.subject, [...(bySubject.get(row.subject) ?? []), row])
  const statements: { status: Judged['status']; statement: SynthesizedStatement }[] = []
  for (const [subject, log] of bySubject) {
    for (const judged of judge(
      log.map((row) => observed(row, called)),
      at,
    )) {
      const of = judged.observations.map(({ id }) => byRow.get(id)).filter((row) => row !== undefined)
      const object = of[0]?.object ?? null
      if (subject !== entityId && object !== entityId) continue
      const by = judged.replacedBy === null ? undefined : log.find((row) => valueIn(row) === judged.replacedBy)
      statements.push({
        status: judged.status,
        statement: {
          ...{ subject: called(subject), type: judged.type, object: object === null ? null : called(object) },
          literal: object === null ? clean(of[0]?.target_literal ?? '') : null,
          ...{ why: judged.why, since: isoOrNull(judged.since), until: isoOrNull(judged.until) },
          replaced_by: by === undefined ? null : clean(by.object === null ? (by.target_literal ?? '') : called(by.object).name),
          confidence: judged.confidence,
          observations: of.map((row) =>
            cited(row, { place: places.get(row.message_id ?? ''), asOf, counted: counted.get(row.id) ?? null }),
          ),
        },
      })
    }
  }
  const only = (status: Judged['status']) =>
    statements
      .filter((one) => one.status === status)
      .map((one) => one.statement)
      .sort(own(entityId))
  return {
    entity: called(entityId),
    ...{ as_of: asOf === undefined ? null : toIso(asOf), current: only('current'), former: only('former'), uncertain: only('uncertain') },
  }
}

/** From messages, mail or meetings, or counted from them. */
function isPersonal(place: Place | undefined): boolean {
  return place === undefined || (place.session_id === null && place.channel !== OWNERS_WORD)
}

const OWNERS_WORD = 'owner'

/** Said by then, or later about that time. */
function wasSoAt({ created_at, valid_at }: LoggedRow, asOf: number): boolean {
  return created_at <= asOf || (valid_at !== null && valid_at <= asOf)
}

function valueIn({ object, target_literal }: LoggedRow): string {
  return object ?? `"${(target_literal ?? '').trim().toLowerCase()}`
}

function observed(row: LoggedRow, called: (id: string) => Named): Observation {
  return {
    ...{
      id: row.id,
      type: row.type,
      value: valueIn(row),
      name: row.object === null ? (row.target_literal ?? '') : called(row.object).name,
    },
    ...{
      fact: row.fact,
      sourceType: row.source_type,
      confidence: row.confidence,
      trust: row.trust,
      message: row.message_id,
      start: row.span_start,
    },
    ...{ validAt: row.valid_at, invalidAt: row.invalid_at, saidAt: row.created_at, corrects: row.corrects },
  }
}

interface Cited {
  readonly place: Place | undefined
  readonly asOf: number | undefined
  readonly counted: number | null
}

function cited(row: LoggedRow, { place, asOf, counted }: Cited): Citation {
  const { id, session_id, turn_id, episode_id, channel, timestamp } = place ?? NOWHERE
  return {
    ...{ relationship_id: row.id, message_id: row.message_id ?? '', id, session_id, turn_id, episode_id, channel, timestamp },
    span: row.span_start === null || row.span_end === null ? null : [row.span_start, row.span_end],
    ...{ fact: clean(row.fact), said_at: toIso(row.created_at), trust: row.trust as Trust, source_type: row.source_type },
    ...{ confidence: row.confidence, learned_later: asOf !== undefined && row.created_at > asOf, counted },
  }
}

const NOWHERE = { id: null, session_id: null, turn_id: null, episode_id: null, channel: null, timestamp: null }

function own(entityId: string) {
  return (a: SynthesizedStatement, b: SynthesizedStatement) =>
    Number(a.subject.entity_id !== entityId) - Number(b.subject.entity_id !== entityId) ||
    compare(a.type, b.type) ||
    compare(b.since ?? '', a.since ?? '') ||
    compare(a.observations[0]?.relationship_id ?? '', b.observations[0]?.relationship_id ?? '')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function clean(text: string): string {
  return oneLine(redactSensitiveText(text, { mode: 'tools' }), 500)
}
