/**
 * Prompts typed while the agent works. A dequeued one comes again as a user record; one taken out mid-turn comes again only in
 * newer versions (as an attachment), so the prompts of older ones are put out here, once, before the first answer.
 */
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { type Fields, textOf } from '../fields.ts'
import { classifyUserText } from './classify-user-text.ts'
import { readContent } from './content.ts'
import { pushMessage } from './emit.ts'
import { type Placed, placeOf } from './place-of.ts'
import type { QueuedPrompt, Reading } from './read-state.ts'

export function queueOperation(record: Fields, reading: Reading): void {
  const { state } = reading
  const text = readContent(record.content, undefined)?.texts.join('\n\n') ?? ''
  const { session } = placeOf(record, reading)
  if (record.operation === 'enqueue' && text !== '') {
    const timestamp = textOf(record.timestamp)
    state.queue.push({ session, text, ...given({ timestamp }) })
  } else if (record.operation === 'dequeue') takeOut(state.queue, session, '')
  else if (record.operation === 'popAll') state.queue.splice(0)
  else if (record.operation === 'remove') {
    const taken = takeOut(state.queue, session, text)
    if (taken === undefined) return
    const known = state.delivered.indexOf(hashOf(taken.text))
    if (known === -1) state.taken.push(taken)
    else state.delivered.splice(known, 1)
  }
}

/** The oldest of a session, or the one with that text. */
function takeOut(queue: QueuedPrompt[], session: string, text: string): QueuedPrompt | undefined {
  const at = queue.findIndex((entry) => entry.session === session && (text === '' || entry.text === text))
  return at === -1 ? undefined : queue.splice(at, 1)[0]
}

/** A record with this prompt came: it is not put out a second time. */
export function markDelivered(reading: Reading, text: string): void {
  const { state } = reading
  const at = state.taken.findIndex((entry) => entry.text === text)
  if (at !== -1) state.taken.splice(at, 1)
  else if (state.queue.some((entry) => entry.text === text)) state.delivered.push(hashOf(text))
}

/** Puts out what was taken from the queue before `record`, which is the first to answer it. */
export function pushTaken(reading: Reading, at: Placed): void {
  const { state } = reading
  if (state.taken.length === 0 || at.place.subagent !== undefined) return
  for (const entry of state.taken.filter((entry) => entry.session === at.place.session)) {
    state.taken.splice(state.taken.indexOf(entry), 1)
    pushQueued(reading, at, { texts: [entry.text], timestamp: entry.timestamp })
  }
}

export interface QueuedText {
  readonly texts: readonly string[]
  readonly timestamp: string | undefined
}

/** A prompt without a record of its own: named after its text and time, and put into the chain before `record`. */
export function pushQueued(reading: Reading, { record, place }: Placed, { texts, timestamp }: QueuedText): void {
  const text = texts.join('\n\n')
  const name = `queued-${shortHash(16, timestamp ?? '', '\n', text)}`
  const spoken = classifyUserText(texts, { subagent: place.subagent !== undefined, others: 0 })
  const { cwd, gitBranch, version } = record
  const envelope = { cwd, gitBranch, version, promptSource: 'queued', timestamp, parentUuid: record.parentUuid }
  pushMessage(reading, { record: envelope, place }, { ...spoken, name, hash: shortHash(16, spoken.role, '\n', text) })
  const above = textOf(record.parentUuid)
  if (above !== undefined) reading.state.splices.set(above, name)
}

function hashOf(text: string): string {
  return shortHash(16, text)
}
