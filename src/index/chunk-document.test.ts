import { describe, expect, it } from 'vitest'
import { sha256 } from '../core/hash.ts'
import { countTokens } from '../core/tokens.ts'
import { type ChunkDraft, chunkDocument } from './chunk-document.ts'
import type { DocumentRow } from './document.ts'
import { turnDocument } from './turns.ts'

const SESSION = { id: 'jsonl:s', agent_id: 'main', label: 'jsonl:s', started_at: 1 }
const TURN = { id: 'jsonl:s/m9', turn_type: 'normal', status: 'final', timestamp: 5_000 } as const

function row(role: 'user' | 'assistant', content: string, more: Partial<DocumentRow> = {}): DocumentRow {
  return {
    native_id: `${role}-${content.length}`,
    role,
    kind: role === 'user' ? 'prompt' : 'reply',
    content,
    timestamp: null,
    speaker: null,
    trust: role === 'user' ? 'owner' : 'agent',
    model: null,
    ...more,
  }
}

function chunks(rows: readonly DocumentRow[], options: { maxTokens?: number; ownerName?: string } = {}): ChunkDraft[] {
  return chunkDocument(turnDocument(SESSION, TURN, rows), { maxTokens: 500, ...options })
}

const sentence = (n: number) => `Sentence number ${n} tells about the garden and its ${n % 2 ? 'roses' : 'tulips'}.`
const prose = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => sentence(from + i)).join(' ')

