import { expect, it } from 'vitest'
import type { DraftMessage, DraftTurn } from './draft.ts'
import { fitTurns } from './fit-turns.ts'
import { markdownForm } from './markdown.ts'
import { shortener } from './shorten.ts'

const count = (text: string) => Math.ceil(text.length / 4)
const message = (id: string, text: string, more: Partial<DraftMessage> = {}): DraftMessage => ({
  ...{ id, text, role: 'assistant', time: null, trust: 'agent', part: 'found', model: null, sequence: 0 },
  ...more,
})
const turn = (messages: readonly DraftMessage[]): DraftTurn => ({
  head: {
    turn: { id: 't', time: null, label: null },
    session: { id: 's', title: null, project: null, harness: 'codex' },
    why: 'found',
    citation: 's:1',
  },
  ...{ sequence: 0, provider: null, messages, calls: [] },
})
const shown = (messages: readonly DraftMessage[], most: number) =>
  fitTurns([turn(messages)], {
    query: 'q',
    form: markdownForm,
    most,
    shortener: shortener(count, ['which relay does the beacon use']),
  }).turns[0]?.messages.map(({ id }) => id)

const FILLER = Array.from({ length: 30 }, (_, i) => message(`m${i}`, `Let me look at file number ${i} before I go on with it.`))
const ANSWER = message('answer', 'The beacon uses the zirconium relay.')

it('of many messages that were found together, the one that holds the words of the question is there first', () => {
  expect(shown([...FILLER, ANSWER], 220)).toContain('answer')
  expect(shown([ANSWER, ...FILLER], 220)).toContain('answer')
})

it('what says what holds is there before what holds the words', () => {
  const decides = message('decides', 'Take the other one from now on.', { part: 'decides', role: 'user' })
  expect(shown([...FILLER, ANSWER, decides], 190)).toContain('decides')
})
