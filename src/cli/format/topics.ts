import type { TopicList } from '../../library/index.ts'
import { table } from './layout.ts'
import { printable } from './printable.ts'
import { localTime } from './quantity.ts'

const DAY = '2026-09-14'.length
const FIXED = 52
const LEAST = 12

export function formatTopics({ topics }: TopicList, width: number): string {
  if (topics.length === 0) return ''
  const day = (at: string | null) => (at === null ? '' : localTime(at).slice(0, DAY))
  return table(
    [
      { title: 'topic', max: Math.max(LEAST, width - FIXED) },
      { title: 'conversations' },
      { title: 'chunks' },
      { title: 'first' },
      { title: 'last' },
    ],
    topics.map(({ topic, conversations, count, first_at, last_at }) => [
      ...[printable(topic), String(conversations), String(count), day(first_at), day(last_at)],
    ]),
  )
}
