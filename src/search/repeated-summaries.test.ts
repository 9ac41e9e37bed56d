import { expect, it } from 'vitest'
import type { SaidRow } from '../store/search-rows.ts'
import type { Ranked } from './candidate.ts'
import { summariesBehindMessages } from './repeated-summaries.ts'

const TALK = 'We keep the archive as zstd because gzip took nine minutes on the build machine.'
const summary = (id: number, text: string): SaidRow => row(id, '', `Summary: ${text}`, '')
const message = (id: number, text: string): SaidRow => row(id, text, '', 'Assistant: ')

function row(id: number, said_user: string, said_assistant: string, assistant_label: string): SaidRow {
  return { id, said_user, said_assistant, user_label: 'User: ', assistant_label }
}

const hit = (chunkId: number, group = 's', matched = ['archive', 'zstd']): Ranked => ({
  ...{ chunkId, group, matched, score: 1 - chunkId / 10, parts: {} },
})

function order(hits: readonly Ranked[], rows: readonly SaidRow[]): { ids: number[]; scores: number[] } {
  const sorted = summariesBehindMessages(hits, new Map(rows.map((one) => [one.id, one])))
  return { ids: sorted.map(({ chunkId }) => chunkId), scores: sorted.map(({ score }) => score) }
}

const RETOLD = 'The user said: we keep the archive as zstd because gzip took too long.'

it('a summary comes right behind the message whose words it repeats, and scores fall', () => {
  const { ids, scores } = order(
    [hit(1), hit(2, 'other'), hit(3), hit(4)],
    [summary(1, RETOLD), message(2, TALK), message(3, TALK), message(4, 'x')],
  )
  expect(ids).toEqual([2, 3, 1, 4])
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
})

it('a summary that alone answers stays first', () => {
  expect(order([hit(1), hit(2, 's', ['archive'])], [summary(1, RETOLD), message(2, 'The archive is large.')]).ids).toEqual([1, 2])
  expect(order([hit(1), hit(2, 's', [])], [summary(1, RETOLD), message(2, TALK)]).ids).toEqual([1, 2])
})

it('a summary that holds a word which no message of its session holds stays first', () => {
  const more = [...hit(1).matched, 'tarball']
  const rows = [summary(1, RETOLD), message(2, TALK), message(3, TALK)]
  expect(order([hit(1, 's', more), hit(2), hit(3, 'other', more)], rows).ids).toEqual([1, 2, 3])
  expect(order([hit(1, 's', more), hit(2), hit(3, 's', ['tarball'])], rows).ids).toEqual([2, 1, 3])
})

it('the words with which a session is continued are a summary too; another summary is no message', () => {
  const preamble = row(1, `This session is being continued from a previous conversation. ${RETOLD}`, '', 'Assistant: ')
  expect(order([hit(1), hit(2)], [preamble, message(2, TALK)]).ids).toEqual([2, 1])
  expect(order([hit(1), hit(2)], [summary(1, RETOLD), summary(2, TALK)]).ids).toEqual([1, 2])
})

it('an assistant who writes the word Summary is no compaction', () => {
  expect(order([hit(1), hit(2)], [row(1, '', `Summary: ${RETOLD}`, 'Assistant: '), message(2, TALK)]).ids).toEqual([1, 2])
})
