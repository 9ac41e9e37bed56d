/**
 * Formats an episode for models, in parts that fit a call: participants, then fenced messages. The fence name is a hash of its content, so
 * no text can close it.
 */
import { shortHash } from '../../core/hash.ts'
import { inRuns } from '../../core/in-runs.ts'
import { redactVisible } from '../../core/redact.ts'
import { clip } from '../../core/text.ts'
import { toIso } from '../../core/time.ts'
import type { EpisodeMessage, EpisodeText } from '../analyzer.ts'
import { LONGEST_SENT, type SentMessage, sentMessage } from './sent-message.ts'

export interface Participant {
  /** `p1`, `p2`, … */
  readonly id: string
  readonly name: string | null
  readonly handle: string | null
  readonly isOwner: boolean
  /** A message of theirs, or one that names them in its header. */
  readonly message: string
}

export interface KnownEntity {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly also: readonly string[]
  readonly facts: readonly string[]
}

export interface RecordedText {
  readonly text: string
  /** Ids start at `m1`. */
  readonly messages: readonly SentMessage[]
  readonly participants: readonly Participant[]
  /** Ids start at `k1`. */
  readonly known: readonly KnownEntity[]
  readonly speakers: ReadonlyMap<string, Participant>
}

export interface Beside {
  readonly turns?: readonly (readonly EpisodeMessage[])[]
  readonly known?: readonly KnownEntity[]
  readonly before?: string
}

/** UTF-16 units per call. */
export const PART = 40_000
export const MOST_PARTS = 8
const MOST_PEOPLE = 40

export interface Recorded {
  readonly parts: readonly RecordedText[]
  readonly cut: boolean
}

export function recordedText(episode: EpisodeText): Recorded {
  const sent = episode.messages.map((message) => sentMessage(message)).filter(({ text }) => text !== '')
  const runs = inRuns(sent, ({ text }) => text.length + 80, PART)
  const parts = runs.slice(0, MOST_PARTS).map((messages) => fenced(messages, episode, {}))
  return { parts, cut: runs.length > MOST_PARTS }
}

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

export function weightOf({ text }: Pick<EpisodeMessage, 'text'>): number {
  return Math.min(text.length, LONGEST_SENT) + 80
}

export function fencedLines(name: string, lines: readonly string[]): string {
  const body = lines.join('\n')
  const tag = `${name}-${nonceFor(body)}`
  return `<${tag}>\n${body}\n</${tag}>`
}

/** Retries until the text does not contain the hash: an author could precompute it. */
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

/** Names from a source are foreign text too. */
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
