import { describe, expect, it } from 'vitest'
import { chunkDocument } from '../index/chunk-document.ts'
import type { DocumentRow } from '../index/document.ts'
import { turnDocument } from '../index/turns.ts'
import { lineOfMatch, linesOfChunk } from './memory-lines.ts'

const SESSION = { id: 'jsonl:s', agent_id: 'main', label: 's', started_at: 0 }
const TURN = { id: 'jsonl:s/m1', turn_type: 'normal', status: 'final', timestamp: 0, provider: null } as const

function row(id: string, role: 'user' | 'assistant', content: string, speaker: string | null = null): DocumentRow {
  return { native_id: id, role, kind: 'reply', content, timestamp: null, speaker, trust: 'owner', model: null }
}

function located(rows: readonly DocumentRow[], maxTokens: number) {
  const document = turnDocument(SESSION, TURN, rows)
  const lines = document.text.split('\n')
  return chunkDocument(document, { maxTokens, ownerName: 'Jason Wu' }).map((draft) => {
    const { start, end } = linesOfChunk(document, { ...draft })
    return { draft, start, end, text: lines.slice(start - 1, end).join('\n'), first: lines[start - 1] ?? '', last: lines[end - 1] ?? '' }
  })
}

const sentences = (word: string, count: number) => Array.from({ length: count }, (_, i) => `The ${word} number ${i} stands here.`)

const CASES: Record<string, DocumentRow[]> = {
  'a short exchange': [row('a', 'user', 'How often?'), row('b', 'assistant', 'Three times.\n\nThen stop.')],
  'a long answer in paragraphs': [row('a', 'user', 'Tell me.'), row('b', 'assistant', sentences('line', 120).join('\n\n'))],
  'a long answer in one line': [row('a', 'user', 'Tell me.'), row('b', 'assistant', sentences('word', 120).join(' '))],
  'a long code block': [
    row('a', 'user', 'Show me.'),
    row('b', 'assistant', `Here:\n\n\`\`\`ts\n${sentences('code', 90).join('\n')}\n\`\`\`\n\nDone.`),
    row('c', 'user', 'Thanks.'),
  ],
  'several people in one role': [
    row('a', 'user', sentences('opinion', 30).join('\n'), 'Anna Berg'),
    row('b', 'user', sentences('answer', 30).join('\n'), 'Jason Wu'),
    row('c', 'user', 'Anna Berg: is what I say.', 'Bo'),
    row('d', 'assistant', sentences('reply', 40).join('\n\n')),
    row('e', 'user', sentences('end', 40).join('\n\n'), 'Anna Berg'),
  ],
}

describe.each(Object.entries(CASES))('%s', (_name, rows) => {
  it.each([80, 200, 500])('every chunk of at most %d tokens stands on its lines, and on no others', (max) => {
    for (const { draft, text, first, last, start, end } of located(rows, max)) {
      const said = draft.spoken.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('```'))
      expect(start).toBeLessThanOrEqual(end)
      for (const line of said) expect(text).toContain(line)
      // Tight: the first and the last line belong to the chunk.
      expect(said.some((line) => first.includes(line)) || first.includes('```')).toBe(true)
      expect(said.some((line) => last.includes(line)) || last.includes('```')).toBe(true)
    }
  })
})

it('lines are counted from 1, header and blank line included', () => {
  expect(located([row('a', 'user', 'How often?'), row('b', 'assistant', 'Three times.\n\nThen stop.')], 500)).toMatchObject([
    { start: 5, end: 9 },
  ])
})

it('a chunk of a document that changed since means the whole of it', () => {
  const chunk = { saidUser: 'no longer there', saidAssistant: '', messageIds: [] }
  expect(linesOfChunk({ text: 'one\ntwo\nthree\n', messages: [] }, chunk)).toEqual({ start: 1, end: 3 })
})

describe('the line of a match', () => {
  const text = [
    'Turn: 1',
    '',
    'User: Why does the gauge drift?',
    '',
    'Assistant: The **gauge** was checked.',
    '  - Its seal leaks, so the gauge drifts.',
    'The gauge drifts, its seal leaks: not shown.',
  ].join('\n')
  const all = { start: 3, end: 7 }
  const matched = ['gauge', 'drifts', 'seal']

  it('is that of the sentence in the excerpt with the most of the words', () => {
    expect(lineOfMatch(text, all, { excerpt: 'Assistant: The gauge was checked.\nIts seal leaks, so the gauge drifts.', matched })).toBe(6)
    expect(lineOfMatch(text, all, { excerpt: 'User: Why does the gauge drift? … Its seal leaks, so the gauge …', matched })).toBe(6)
    expect(lineOfMatch(text, all, { excerpt: 'Assistant: The gauge was checked.', matched })).toBe(5)
  })

  it('is the first one shown if no word matched, and the first of all if none is shown', () => {
    expect(lineOfMatch(text, all, { excerpt: 'Assistant: The gauge was checked.', matched: [] })).toBe(5)
    expect(lineOfMatch(text, all, { excerpt: 'Something else.', matched })).toBe(3)
    expect(lineOfMatch(text, all, { excerpt: '', matched })).toBe(3)
  })
})
