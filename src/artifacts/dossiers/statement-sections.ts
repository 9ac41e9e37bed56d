import type { Expression, Kysely, SqlBool } from 'kysely'
import { redactSensitiveText } from '../../core/redact.ts'
import { statedAs } from '../../core/stated-as.ts'
import { oneLine } from '../../core/text.ts'
import type { Trust } from '../../core/trust.ts'
import { placesOf } from '../../graph/read/cite.ts'
import { DERIVED } from '../../ledgers/derived-events.ts'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import type { CitedSentence, Section } from './cited.ts'

const SECTIONS: readonly (readonly [type: string, title: string])[] = [
  ['decision', 'Decisions'],
  ['preference_stated', 'Preferences'],
  ['action_item', 'To do'],
  ['commitment', 'Promises'],
  ['correction', 'Corrections'],
]
const MOST_OF_ONE = 20
const LONGEST = 400

type Db = Kysely<Tables>
/** Conditions are OR-ed; none selects all statements. */
export interface Of {
  readonly messages?: readonly Expression<unknown>[]
  readonly sessions?: readonly Expression<unknown>[]
  readonly words?: readonly string[]
}

export interface StatementSections {
  readonly sections: readonly Section[]
  readonly trusts: readonly Trust[]
  readonly times: readonly number[]
}

export async function statementSections(store: Store, agentId: string, of: (db: Db) => Of): Promise<StatementSections> {
  const { messages = [], sessions = [], words = [] } = of(store.read)
  let query = store.read
    .selectFrom('events as e')
    .innerJoin('derived_sources as d', 'd.event_id', 'e.id')
    .select(['e.content', 'e.timestamp', 'e.trust', 'e.source_id', 'e.metadata_json', 'd.message'])
    .where('e.source_adapter', '=', DERIVED)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('decision_links as l').select('l.earlier_id').whereRef('l.earlier_id', '=', 'e.id'))),
    )
    .where((eb) => {
      const any: Expression<SqlBool>[] = [
        ...messages.map((ids) => eb('d.message', 'in', ids as never)),
        ...sessions.map((ids) => eb('d.unit', 'in', ids as never)),
        ...(words.length === 0 ? [] : [eb.and(words.map((word) => eb('e.content', 'like', `%${word.replace(/[%_]/g, '')}%`)))]),
      ]
      return any.length === 0 ? eb.and([]) : eb.or(any)
    })
  if (agentId !== 'all') query = query.where('e.agent_id', '=', agentId)
  const rows = await query.orderBy('e.timestamp', 'desc').orderBy('e.id').limit(1000).execute()
  const shown = SECTIONS.map(([type, title]) => ({
    title,
    rows: rows.filter(({ source_id }) => source_id.endsWith(`:${type}`)).slice(0, MOST_OF_ONE),
  }))
  const used = shown.flatMap((section) => section.rows)
  const places = await placesOf(
    store,
    used.map(({ message }) => message),
  )
  return {
    sections: shown.map(({ title, rows: some }) => ({
      title,
      sentences: some.flatMap(({ content, timestamp, metadata_json, message }): CitedSentence[] => {
        const span = spanIn(metadata_json)
        if (span === undefined) return []
        const said = wordsOf(content ?? '', metadata_json)
        return [
          {
            text: `${new Date(timestamp).toISOString().slice(0, 10)}: ${said}`,
            cites: [{ message, span, id: places.get(message)?.id ?? null }],
          },
        ]
      }),
    })),
    trusts: used.map(({ trust }) => trust as Trust),
    times: used.map(({ timestamp }) => timestamp),
  }
}

function wordsOf(content: string, json: string | null): string {
  const { rule = null, about = null } = (json === null ? {} : JSON.parse(json)) as { rule?: string | null; about?: string | null }
  const quote = (text: string) => `“${oneLine(redactSensitiveText(text, { mode: 'tools' }).replace(/[“”]/g, '"'), LONGEST)}”`
  return statedAs({ text: content, rule, about }, quote) ?? quote(content)
}

function spanIn(json: string | null): readonly [number, number] | undefined {
  const { span } = (json === null ? {} : JSON.parse(json)) as { span?: unknown }
  return Array.isArray(span) && span.length === 2 && span.every((at) => typeof at === 'number') ? (span as [number, number]) : undefined
}
