/**
 * An episode as models get it, in parts that fit a call: who took part, and what each message says, fenced. The fence has a name that is made of
 * what it holds, so that no text can close it or begin another message.
 */
import { shortHash } from '../../core/hash.ts'
import { inRuns } from '../../core/in-runs.ts'
import { redactVisible } from '../../core/redact.ts'
import { clip } from '../../core/text.ts'
import { toIso } from '../../core/time.ts'
import type { EpisodeMessage, EpisodeText } from '../analyzer.ts'
import { LONGEST_SENT, type SentMessage, sentMessage } from './sent-message.ts'

/** Somebody who took part: by the name under which the model speaks of them. */
export interface Participant {
  /** `p1`, `p2`, … */
  readonly id: string
  readonly name: string | null
  readonly handle: string | null
  readonly isOwner: boolean
  /** A message of theirs, or one that names them in its header. */
  readonly message: string
}

/** Somebody or something that memory knows, and that the text may mean. */
export interface KnownEntity {
  /** Of the graph. */
  readonly id: string
  readonly type: string
  readonly name: string
  readonly also: readonly string[]
  readonly facts: readonly string[]
}

export interface RecordedText {
  /** What is sent. */
  readonly text: string
  /** `m1` is the first. */
  readonly messages: readonly SentMessage[]
  readonly participants: readonly Participant[]
  /** `k1` is the first. */
  readonly known: readonly KnownEntity[]
  /** Of the speaker of each message. */
  readonly speakers: ReadonlyMap<string, Participant>
}

/** What stands beside the messages. `turns`: which messages belong together; `t1` is the first. */
export interface Beside {
  readonly turns?: readonly (readonly EpisodeMessage[])[]
  readonly known?: readonly KnownEntity[]
  readonly before?: string
}

/** UTF-16 units of one call. */
export const PART = 40_000
/** What of an episode is read at all. */
export const MOST_PARTS = 8
const MOST_PEOPLE = 40

export interface Recorded {
  readonly parts: readonly RecordedText[]
  /** True where not all of it is sent. */
  readonly cut: boolean
}

export function recordedText(episode: EpisodeText): Recorded {
  const sent = episode.messages.map((message) => sentMessage(message)).filter(({ text }) => text !== '')
  const runs = inRuns(sent, ({ text }) => text.length + 80, PART)
  const parts = runs.slice(0, MOST_PARTS).map((messages) => fenced(messages, episode, {}))
  return { parts, cut: runs.length > MOST_PARTS }
}

/** A window of a conversation: turns that are read in one call. */
export function recordedTurns(
  turns: readonly (readonly EpisodeMessage[])[],
  of: Pick<EpisodeText, 'people' | 'project'>,
  beside: Omit<Beside, 'turns'>,
): RecordedText {
  const sent = turns.flat().map((message) => sentMessage(message))
  return fenced(
    sent.filter(({ text }) => text !== ''),
    of,
    { ...beside, turns },
  )
}

/** What a message weighs in a window, without reading it. */
export function weightOf({ text }: Pick<EpisodeMessage, 'text'>): number {
  return Math.min(text.length, LONGEST_SENT) + 80
}

/** Several texts in one fence of their own. */
export function fencedLines(name: string, lines: readonly string[]): string {
  const body = lines.join('\n')
  const tag = `${name}-${nonceFor(body)}`
  return `<${tag}>\n${body}\n</${tag}>`
}

/** No text holds it: whoever writes may choose what it is made of, and find what it would be. */
function nonceFor(body: string): string {
  for (let tries = 0; ; tries++) {
    const nonce = tries === 0 ? shortHash(8, body) : shortHash(8, body, String(tries))
    if (!body.includes(nonce)) return nonce
  }
}

function fenced(
  messages: readonly SentMessage[],
  episode: Pick<EpisodeText, 'people' | 'project'>,
  { turns, known = [], before = '' }: Beside,
): RecordedText {
  const participants = participantsOf(messages, episode)
  const speakers = new Map(messages.flatMap(({ message }) => pair(message, participants)))
  const nonce = nonceFor(
    JSON.stringify([messages.map(({ text }) => text), participants.map(({ name, handle }) => [name, handle]), known, before]),
  )
  const turnOf = new Map(turns?.flatMap((some, at) => some.map(({ message }): [string, string] => [message, ` turn="t${at + 1}"`])))
  const said = messages.map(({ message, text }, at) => {
    const from = message.by === 'agent' ? 'agent' : (speakers.get(message.message)?.id ?? 'unknown')
    const head = `m${at + 1}-${nonce}${turnOf.get(message.message) ?? ''} from="${from}" at="${toIso(message.timestamp).slice(0, 16)}" trust="${message.trust}"`
    return `<${head}>\n${text}\n</m${at + 1}-${nonce}>`
  })
  const people = participants.map(({ id, name, handle, isOwner }) =>
    JSON.stringify({ id, name, handle, ...(isOwner ? { owner: true } : {}) }),
  )
  const project = episode.project === null ? [] : [JSON.stringify({ id: 'project', name: attribute(episode.project) })]
  const head = [`<participants-${nonce}>`, ...people, ...project, `</participants-${nonce}>`]
  const facts = known.map(({ type, name, also, facts }, at) => JSON.stringify({ id: `k${at + 1}`, type, name, also, facts }))
  const section = (tag: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`<${tag}-${nonce}>`, ...lines, `</${tag}-${nonce}>`]
  const beside = [...section('known', facts), ...section('before', before === '' ? [] : [before])]
  return { text: [...head, ...beside, ...said].join('\n'), messages, participants, known, speakers }
}

/** What a source says of somebody is text of others as well. */
function attribute(text: string): string {
  return clip(redactVisible(text).replace(/\s+/g, ' '), 120)
}

function participantsOf(messages: readonly SentMessage[], { people }: Pick<EpisodeText, 'people'>): Participant[] {
  const found = new Map<string, Omit<Participant, 'id'>>()
  const add = (one: Omit<Participant, 'id'>) => {
    const key = keyOf(one)
    const before = found.get(key)
    if (before === undefined) found.set(key, one)
    else if (before.name === null && one.name !== null) found.set(key, { ...before, name: one.name })
  }
  for (const { message } of messages) if (message.by === 'person') add(speakerOf(message))
  const sent = new Set(messages.map(({ message }) => message.message))
  for (const { handle, name, message } of people)
    if (sent.has(message)) add({ handle, name: name === null ? null : attribute(name), isOwner: false, message })
  return [...found.values()].slice(0, MOST_PEOPLE).map((one, at) => ({ ...one, id: `p${at + 1}` }))
}

function speakerOf({ handle, speaker, isOwner, message }: EpisodeMessage): Omit<Participant, 'id'> {
  return { handle, name: speaker === null ? null : attribute(speaker), isOwner, message }
}

function keyOf({ handle, name, isOwner }: Omit<Participant, 'id'>): string {
  return handle !== null ? `h ${handle}` : isOwner ? 'owner' : `n ${name?.toLowerCase() ?? ''}`
}

function pair(message: EpisodeMessage, participants: readonly Participant[]): [string, Participant][] {
  if (message.by === 'agent') return []
  const key = keyOf(speakerOf(message))
  const found = participants.find((one) => keyOf(one) === key)
  return found === undefined ? [] : [[message.message, found]]
}
