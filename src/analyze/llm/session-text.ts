/** A session as models get it: what its tools did, then what was said, short enough for one call; of a long one the middle is thinned out. */

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

export interface SessionText {
  readonly text: string
  readonly messages: readonly string[]
}

/** Undefined where nothing of the session's own was said. A summary is shown as its session's words: what contacts and strangers wrote is left out. */
export function sessionText(episode: EpisodeText): SessionText | undefined {
  const own = episode.messages.filter(({ trust }) => trust === 'owner' || trust === 'agent')
  if (own.length === 0) return undefined
  const said = thinned(own.map((message) => ({ message, text: spoken(message) })).filter(({ text }) => text !== ''))
  const deeds = deedLines(episode.calls)
  const head = episode.project === null ? [] : [`project: ${oneLine(redactVisible(episode.project), LONGEST_LINE)}`]
  const text = [
    ...head,
    fencedLines('deeds', deeds.lines),
    fencedLines(
      'said',
      said.map((one) => one.text),
    ),
  ].join('\n')
  return { text, messages: [...new Set([...said.map(({ message }) => message.message), ...deeds.messages])] }
}

function spoken(message: EpisodeMessage): string {
  const [who, most] = message.by === 'agent' ? ['agent', LONGEST_OF_AGENT] : ['person', LONGEST_OF_PERSON]
  const { text } = sentMessage(message, Math.floor((most * 2) / 3))
  return text === '' ? '' : `${who}: ${text}`
}

/** The first and the last of what there is, in their order, until there is no room. */
function thinned<T extends { readonly text: string }>(all: readonly T[]): T[] {
  const kept = new Set<T>()
  let room = MOST_SPEECH
  for (let at = 0; at < all.length; at++) {
    // From the end, which says what came of it, and from the beginning in turn.
    const one = (at % 2 === 0 ? all[all.length - 1 - at / 2] : all[(at - 1) / 2]) as T
    room -= one.text.length
    if (room < 0) break
    kept.add(one)
  }
  return all.filter((one) => kept.has(one))
}

function deedLines(calls: readonly EpisodeCall[]): { lines: string[]; messages: string[] } {
  const lines = new Map<string, string | null>()
  let room = MOST_DEEDS
  // The last deeds say what came of it.
  for (const call of calls.toReversed()) {
    const { files, lines: mattered, commands } = deedsOf(call)
    const told = [
      ...mattered,
      ...files.filter(({ action }) => action !== 'read').map(({ action, path }) => `${action} ${path}`),
      ...commands.filter((command) => /\bgit (?:commit|push|merge|revert|tag)\b|\bgh (?:pr|issue|release)\b|\bnpm publish\b/.test(command)),
    ]
    for (const line of told) {
      const text = oneLine(redactVisible(line), LONGEST_LINE)
      if (text === '' || lines.has(text) || room < text.length) continue
      room -= text.length
      lines.set(text, call.message)
    }
    if (room < LONGEST_LINE) break
  }
  const all = [...lines].toReversed()
  return { lines: all.map(([line]) => line), messages: all.flatMap(([, message]) => message ?? []) }
}
