/** Formats a session for one call. Thins out the middle of a long session. */
import { redactVisible } from '../../core/redact.ts'
import { oneLine } from '../../core/text.ts'
import { deedsOf } from '../../ledgers/deeds/deeds.ts'
import type { EpisodeCall, EpisodeMessage, EpisodeText } from '../analyzer.ts'
import { fencedLines } from './recorded-text.ts'
import { sentMessage } from './sent-message.ts'

/** UTF-16 units. */
const MOST_SPEECH = 36_000
const MOST_DEEDS = 8_000
const LONGEST_OF_PERSON = 1_000
const LONGEST_OF_AGENT = 600
const LONGEST_LINE = 200
const TELLING = /\bgit (?:commit|push|merge|revert|tag)\b|\bgh (?:pr|issue|release)\b|\bnpm publish\b/

export interface SessionSource {
  readonly message: string
  readonly call?: string
  readonly start?: number
  readonly end?: number
}

export interface SessionText {
  readonly text: string
  readonly messages: readonly string[]
  readonly sources: ReadonlyMap<string, SessionSource>
}

/** Excludes contacts and strangers: a summary reads as the session's own words. */
export function sessionText(episode: EpisodeText): SessionText | undefined {
  const own = episode.messages.filter(({ trust }) => trust === 'owner' || trust === 'agent')
  if (own.length === 0) return undefined
  const said = thinned(own.map((message) => ({ message, text: spoken(message) })).filter(({ text }) => text !== ''))
  const deeds = deedLines(episode.calls)
  const sources = new Map<string, SessionSource>()
  for (const [at, { source }] of deeds.entries()) sources.set(`d${at + 1}`, source)
  for (const [at, { message }] of said.entries())
    sources.set(`m${at + 1}`, { message: message.message, start: 0, end: message.text.length })
  const text = [
    ...(episode.project === null ? [] : [`project: ${oneLine(redactVisible(episode.project), LONGEST_LINE)}`]),
    fencedLines('deeds', numbered('d', deeds)),
    fencedLines('said', numbered('m', said)),
  ].join('\n')
  const messages = [...sources.values()].map(({ message }) => message).filter((message) => message !== '')
  return { text, messages: [...new Set(messages)], sources }
}

function numbered(sign: string, lines: readonly { readonly text: string }[]): string[] {
  // Indents, so that no line can start another message.
  return lines.map(({ text }, at) => `${sign}${at + 1}. ${text.replaceAll('\n', '\n  ')}`)
}

function spoken(message: EpisodeMessage): string {
  const [who, most] = message.by === 'agent' ? ['agent', LONGEST_OF_AGENT] : ['person', LONGEST_OF_PERSON]
  const { text } = sentMessage(message, Math.floor((most * 2) / 3))
  return text === '' ? '' : `${who}: ${text}`
}

function thinned<T extends { readonly text: string }>(all: readonly T[]): T[] {
  const kept = new Set<T>()
  let room = MOST_SPEECH
  for (let at = 0; at < all.length; at++) {
    // The end, with the outcome, goes first; then both ends alternate.
    const one = (at % 2 === 0 ? all[all.length - 1 - at / 2] : all[(at - 1) / 2]) as T
    room -= one.text.length
    if (room < 0) break
    kept.add(one)
  }
  return all.filter((one) => kept.has(one))
}

interface DeedLine {
  readonly text: string
  readonly source: SessionSource
}

function deedLines(calls: readonly EpisodeCall[]): DeedLine[] {
  const lines = new Map<string, DeedLine>()
  let room = MOST_DEEDS
  for (const call of calls.toReversed()) {
    const { files, lines: mattered, commands } = deedsOf(call)
    const changed = files.filter(({ action }) => action !== 'read').map(({ action, path }) => `${action} ${path}`)
    for (const line of [...mattered, ...changed, ...commands.filter((command) => TELLING.test(command))]) {
      const text = oneLine(redactVisible(line), LONGEST_LINE)
      if (text === '' || lines.has(text) || room < text.length) continue
      room -= text.length
      lines.set(text, { text, source: { message: call.message ?? '', call: call.id } })
    }
    if (room < LONGEST_LINE) break
  }
  return [...lines.values()].toReversed()
}
