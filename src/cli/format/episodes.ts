/** Episodes for people: a line each, or one with what was said in it. */
import { plural } from '../../core/text.ts'
import type { EpisodeDefinition, EpisodeList, EpisodeSummary, EpisodesReport, ShownEpisode } from '../../library/index.ts'
import { shorten, table } from './layout.ts'
import { printable } from './printable.ts'
import { localTime } from './quantity.ts'
import type { Style } from './style.ts'

/** Enough of an id to name it among a million, written as search and timeline do. */
const ID = 8
const idOf = ({ episode_id }: EpisodeSummary) => `e:${episode_id.slice(0, ID)}`
const THREAD = 24
const CHANNEL = 12
const TIME = '2026-09-14 08:16'.length
const DAY = '2026-09-14'.length
const LEAST = 12
/** In less room the columns say nothing. */
const NARROW = 80
const GAPS = 10

export function formatEpisodes({ episodes }: EpisodeList, width: number): string {
  if (episodes.length === 0) return ''
  if (width < NARROW) return narrowTable(episodes, width)
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
      localTime(one.start),
      printable(one.channel ?? ''),
      String(one.event_count),
      calledBy(one),
      plain(one.first_words ?? ''),
    ]),
  )
}

/** The day, and what there is room for of the rest. */
function narrowTable(episodes: EpisodeList['episodes'], width: number): string {
  const fixed = 'e:'.length + ID + DAY + 4
  return table(
    [{ title: 'id' }, { title: 'began' }, { title: 'what', max: Math.max(LEAST, width - fixed) }],
    episodes.map((one) => {
      const what = [calledBy(one), plain(one.first_words ?? '')].filter((part) => part !== '')
      return [idOf(one), localTime(one.start).slice(0, DAY), what.join(': ')]
    }),
  )
}

/** A chat without a name is called by those who are in it. */
function calledBy({ thread_name, people }: EpisodeSummary): string {
  return plain(thread_name ?? people.map(({ name, handle }) => name ?? handle).join(', '))
}

const plain = (text: string) => printable(text).replaceAll('\n', ' ')

export function formatEpisode({ episode, events }: ShownEpisode, { width, style }: { width: number; style: Style }): string {
  const lines = [style.bold(shorten(nameOf(episode), width)), style.dim(about(episode)), '']
  for (const { timestamp, speaker, direction, text } of events) {
    const who = speaker === null ? direction : `${printable(speaker)} (${direction})`
    lines.push(style.dim(`${timestamp === null ? '' : `${localTime(timestamp)}  `}${who}`), printable(text).trimEnd(), '')
  }
  return lines.join('\n').trimEnd()
}

function nameOf(episode: EpisodeSummary): string {
  return calledBy(episode) || `${episode.channel ?? ''} ${episode.definition}`.trim()
}

function about(episode: EpisodeSummary): string {
  const { channel, start, end, event_count, closed } = episode
  const until = end === start ? '' : ` to ${localTime(end)}`
  return `${idOf(episode)}  ${channel ?? ''}, ${localTime(start)}${until}, ${plural(event_count, 'event')}${closed ? '' : ', not over yet'}`
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
