/** Answers a prompt about the state of the work with that state instead of search hits. */

import { leftOff } from '../../browse/left-off/left-off.ts'
import { given } from '../../core/given.ts'
import type { StateQuestion } from '../../core/state-question.ts'
import type { ReadAnswer, ReadRequest } from './reader.ts'
import { type ReaderOptions, silent } from './reader-options.ts'

const TOKENS = 300
const GIT_MS = 150
const DAY = 86_400_000
const KEPT_DAYS = 30
const PATIENCE_MS = 100
const PART = 'left off'

export async function leftOffReading(
  request: ReadRequest,
  { kind, time }: StateQuestion,
  options: ReaderOptions,
): Promise<ReadAnswer | undefined> {
  const { agent, folder, harness = '', session, opens, maxTokens = options.settings.max_tokens, branch } = request
  if (kind === 'go-on' && opens !== true) return undefined
  if (folder === undefined) return silent('it asks where the work stands, and no folder says of which project')
  const store = await options.store()
  const isGoingOn = opens === false || (opens === undefined && session !== undefined && (await hasTurns(options, harness, session)))
  if (kind !== 'past' && isGoingOn) return silent('it asks where this session stands, which the agent knows')
  const found = await leftOff(
    store,
    { folder, ...given({ session, branch, day: time }), maxTokens: Math.min(TOKENS, maxTokens) },
    { agentId: agent, timezone: options.owner().timezone, now: options.clock(), gitMs: request.signal?.aborted ? 0 : GIT_MS },
  )
  const [first] = found.sessions
  if (first === undefined || found.text === '')
    return silent('it asks where the work stands, and memory has no earlier session of this project')
  const key = { kind: 'turn' as const, id: found.state?.turn_id ?? first.session_id, part: PART }
  if (session !== undefined) {
    const before = await store.reader.given({ agent_id: agent, harness, session })
    if (before.some(({ id, part }) => id === key.id && part === PART)) return silent('this session was told where the work stands')
    const note = { agent_id: agent, harness, session, pieces: [key], given_at: options.clock() }
    // A busy or read-only database loses only the note.
    await store
      .noteGiven({ ...note, expired_before: options.clock() - KEPT_DAYS * DAY }, { patienceMs: PATIENCE_MS })
      .catch(() => undefined)
  }
  const piece = {
    ...{ citation: found.state?.turn ?? first.id, kind: 'state' as const, date: first.last_message_at.slice(0, 10), title: first.title },
    ...{
      project: found.project,
      trust: 'agent',
      text: found.text,
      tokens: found.tokens,
      why: 'the newest session of this project, this branch first',
    },
  }
  return {
    ...{ needed: true, reason: 'it asks where the work stands', scope: 'project', phrasings: [], known: [], pieces: [piece] },
    ...{ tokens: found.tokens, text: found.text, mode: 'none: a question about state' },
  }
}

async function hasTurns({ store }: ReaderOptions, harness: string, session: string): Promise<boolean> {
  return (await (await store()).reader.session(harness, session, 1)) !== undefined
}