describe('chunks of an exchange', () => {
  it('an exchange that fits is one chunk with both sides', () => {
    const [chunk, ...rest] = chunks([
      row('user', 'How many posts?', { native_id: 'u1' }),
      row('assistant', 'Three a day.', { native_id: 'a1' }),
    ])
    expect(rest).toEqual([])
    expect(chunk).toMatchObject({
      saidUser: 'How many posts?',
      saidAssistant: 'Three a day.',
      content: 'User: How many posts?\nAssistant: Three a day.',
      speakers: ['user', 'assistant'],
      messageIds: ['u1', 'a1'],
      timestamp: 5_000,
      trust: 'agent',
    })
    expect(chunk?.contentHash).toBe(sha256('User: How many posts?\nAssistant: Three a day.'))
    expect(chunk?.tokenCount).toBe(countTokens(chunk?.content ?? ''))
  })

  it('messages of one role are joined by a blank line', () => {
    const [chunk] = chunks([row('user', 'Look.'), row('assistant', 'I look.'), row('assistant', 'I found it.')])
    expect(chunk?.saidAssistant).toBe('I look.\n\nI found it.')
  })

  it('a long exchange is split between messages, and the end of one chunk begins the next', () => {
    const rows = [1, 2, 3, 4, 5].map((n) => row(n === 1 ? 'user' : 'assistant', prose(n * 10, n * 10 + 10), { native_id: `m${n}` }))
    const made = chunks(rows, { maxTokens: 400 })
    expect(made.map((chunk) => chunk.messageIds)).toEqual([
      ['m1', 'm2', 'm3'],
      ['m3', 'm4', 'm5'],
    ])
    const shared = overlapOf(made[0]?.saidAssistant ?? '', made[1]?.saidAssistant ?? '')
    expect(shared).toMatch(/^Sentence number 3\d .*tulips\.$|^Sentence number 3\d .*roses\.$/s)
    expect(countTokens(shared)).toBeGreaterThanOrEqual(20)
    expect(countTokens(shared)).toBeLessThanOrEqual(50)
    for (const chunk of made) expect(chunk.tokenCount).toBeLessThanOrEqual(400)
  })

  it('every chunk after the first knows how the question began, within the limit, and not as text of its own', () => {
    const question = `Why does the sync of the ${'very '.repeat(60)}large folder fail with EMFILE?`
    const made = chunks([row('user', question, { native_id: 'u' }), row('assistant', prose(0, 120), { native_id: 'a' })])
    expect(made.length).toBeGreaterThan(2)
    expect(made[0]).toMatchObject({ question: '', messageIds: ['u', 'a'] })
    for (const chunk of made.slice(1)) {
      expect(chunk.question).toMatch(/^Why does the sync of the very .*very…$/)
      expect(chunk.messageIds).toEqual(['a'])
      expect(chunk.content).not.toContain('sync')
      expect(chunk.tokenCount + countTokens(`[Question: ${chunk.question}]`)).toBeLessThanOrEqual(500)
    }
  })

  it('a question that is cut itself is known in its later chunks too', () => {
    const made = chunks([row('user', `Look at this log. ${prose(0, 120)}`, { native_id: 'u' })])
    expect(made.slice(1).every(({ question }) => question.startsWith('Look at this log. Sentence number 0'))).toBe(true)
  })

  it('a short question that stands whole in the next chunk need not be told beside it', () => {
    const made = chunks([row('user', 'Why?', { native_id: 'u' }), row('assistant', prose(0, 34), { native_id: 'a' })], { maxTokens: 500 })
    expect(made.every(({ saidUser, question }) => (saidUser === 'Why?') !== (question === 'Why?'))).toBe(true)
  })

  it('the ids are those of the messages whose text is there, and no others', () => {
    const rows = Array.from({ length: 40 }, (_, n) => row(n % 4 ? 'assistant' : 'user', prose(n * 7, n * 7 + 7), { native_id: `m${n}` }))
    const made = chunks(rows)
    for (const chunk of made) {
      const held = rows.filter(({ content }) => (content ?? '').split('. ').some((part) => chunk.content.includes(part)))
      expect(chunk.messageIds).toEqual(held.map(({ native_id }) => native_id))
      expect(chunk.tokenCount).toBe(countTokens(chunk.content))
    }
    for (const [i, chunk] of made.slice(1).entries()) expect(made[i]?.messageIds.at(-1)).toBe(chunk.messageIds[0])
  })

  it('nobody asked in a summary', () => {
    const made = chunks([row('user', prose(0, 120), { kind: 'summary' })])
    expect(made.length).toBeGreaterThan(1)
    expect(made.every(({ question }) => question === '')).toBe(true)
  })

  it('only a message that is too long alone is cut, at sentences, with an overlap', () => {
    const made = chunks([row('user', 'Tell me all.', { native_id: 'u' }), row('assistant', prose(0, 120), { native_id: 'a' })])
    expect(made.length).toBeGreaterThan(2)
    expect(made[0]?.messageIds).toEqual(['u', 'a'])
    expect(made.slice(1).every((chunk) => chunk.saidUser === '' && chunk.messageIds.join() === 'a')).toBe(true)
    for (const [i, chunk] of made.entries()) {
      expect(chunk.saidAssistant).toMatch(/^Sentence number \d+ tells/)
      expect(chunk.saidAssistant).toMatch(/\.$/)
      const before = made[i - 1]
      if (before === undefined) continue
      const shared = countTokens(overlapOf(before.saidAssistant, chunk.saidAssistant))
      expect(shared).toBeGreaterThanOrEqual(20)
      expect(shared).toBeLessThanOrEqual(60)
    }
  })

  it('a short question stays with the beginning of a long answer, and a short message joins the rest of a long one', () => {
    const made = chunks([row('assistant', prose(0, 60), { native_id: 'a' }), row('assistant', 'Done.', { native_id: 'b' })])
    expect(made.at(-1)?.messageIds).toEqual(['a', 'b'])
  })

  it('a turn without text has no chunks', () => {
    expect(chunks([])).toEqual([])
    expect(chunks([row('assistant', '  \n ')])).toEqual([])
  })

  it('a cut code block is closed and opened again', () => {
    const code = Array.from({ length: 200 }, (_, i) => `  const value${i} = compute(${i})`).join('\n')
    const made = chunks([row('assistant', `Here:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nThat is all.`)])
    expect(made.length).toBeGreaterThan(2)
    for (const chunk of made) {
      expect(chunk.saidAssistant.match(/^```/gm)?.length ?? 0).toSatisfy((n: number) => n % 2 === 0)
      expect(chunk.tokenCount).toBeLessThanOrEqual(500)
    }
    expect(made[1]?.saidAssistant.startsWith('```ts\n  const value')).toBe(true)
  })
})

describe('any text', () => {
  const emoji = '👩‍👩‍👧‍👦🇦🇺'.repeat(700)
  const cases: [string, string][] = [
    ['one endless word', 'x'.repeat(50_000)],
    ['a hash after the other', Array.from({ length: 600 }, (_, i) => sha256(String(i))).join(' ')],
    ['Chinese without a blank', '我们决定每天发布三篇文章。'.repeat(200)],
    ['Chinese without a stop', '数据库迁移'.repeat(800)],
    ['Korean', '안녕하세요 여러분 데이터베이스를 옮깁니다 '.repeat(200)],
    ['emoji', emoji],
    ['lines', 'a line of a log with 12:30:11 and [INFO]\n'.repeat(300)],
    ['blank lines only between', 'word\n\n\n\n'.repeat(2000)],
    ['unclosed fence', `\`\`\`\n${'if (x) { y() }\n'.repeat(400)}`],
    ['fences in a row', '```js\na()\n```\n'.repeat(300)],
  ]

  it.each(cases)('%s is cut into chunks within the limit, whole characters, and exact counts', (_name, text) => {
    const made = chunks([row('user', text, { speaker: 'Anna' })])
    expect(made.length).toBeGreaterThan(1)
    for (const chunk of made) {
      expect(chunk.tokenCount).toBe(countTokens(chunk.content))
      expect(chunk.tokenCount).toBeLessThanOrEqual(500)
      expect(chunk.content.length).toBeLessThanOrEqual(500 * 8 + 100)
      expect(chunk.content).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/)
    }
    expect(made.map((chunk) => chunk.saidUser).join('').length).toBeGreaterThanOrEqual(text.replace(/\s+/g, '').length)
  })
})

describe('speakers', () => {
  it('a name that is not the owner stands before the text and among the speakers', () => {
    const [chunk] = chunks([row('user', 'Hi.', { speaker: 'Caroline' }), row('assistant', 'Hello.', { speaker: 'Melanie' })])
    expect(chunk).toMatchObject({
      saidUser: 'Caroline: Hi.',
      saidAssistant: 'Melanie: Hello.',
      speakers: ['user', 'Caroline', 'assistant', 'Melanie'],
    })
    expect(chunk?.spoken).toBe('Hi.\nHello.')
  })

  it('the owner, by full or first name, needs no name before the text', () => {
    const [chunk] = chunks([row('user', 'Hi.', { speaker: 'Jason' }), row('user', 'There.', { speaker: 'Jason Wu' })], {
      ownerName: 'Jason Wu',
    })
    expect(chunk).toMatchObject({ saidUser: 'Hi.\n\nThere.', speakers: ['user', 'Jason', 'Jason Wu'] })
  })

  it('a role as a name is no name, and a summary is the assistant speaking', () => {
    const [chunk] = chunks([row('user', 'So far.', { kind: 'summary' }), row('assistant', 'Fine.', { speaker: 'assistant' })])
    expect(chunk).toMatchObject({ saidUser: '', saidAssistant: 'Summary: So far.\n\nFine.', speakers: ['assistant'] })
  })

  it('the least trusted message gives the trust of the chunk', () => {
    const [chunk] = chunks([row('user', 'Hi.', { trust: 'contact' }), row('assistant', 'Hello.')])
    expect(chunk?.trust).toBe('contact')
  })

  it('the time is that of the first message that has one', () => {
    const [chunk] = chunks([row('user', 'Hi.'), row('assistant', 'Hello.', { timestamp: 7_000 })])
    expect(chunk?.timestamp).toBe(7_000)
  })
})

function overlapOf(a: string, b: string): string {
  for (let length = Math.min(a.length, b.length); length > 0; length--) if (a.endsWith(b.slice(0, length))) return b.slice(0, length)
  return ''
}

describe('who speaks stands before the text once', () => {
  const content = (rows: readonly DocumentRow[], ownerName?: string) =>
    chunks(rows, ownerName === undefined ? {} : { ownerName })[0]?.content

  it('by name where there is one, the owner too, else by role', () => {
    const rows = [row('user', 'How many?', { speaker: 'Jason' }), row('assistant', 'Three.', { speaker: 'Max' })]
    expect(content(rows)).toBe('Jason: How many?\nMax: Three.')
    expect(content(rows, 'Jason Wu')).toBe('Jason: How many?\nMax: Three.')
    expect(content([row('user', 'How many?', { speaker: 'human' }), row('assistant', 'Three.')])).toBe('User: How many?\nAssistant: Three.')
  })

  it('several people of one role each by theirs, and a summary as one', () => {
    const rows = [row('user', 'Hello.'), row('user', 'Hi.', { speaker: 'Anna' }), row('assistant', 'Welcome.')]
    expect(content(rows)).toBe('User: Hello.\n\nAnna: Hi.\nAssistant: Welcome.')
    expect(content([{ ...row('assistant', 'What came before.'), role: 'system', kind: 'summary' }])).toBe('Summary: What came before.')
  })

  it('no token of it is counted twice, and the owner’s name is no word of the full text', () => {
    const [chunk] = chunks([row('user', 'How many?', { speaker: 'Jason' }), row('assistant', 'Three.', { speaker: 'Max' })], {
      ownerName: 'Jason Wu',
    })
    expect(chunk?.tokenCount).toBe(countTokens(chunk?.content ?? ''))
    expect(chunk).toMatchObject({ saidUser: 'How many?', userLabel: 'Jason: ', saidAssistant: 'Max: Three.', assistantLabel: '' })
  })
})
