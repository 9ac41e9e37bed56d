import { plural } from '../../core/text.ts'
import { clockInZone } from '../../core/time.ts'
import type { EpisodeDefinition, EpisodeList, EpisodeSummary, EpisodesReport, ShownEpisode } from '../../library/index.ts'
import { shorten, table } from './layout.ts'
import { printable } from './printable.ts'
import type { Style } from './style.ts'

/** Unique among a million; search and timeline use the same form. */
const ID = 8
const idOf = ({ episode_id }: EpisodeSummary) => `e:${episode_id.slice(0, ID)}`
const THREAD = 24
const CHANNEL = 12
const TIME = '2026-09-14 08:16'.length
const DAY = '2026-09-14'.length
const LEAST = 12
const NARROW = 80
const GAPS = 10
const CALLED_OFF = 'called off'

export function formatEpisodes({ episodes, timezone }: EpisodeList, width: number): string {
  if (episodes.length === 0) return ''
  if (width < NARROW) return narrowTable({ episodes, timezone }, width)
  const fixed = 'e:'.length + ID + TIME + CHANNEL + 'events'.length + GAPS
  const room = Math.max(width - fixed, 2 * LEAST)
  const thread = Math.max(LEAST, Math.min(THREAD, Math.floor(room / 2)))
  return table(
    [
      { title: 'id' },
      { title: 'began' },
      { title: 'channel', max: CHANNEL },
      { title: 'events', right: true },
      { title: 'thread', max: thread },
      { title: 'first words', max: Math.max(LEAST, room - thread) },
    ],
    episodes.map((one) => [
      idOf(one),
      beganOf(one, timezone),
      printable(one.channel ?? ''),
      String(one.event_count),
      calledBy(one),
      wordsOf(one),
    ]),
  )
}

function narrowTable({ episodes, timezone }: Pick<EpisodeList, 'episodes' | 'timezone'>, width: number): string {
  const fixed = 'e:'.length + ID + DAY + 4
  return table(
    [{ title: 'id' }, { title: 'began' }, { title: 'what', max: Math.max(LEAST, width - fixed) }],
    episodes.map((one) => {
      const what = [calledBy(one), wordsOf(one)].filter((part) => part !== '')
      return [idOf(one), beganOf(one, timezone).slice(0, DAY), what.join(': ')]
    }),
  )
}

/** Whole days keep their date: their midnight may fall on another day in this zone. */
function beganOf({ start, start_date }: EpisodeSummary, timezone: string): string {
  return start_date ?? clockOf(start, timezone)
}

function clockOf(iso: string, timezone: string): string {
  return clockInZone(Date.parse(iso), timezone)
}

function wordsOf({ status, first_words }: EpisodeSummary): string {
  return [status === 'cancelled' ? CALLED_OFF : '', plain(first_words ?? '')].filter((part) => part !== '').join(': ')
}

function calledBy({ thread_name, people }: EpisodeSummary): string {
  return plain(thread_name ?? people.map(({ name, handle }) => name ?? handle).join(', '))
}

const plain = (text: string) => printable(text).replaceAll('\n', ' ')

export function formatEpisode({ episode, events, timezone }: ShownEpisode, { width, style }: { width: number; style: Style }): string {
  const lines = [style.bold(shorten(nameOf(episode), width)), style.dim(about(episode, timezone)), '']
  for (const { timestamp, speaker, direction, text } of events) {
    const who = speaker === null ? direction : `${printable(speaker)} (${direction})`
    lines.push(style.dim(`${timestamp === null ? '' : `${clockOf(timestamp, timezone)}  `}${who}`), printable(text).trimEnd(), '')
  }
  return lines.join('\n').trimEnd()
}

function nameOf(episode: EpisodeSummary): string {
  return calledBy(episode) || `${episode.channel ?? ''} ${episode.definition}`.trim()
}

function about(episode: EpisodeSummary, timezone: string): string {
  const { channel, event_count, closed, status } = episode
  const off = status === 'cancelled' ? `, ${CALLED_OFF}` : ''
  return `${idOf(episode)}  ${channel ?? ''}, ${spanOf(episode, timezone)}, ${plural(event_count, 'event')}${off}${closed ? '' : ', not over yet'}`
}

function spanOf({ start, end, start_date, end_date }: EpisodeSummary, timezone: string): string {
  if (start_date === null || end_date === null) return `${clockOf(start, timezone)}${end === start ? '' : ` to ${clockOf(end, timezone)}`}`
  // Calendars store the day after the last.
  const last = new Date(Date.parse(end_date) - 86_400_000).toISOString().slice(0, DAY)
  return last > start_date ? `${start_date} to ${last}` : start_date
}

export function formatDefinitions(definitions: readonly EpisodeDefinition[], width: number): string {
  if (definitions.length === 0) return ''
  const longest = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length))
  const fixed =
    longest(definitions.map(({ name }) => name)) + longest(definitions.map(({ channel }) => channel ?? 'every')) + 'episodes'.length + 6
  return table(
    [{ title: 'name' }, { title: 'channel' }, { title: 'episodes', right: true }, { title: 'what', max: Math.max(LEAST, width - fixed) }],
    definitions.map(({ name, channel, episodes, description }) => [
      ...[printable(name), printable(channel ?? 'every'), String(episodes), plain(description ?? '')],
    ]),
  )
}

export function formatRebuilt({ added, changed, removed }: EpisodesReport): string {
  if (added + changed + removed === 0) return 'every episode is as the ledgers say; nothing was changed'
  return `${plural(added, 'episode')} added, ${changed} changed, ${removed} removed`
}
