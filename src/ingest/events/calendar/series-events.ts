import type { Selectable } from 'kysely'
import { given } from '../../../core/given.ts'
import { cutMarked } from '../../../core/marked-text.ts'
import type { ThreadRecord } from '../../../ledgers/event-record.ts'
import type { SeriesPartsTable } from '../../../store/tables.ts'
import type { ReadItem } from '../../adapter.ts'
import { type Entry, text } from './entry.ts'
import { moment, utcOf } from './moments.ts'
import { expand, MOST_OCCURRENCES } from './occurrences.ts'
import type { Owner } from './people.ts'
import { CALENDAR, calendarThread, occurrenceRecord } from './record.ts'
import { entryOfPart } from './series-part.ts'
import { isLetter } from './version.ts'

/** Limit per series: every occurrence repeats text and guests. */
const MOST_BYTES = 64 << 20

export function* seriesEvents(
  parts: readonly Selectable<SeriesPartsTable>[],
  { owner, horizon }: { readonly owner: Owner; readonly horizon: number },
): Generator<ReadItem, void, undefined> {
  const entries = parts.map(({ series, part, version, thread_id, body_json }) => ({
    ...{ part, version, thread: thread_id },
    entry: entryOfPart(series, JSON.parse(body_json)),
  }))
  const master = entries.find(({ part }) => part === '')?.entry
  // Invitations by mail never change a series that a calendar holds.
  const isKept = master !== undefined && !isLetter(master)
  const changed = entries.filter(({ part, entry }) => part !== '' && !(isKept && isLetter(entry))).map(({ entry }) => entry)
  const named = master ?? changed[0]
  // A forgotten calendar name is replaced in the ledger.
  const calendar = entries.find(({ entry }) => entry === named)?.thread
  const agentId = parts[0]?.agent_id
  if (named === undefined || calendar === undefined || agentId === undefined) return
  const { timezone } = owner
  const longest = parts.reduce((length, { body_json }) => Math.max(length, body_json.length), 1)
  const most = Math.max(50, Math.min(MOST_OCCURRENCES, Math.floor(MOST_BYTES / longest)))
  const { occurrences, leftOut } = expand({ master, changed }, { timezone, horizon, most })
  const [begin] = occurrences
  const at = begin === undefined ? 0 : utcOf(begin.at.start)
  const thread = calendarThread(named.calendar, { agentId, at })
  const name = thread.name === '' ? null : thread.name
  yield { type: 'event', record: { ...thread, id: calendar, sourceId: calendar.slice(CALENDAR.length + 1), ...given({ name }) } }
  yield { type: 'event', record: { ...seriesThread(named, { agentId, at, leftOut, timezone }), parentThread: calendar } }
  const versions = new Map(entries.map(({ entry, version }) => [entry, version]))
  for (const { entry, at: occurrence } of occurrences)
    yield { type: 'event', record: occurrenceRecord(entry, occurrence, { owner, agentId, version: versions.get(entry) ?? '' }) }
  if (leftOut)
    yield {
      type: 'warning',
      message: `the series ${JSON.stringify(text(named, 'summary') ?? named.uid)} gives more events than are made of one: ${occurrences.length} are there`,
    }
}

function seriesThread(
  entry: Entry,
  { agentId, at, leftOut, timezone }: { agentId: string; at: number; leftOut: boolean; timezone: string },
): ThreadRecord {
  const start = moment(entry, 'dtstart', timezone)
  const title = text(entry, 'summary')
  return {
    ...{ type: 'thread', id: `${CALENDAR}:${entry.uid}`, sourceId: entry.uid, channel: CALENDAR, agentId },
    name: title === undefined ? null : cutMarked(title),
    metadata: {
      series: true,
      calendar: cutMarked(entry.calendar.name),
      ...given({ zone: start?.zone.name, left_out: leftOut || undefined }),
    },
    ...{ createdAt: at, updatedAt: at },
  }
}
