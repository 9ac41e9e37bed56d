import { padded } from '../../core/padded.ts'
import { redactSensitiveText } from '../../core/redact.ts'
import { oneLine } from '../../core/text.ts'
import type { Trust } from '../../core/trust.ts'
import type { MentioningEpisode } from '../../graph/read/mentions.ts'
import type { Store } from '../../store/store.ts'
import type { CitedSentence } from './cited.ts'

const LONGEST = 160
const BEFORE = 60

export interface NamedIn {
  readonly sentences: readonly CitedSentence[]
  readonly trusts: readonly Trust[]
}

export async function namedIn(store: Store, episodes: readonly MentioningEpisode[]): Promise<NamedIn> {
  const first = episodes.flatMap(({ start, channel, mentions: [mention] }) => (mention === undefined ? [] : [{ start, channel, mention }]))
  const texts = await textsOf(
    store,
    first.map(({ mention }) => mention.message_id),
  )
  return {
    sentences: first.map(({ start, channel, mention }) => {
      const { message_id: message, span, id } = mention
      const words = around(texts.get(message)?.content ?? '', span)
      const where = `${start.slice(0, 10)}${channel === null ? '' : `, ${channel}`}`
      return { text: words === '' ? `Named on ${where}.` : `${where}: “${words}”`, cites: [{ message, span, id }] }
    }),
    trusts: first.flatMap(({ mention }) => texts.get(mention.message_id)?.trust ?? []),
  }
}

/** Quotes from the sentence's start. If only a header has the name, from the message's start. */
function around(text: string, [start]: readonly [number, number]): string {
  const before = text.slice(0, start)
  const sentence = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('. '), before.lastIndexOf('? '), before.lastIndexOf('! ')) + 1
  const from = start - sentence > BEFORE ? before.indexOf(' ', start - BEFORE) + 1 : sentence
  return oneLine(redactSensitiveText(text.slice(from).replace(/[“”]/g, '"'), { mode: 'tools' }), LONGEST)
}

async function textsOf(store: Store, ids: readonly string[]): Promise<Map<string, { content: string | null; trust: Trust }>> {
  if (ids.length === 0) return new Map()
  const some = padded(ids)
  const messages = await store.read.selectFrom('agent_messages').select(['id', 'content', 'trust']).where('id', 'in', some).execute()
  const events = await store.read.selectFrom('events').select(['id', 'content', 'trust']).where('id', 'in', some).execute()
  return new Map([...messages, ...events].map(({ id, content, trust }) => [id, { content, trust: trust as Trust }]))
}
