import { padded } from '../../core/padded.ts'
import { oneLine } from '../../core/text.ts'
import { toIso } from '../../core/time.ts'
import type { Trust } from '../../core/trust.ts'
import { shortEpisodeIds } from '../../ledgers/short-episode-ids.ts'
import { shortTurnIds } from '../../ledgers/short-ids.ts'
import type { Store } from '../../store/store.ts'
import { redactText } from '../redact-stored.ts'
import { statedWords } from '../stated-words.ts'
import type { DecisionLine, DecisionRow, ShownDecision } from './decision.ts'
import type { Line, Said } from './lines.ts'

const LONGEST_TEXT = 600
const LONGEST_TITLE = 200

interface Metadata {
  readonly about?: string
  readonly subject?: readonly string[]
  readonly native_message?: string | null
  readonly span?: readonly [number, number]
  readonly episode?: string | null
  readonly project_name?: string
  readonly rule?: string
  readonly confidence?: number
}

export async function showDecisions(store: Store, lines: readonly Line<Said>[]): Promise<DecisionLine[]> {
  const all = lines.flatMap(({ holds, before }) => [...holds, ...before])
  const rows = [...new Set(all.flatMap(({ row, replaced }) => (replaced === undefined ? [row] : [row, replaced.by])))]
  const facts = await factsOf(store, rows)
  const show = ({ row, times, replaced }: Said): ShownDecision => {
    const { about, subject = [], native_message = null, span, rule, confidence, project_name } = metadataOf(row)
    const session = facts.sessions.get(row.session_id ?? '')
    return {
      ...{ id: idOf(row), cite: facts.cite(row), event_id: row.event_id, type: row.type },
      ...{ status: replaced === undefined ? ('holds' as const) : ('superseded' as const), decided_at: toIso(row.made_at) },
      ...{
        text: clean(row.content),
        words: wordsOf(row),
        about: about === undefined ? null : clean(about),
        subject: subject.map((term) => clean(term)),
      },
      ...{ speaker: row.speaker === null ? null : clean(row.speaker), trust: row.trust as Trust, channel: row.channel },
      ...{
        project: session?.project ?? (project_name === undefined ? null : clean(project_name)),
        session_id: row.session_id,
        turn_id: row.turn_id,
      },
      ...{ title: session?.title ?? facts.threads.get(row.thread_id ?? '') ?? null, message_id: row.message },
      ...{ native_message_id: native_message, span: span ?? null, said: times },
      superseded_by:
        replaced === undefined
          ? null
          : {
              ...{ id: idOf(replaced.by), cite: facts.cite(replaced.by), event_id: replaced.by.event_id },
              ...{
                decided_at: toIso(replaced.by.made_at),
                text: clean(replaced.by.content),
                words: wordsOf(replaced.by),
                reason: replaced.reason,
              },
            },
      ...{ rule: rule ?? null, confidence: confidence ?? null },
    }
  }
  return lines.map(({ holds, before, related }) => ({ holds: holds.map(show), before: before.map(show), related }))
}

export function idOf({ key }: { readonly key: string }): string {
  return `d:${key.slice(0, 8)}`
}

function metadataOf({ metadata_json }: DecisionRow): Metadata {
  return JSON.parse(metadata_json ?? '{}') as Metadata
}

function wordsOf(row: DecisionRow): string {
  return oneLine(statedWords(row.content, row.metadata_json), LONGEST_TEXT)
}

function clean(text: string | null, length = LONGEST_TEXT): string {
  return oneLine(redactText(text ?? ''), length)
}

async function factsOf(store: Store, rows: readonly DecisionRow[]) {
  const turns = await shortTurnIds(
    store,
    rows.flatMap(({ turn_id }) => turn_id ?? []),
  )
  const episodes = await shortEpisodeIds(
    store,
    rows.flatMap((row) => metadataOf(row).episode ?? []),
  )
  const sessionIds = padded([...new Set(rows.flatMap(({ session_id }) => session_id ?? []))])
  const sessions = await store.read
    .selectFrom('agent_sessions')
    .select(['id', 'title', 'project_name'])
    .where('id', 'in', sessionIds)
    .execute()
  const threadIds = padded([...new Set(rows.flatMap(({ thread_id }) => thread_id ?? []))])
  const threads = await store.read.selectFrom('threads').select(['id', 'name']).where('id', 'in', threadIds).execute()
  const named = (name: string | null) => (name === null ? null : clean(name, LONGEST_TITLE))
  return {
    cite: (row: DecisionRow): string | null => turns.get(row.turn_id ?? '') ?? episodes.get(metadataOf(row).episode ?? '') ?? null,
    sessions: new Map(sessions.map(({ id, title, project_name }) => [id, { title: named(title), project: named(project_name) }])),
    threads: new Map(threads.map(({ id, name }) => [id, named(name)])),
  }
}
