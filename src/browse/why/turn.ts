/** What a turn says about lines it wrote. Redacted before it is cut. */
import { oneLine } from '../../core/text.ts'
import { isoOrNull } from '../../core/time.ts'
import { answeredBy } from '../../index/answered.ts'
import { cleanText } from '../../index/document.ts'
import { shortSessionIds, shortTurnIds } from '../../ledgers/short-ids.ts'
import type { Store } from '../../store/store.ts'
import { redactText } from '../redact-stored.ts'
import { type EditCalls, sessionsOf } from './edit-calls.ts'

export interface WhyTurn {
  /** `c010174c:7`; the session's id if the turn is unknown. */
  readonly id: string
  readonly session_id: string
  readonly turn_id: string | null
  readonly at: string | null
  readonly harness: string
  readonly model: string | null
  readonly title: string | null
  readonly is_subagent: boolean
  /** The prompt, or a subagent's task. */
  readonly asked: string | null
  /** The question that a short prompt answers. */
  readonly answers: string | null
  /** The agent's last words before the edit. */
  readonly said: string | null
  readonly decided: readonly { readonly words: string; readonly trust: string; readonly holds: boolean }[]
  /** Earlier forms of these lines, and edits that the person refused. */
  readonly tried: readonly { readonly kind: 'replaced' | 'refused'; readonly at: string | null; readonly words: string }[]
}

export interface TurnWanted {
  readonly session: string
  readonly turn: string | null
  readonly at: number | null
  readonly message: string | null
  readonly replaced: readonly { readonly at: number; readonly text: string }[]
}

const LONGEST = 400
const MOST = 3
const REDACTED_UP_TO = 64 << 10

export async function turnsOf(store: Store, wanted: readonly TurnWanted[], refused: EditCalls['refused']): Promise<WhyTurn[]> {
  const sessions = new Map((await sessionsOf(store, [...new Set(wanted.map(({ session }) => session))])).map((row) => [row.id, row]))
  const turnIds = [...new Set(wanted.flatMap(({ turn }) => turn ?? []))]
  const [shortTurns, shortSessions, answers] = [
    await shortTurnIds(store, turnIds),
    await shortSessionIds(store, [...sessions.values()]),
    await answeredBy(store.read, turnIds),
  ]
  const made: WhyTurn[] = []
  for (const one of wanted) {
    const session = sessions.get(one.session)
    if (session === undefined) continue
    const { turn } = one
    made.push({
      ...{ id: shortTurns.get(turn ?? '') ?? shortSessions.get(one.session) ?? one.session, session_id: one.session, turn_id: turn },
      ...{
        at: isoOrNull(one.at),
        harness: session.source,
        model: session.model,
        title: shown(session.title),
        is_subagent: session.is_subagent === 1,
      },
      asked: turn === null ? null : await promptOf(store, turn),
      answers: shown(answers.get(turn ?? '') ?? null),
      said: turn === null || one.at === null ? null : await saidBefore(store, turn, one),
      decided: turn === null ? [] : await decidedIn(store, turn),
      tried: [
        ...one.replaced.slice(-MOST).map(({ at, text }) => ({ kind: 'replaced' as const, at: isoOrNull(at), words: shown(text) ?? '' })),
        ...refused
          .filter(({ session, at }) => session === one.session && at <= (one.at ?? Infinity))
          .slice(-MOST)
          .map(({ at, reason }) => ({ kind: 'refused' as const, at: isoOrNull(at), words: shown(reason) ?? '' })),
      ],
    })
  }
  return made
}

function shown(text: string | null): string | null {
  if (text === null) return null
  const safe = oneLine(redactText(text.slice(0, REDACTED_UP_TO)), LONGEST)
  return safe === '' ? null : safe
}

async function promptOf({ read }: Store, turn: string): Promise<string | null> {
  const row = await read.selectFrom('agent_turns').select('query_message_ids').where('id', '=', turn).executeTakeFirst()
  const ids = JSON.parse(row?.query_message_ids ?? '[]') as string[]
  if (ids.length === 0) return null
  const rows = await read
    .selectFrom('agent_messages')
    .select(['content', 'kind'])
    .where('id', 'in', ids.slice(0, 20))
    .orderBy('sequence')
    .execute()
  const texts = rows.map(({ content }) => cleanText(content ?? '').trim()).filter((text) => text !== '')
  return shown(texts.join(' ') || null)
}

async function saidBefore({ read }: Store, turn: string, { at, message }: TurnWanted): Promise<string | null> {
  const own =
    message === null ? undefined : await read.selectFrom('agent_messages').select('sequence').where('id', '=', message).executeTakeFirst()
  let query = read
    .selectFrom('agent_messages')
    .select('content')
    .where('turn_id', '=', turn)
    .where('role', '=', 'assistant')
    .where('content', '<>', '')
    .orderBy('sequence', 'desc')
    .limit(1)
  query = own === undefined ? query.where('timestamp', '<=', at) : query.where('sequence', '<=', own.sequence)
  const text = (await query.executeTakeFirst())?.content
  return text === undefined || text === null ? null : shown(cleanText(text))
}

async function decidedIn(store: Store, turn: string): Promise<WhyTurn['decided']> {
  const rows = await store.read
    .selectFrom('decisions as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .select(['d.event_id', 'd.trust', 'e.content'])
    .where('d.turn_id', '=', turn)
    .orderBy('d.made_at')
    .limit(2 * MOST)
    .execute()
  if (rows.length === 0) return []
  const replaced = new Set((await store.rows.replaced([turn])).map(({ id }) => id))
  return rows.flatMap(({ event_id, trust, content }) => {
    const words = shown(content)
    return words === null ? [] : [{ words, trust, holds: !replaced.has(event_id) }]
  })
}
