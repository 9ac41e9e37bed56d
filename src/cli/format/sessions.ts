/** The list of sessions for people. */
import { stripControls } from '../../core/text.ts'
import type { SessionSummary } from '../../library/index.ts'
import { table } from './layout.ts'
import { localTime, short } from './quantity.ts'

/** Longer ids are shown by their beginning, which every command takes. */
const WHOLE_ID = 24
const SHORTEST_ID = 8
const TIME_AND_COUNTS = '2026-09-14 08:16  turns  tokens'.length
const GAPS = 8
/** From here on there is room for the models. */
const WIDE = 110
const MODEL = 18

export function formatSessions(sessions: readonly SessionSummary[], width: number): string {
  if (sessions.length === 0) return ''
  const ids = shortIds(sessions)
  const longest = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length))
  const withModel = width >= WIDE && sessions.some(({ model }) => model !== null)
  const fixed = TIME_AND_COUNTS + longest(sessions.map(({ source }) => source)) + longest(ids) + GAPS + (withModel ? MODEL + 2 : 0)
  const room = Math.max(width - fixed, 30)
  return table(
    [
      { title: 'last message' },
      { title: 'turns', right: true },
      { title: 'tokens', right: true },
      { title: 'source' },
      ...(withModel ? [{ title: 'model', max: MODEL }] : []),
      { title: 'title', max: Math.floor(room * 0.65) },
      { title: 'project', max: Math.floor(room * 0.35) },
      { title: 'session' },
    ],
    sessions.map((session, i) => [
      session.last_message_at === null ? '' : localTime(session.last_message_at),
      String(session.turn_count),
      short(session.token_count),
      session.source,
      ...(withModel ? [stripControls(session.model ?? '')] : []),
      `${session.is_subagent ? '↳ ' : ''}${stripControls(session.title ?? session.label)}`,
      stripControls(lastPart(session.project ?? '')),
      stripControls(ids[i] ?? ''),
    ]),
  )
}

/** As much of each native id as makes it unique in the list. */
function shortIds(sessions: readonly SessionSummary[]): string[] {
  const ids = sessions.map(({ session_id, source }) =>
    session_id.startsWith(`${source}:`) ? session_id.slice(source.length + 1) : session_id,
  )
  const differ = (length: number) => new Set(ids.map((id) => id.slice(0, length))).size === new Set(ids).size
  let length = SHORTEST_ID
  while (!differ(length)) length += 1
  return ids.map((id) => (id.length > WHOLE_ID ? id.slice(0, length) : id))
}

/** The folder's own name: `--project` takes it. */
function lastPart(project: string): string {
  return project.split(/[/\\]/).findLast((part) => part !== '') ?? project
}
