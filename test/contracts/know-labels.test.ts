/** The labels of `npm run bench -- know` are sound: patterns compile, evidence answers, and no question answers itself. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const json = <T>(name: string) => JSON.parse(readFileSync(join('bench/know', name), 'utf8')) as T

interface Question {
  readonly id: string
  readonly set: 'locomo' | 'samples' | 'coding'
  readonly question: string
  readonly accept: readonly string[]
  readonly evidence: readonly { readonly file?: string; readonly line?: number; readonly turn?: string; readonly session?: string }[]
}

interface Story {
  readonly id: string
  readonly says: readonly { readonly text: string; readonly from?: string }[]
  readonly mentions: readonly { readonly say: number; readonly name: string; readonly label: string }[]
  readonly entities: Readonly<Record<string, string>>
  readonly one: readonly string[][]
  readonly candidate: readonly string[][]
  readonly apart: readonly string[][]
}

const QUESTIONS = json<Question[]>('questions.json')
const FACTS = json<{ id: string; kind: string; fact: string; accept: string[] }[]>('card.json')
const CHORES = json<{ id: string; prompt: string }[]>('chores.json')
const STORIES = json<Story[]>('identity.json')
const LOCOMO = '../shared/bench/locomo'

const answers = (text: string, accept: readonly string[]) =>
  accept.some((pattern) => new RegExp(pattern, 'is').test(text.replace(/\s+/g, ' ')))

it('the repository holds the half with odd numbers, each once', () => {
  const ids = [QUESTIONS, FACTS, CHORES, STORIES].map((labels) => labels.map(({ id }) => id))
  expect(ids.map((some) => some.length)).toEqual([75, 30, 20, 15])
  for (const some of ids) {
    expect(new Set(some).size).toBe(some.length)
    expect(some.filter((id) => Number(id.slice(1)) % 2 === 0)).toEqual([])
  }
})

it('no question answers itself, and each names where its answer stands', () => {
  expect(QUESTIONS.filter(({ question, accept }) => answers(question, accept))).toEqual([])
  expect(QUESTIONS.filter(({ evidence }) => evidence.length === 0)).toEqual([])
})

it.each(QUESTIONS.filter(({ set }) => set === 'samples'))('$id: the lines of the samples hold an answer to "$question"', (question) => {
  const lines = question.evidence.map(({ file = '', line = 0 }) => readFileSync(join('samples', file), 'utf8').split('\n')[line - 1])
  expect(lines.join('\n')).toSatisfy((text: string) => answers(text, question.accept))
})

it.skipIf(!existsSync(LOCOMO))('the turns of the conversations hold an answer', () => {
  const unanswered = QUESTIONS.filter(({ set }) => set === 'locomo').filter(({ evidence, accept }) => {
    const turns = evidence.map(({ file = '', turn = '' }) => turnOf(readFileSync(join(LOCOMO, file), 'utf8'), turn))
    return !answers(turns.join('\n'), accept)
  })
  expect(unanswered.map(({ id }) => id)).toEqual([])
})

it('the patterns of the card compile, and do not fit any line', () => {
  const plain = 'The weather was fine on Tuesday, and nothing else happened.'
  expect(FACTS.filter(({ accept }) => answers(plain, accept))).toEqual([])
})

it.each(STORIES)(
  '$id: every label is named in its text, and every pair has two labels',
  ({ says, mentions, entities, one, candidate, apart }) => {
    for (const { say, name, label } of mentions) {
      const said = says[say]
      expect(said?.text.includes(name) || said?.from === name).toBe(true)
      expect(entities).toHaveProperty([label])
    }
    const pairs = [...one, ...candidate, ...apart]
    expect(pairs.length).toBeGreaterThan(0)
    for (const [a = '', b = ''] of pairs) expect([a in entities, b in entities, a !== b]).toEqual([true, true, true])
  },
)

function turnOf(text: string, id: string): string {
  const sessions = Object.values(JSON.parse(text) as Record<string, unknown>)
  const file = JSON.parse(text) as { conversation?: Record<string, unknown> }
  const turns = [...sessions, ...Object.values(file.conversation ?? {})].filter(Array.isArray).flat() as {
    dia_id?: string
    text?: string
  }[]
  return turns.find(({ dia_id }) => dia_id === id)?.text ?? ''
}
