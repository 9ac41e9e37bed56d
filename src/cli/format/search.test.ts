import { expect, it } from 'vitest'
import type { SearchAnswer, SearchGroup, SearchResult } from '../../library/index.ts'
import { width } from './layout.ts'
import { formatSearch, type Look, type SearchFormat, shownHits } from './search.ts'
import { style } from './style.ts'

const options: SearchFormat = { look: 'blocks', style: style(false), width: 80, now: Date.parse('2026-11-15T10:00:00Z') }
const LOOKS: readonly Look[] = ['blocks', 'flat', 'short', 'sessions']

const hit = (more: Partial<SearchResult> = {}): SearchResult => ({
  id: 'plan:2',
  kind: 'speech',
  session_id: 'jsonl:plan',
  thread_id: '',
  channel: 'jsonl',
  people: [],
  turn_id: 'jsonl:plan/p-04',
  message_ids: ['p-03', 'p-04'],
  path: 'sessions/plan/turns/p-04.md',
  source: 'sessions',
  harness: 'claude-code',
  ledger: 'agents',
  timestamp: '2026-09-30T04:31:00.000Z',
  speakers: ['user', 'Jason', 'assistant', 'Max'],
  session_title: 'Content plan',
  project: '/home/jason/code/quill',
  project_name: null,

  topics: ['posting'],
  has_decision: true,
  relevance_score: 0.953,
  content: 'Jason: On posting frequency: three a week.\nMax: Noted.',
  excerpt: 'Jason: On posting frequency: three a week.',
  context: '[before] Jason: How many posts?\n[after] Max: A reminder follows.',
  trust: 'owner',
  matched: ['posting', 'frequency'],
  ...more,
})

const answer = (results: readonly SearchResult[], more: Partial<SearchAnswer> = {}): SearchAnswer => ({
  query: 'q',
  queries: ['q'],
  mode: { requested: 'hybrid', realized: 'hybrid' },
  last_sync: '2026-11-15T09:00:00Z',
  matched: 'words',
  corrections: [],
  results,
  groups: results.map(({ id, session_id, thread_id, channel, people, session_title: title, project, harness, timestamp }, i) => {
    return {
      id: id.replace(/:\d+$/, ''),
      session_id,
      thread_id,
      channel,
      people,
      title,
      project,
      project_name: null,
      discussion: null,
      harness,
      timestamp,
      hits: [i],
      more: i,
    }
  }),
  ...more,
})

const FOOTER = '── 1 session · hybrid · last sync 1 hour ago'

it('a block says what, where, when, the id, the sentences that answer and how many more there are', () => {
  const [group] = answer([hit()]).groups
  const text = formatSearch(answer([hit()], { groups: [{ ...group, more: 7 } as SearchGroup] }), options)
  expect(text.split('\n')).toEqual([
    '1  Content plan                                        quill  2026-09-30  plan:2',
    '   Jason: On posting frequency: three a week.            +7 more in this session',
    FOOTER,
  ])
})

it('ten blocks and their footer take 40 lines of 80 columns', () => {
  const long = 'The lease expired at night, and nobody noticed until the morning. '.repeat(5)
  const results = Array.from({ length: 10 }, (_, i) => hit({ session_id: `jsonl:${i}`, session_title: long, content: long, excerpt: long }))
  const lines = formatSearch(answer(results, { groups: answer(results).groups.map((group) => ({ ...group, more: 120 })) }), options).split(
    '\n',
  )
  expect(lines).toHaveLength(40)
  expect(Math.max(...lines.map(width))).toBeLessThanOrEqual(80)
  expect(lines.filter((line) => line.endsWith('+120 more in this session'))).toHaveLength(10)
})

it.each([30, 50, 80])('facts at the end of a block leave room for what answers, at %i columns', (cells) => {
  const long = 'The lease expired at night, and nobody noticed until the morning. '.repeat(5)
  const one = hit({ excerpt: long, content: long, trust: 'untrusted' })
  const [group] = answer([one]).groups
  const discussion = { count: 3, name: 'PromptAttributions, attribution of what was carried forward' }
  const groups = [{ ...group, more: 1200, discussion } as unknown as SearchGroup]
  const lines = formatSearch(answer([one], { groups }), { ...options, width: cells }).split('\n')
  expect(Math.max(...lines.map(width))).toBeLessThanOrEqual(cells)
  expect(lines.join('\n')).toContain('The lease')
})

it('hits of one session are one block, numbered as they are shown', () => {
  const results = [hit({ id: 'a:1' }), hit({ id: 'b:1', session_id: 'jsonl:b' }), hit({ id: 'a:2' })]
  const group = {
    ...{ id: 'a', session_id: 'jsonl:plan', thread_id: '', channel: 'jsonl', people: [] },
    title: 'Content plan',
    project: null,
    project_name: null,
    discussion: null,
    harness: null,
    timestamp: hit().timestamp,
  }
  const grouped = answer(results, {
    groups: [
      { ...group, hits: [0, 2], more: 3 },
      { ...group, id: 'b', session_id: 'jsonl:b', hits: [1], more: 0 },
    ],
  })
  expect(shownHits(grouped, 'blocks').map(({ id }) => id)).toEqual(['a:1', 'b:1'])
  expect(shownHits(grouped, 'flat').map(({ id }) => id)).toEqual(['a:1', 'b:1', 'a:2'])
  expect(formatSearch(grouped, { ...options, look: 'sessions' }).split('\n')).toEqual([
    expect.stringMatching(/^1 {2}Content plan {2,}5 hits {2}2026-09-30 {2}a$/),
    expect.stringMatching(/^2 {2}Content plan {2,}1 hit {3}2026-09-30 {2}b$/),
    '── 2 sessions · hybrid · last sync 1 hour ago',
  ])
  expect(formatSearch(grouped, { ...options, look: 'short' })).toMatch(
    /^1 {2}2026-09-30 {2}a:1 {2}Jason: On posting frequency: three a week\.\n/,
  )
})

it('a flat hit says who and why; topics are not printed', () => {
  const text = formatSearch(answer([hit()]), { ...options, look: 'flat' })
  expect(text).toContain('\n   Jason, Max · matched "posting", "frequency" · holds a decision · score 0.95\n   Jason: On posting')
  for (const look of LOOKS) expect(formatSearch(answer([hit({ topics: ['queue-sit'] })]), { ...options, look })).not.toContain('queue-sit')
})

it('a role without a name stays a role', () => {
  expect(formatSearch(answer([hit({ speakers: ['user', 'assistant', 'Max'] })]), { ...options, look: 'flat' })).toContain('   user, Max · ')
})

it('trust is told only where it is not that of the owner or an agent', () => {
  for (const look of ['blocks', 'flat'] as const) {
    expect(formatSearch(answer([hit()]), { ...options, look })).not.toContain('trust')
    expect(formatSearch(answer([hit({ trust: 'untrusted' })]), { ...options, look })).toContain('trust: untrusted')
  }
})

it('a tool call is shown by what it did and the line that was found, as it is', () => {
  const work = hit({ kind: 'work', trust: 'untrusted', excerpt: 'Bash: git push **\n# exit status 128', matched: ['exit'] })
  const text = formatSearch(answer([work]), options)
  expect(text).toContain('\n   Bash: git push ** · # exit status 128\n')
  expect(text).not.toContain('trust')
})

it('with context the sentences around are shown as they were written, from the neighbours too', () => {
  const content = 'One. Two is\n- this. Three answers. Four. Five.'
  const result = hit({
    content,
    excerpt: '… Three answers. …',
    context: '[before] Minus. Zero.\n[after] Six. Seven.',
    matched: ['answers'],
  })
  const shown = (context: number) =>
    formatSearch(answer([result]), { ...options, context })
      .split('\n')
      .slice(1, -1)
      .map((line) => line.trim())
  expect(shown(1)).toEqual(['- this. Three answers. Four.'])
  expect(shown(4)).toEqual(['┊ Zero.', 'One. Two is', '- this. Three answers. Four. Five.', '┊ Six. Seven.'])
})

it('what matched is bold on a terminal, and nothing else of the text', () => {
  const text = formatSearch(answer([hit()]), { ...options, style: style(true) })
  expect(text).toContain('   Jason: On \u001b[1mposting\u001b[22m \u001b[1mfrequency\u001b[22m: three a week.')
})

const HOSTILE = [
  '\u001b]8;;http://x\u0007click\u001b[31m\u202eevil\u2066',
  `https://example.com/${'a'.repeat(300)}`,
  '日本語のとても長い題名'.repeat(20),
  '👩‍👩‍👧‍👦❤️🇩🇪✔️'.repeat(40),
  `${'\t'.repeat(40)}tabs\u2028and\u2029lines`,
  `e${'\u0301'.repeat(3000)}`,
]

it('whatever the ledger holds, no line is wider than the terminal and none commands it', () => {
  for (const evil of HOSTILE) {
    const fields = { content: evil, excerpt: evil, context: `[before] ${evil}`, session_title: evil, project: evil, id: evil, path: evil }
    const results = [hit({ ...fields, matched: [evil], speakers: [evil], topics: [evil], trust: 'untrusted', explain: { [evil]: 1 } })]
    for (const cells of [40, 50, 80, 120]) {
      for (const look of LOOKS) {
        for (const more of [{}, { context: 2 }]) {
          const text = formatSearch(answer(results), { ...options, ...more, look, width: cells, within: [evil], next: [evil.slice(0, 0)] })
          expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/)
          expect(text.split('\n').filter((line) => width(line) > cells)).toEqual([])
        }
      }
    }
  }
})

it('the footer says how many, within what, mode and last sync', () => {
  const none = answer([], { mode: { requested: 'hybrid', realized: 'lexical: no vectors yet' }, queries: ['a', 'b'] })
  expect(formatSearch(none, { ...options, within: ['project quill'] })).toBe(
    '── 0 sessions · 2 phrasings · project quill · lexical: no vectors yet · last\nsync 1 hour ago',
  )
  const next = 'show 1 · open 1 · resume 1'
  const key = `AKIA${'NFJOZLQPSHYGZ52S'}`
  expect(formatSearch(answer([]), { ...options, within: [`speaker ${key}`] })).not.toContain(key)
  expect(formatSearch(answer([]), { ...options, next: [next, 'show 1'] })).toBe(`── 0 sessions · hybrid · last sync 1 hour ago · ${next}`)
  expect(formatSearch(answer([]), { ...options, next: [next, 'show 1'], width: 60 })).toBe(
    '── 0 sessions · hybrid · last sync 1 hour ago · show 1',
  )
  expect(formatSearch(answer([]), { ...options, next: [next], width: 60 })).toBe('── 0 sessions · hybrid · last sync 1 hour ago')
  const never = answer([], { last_sync: null, mode: { requested: 'hybrid', realized: 'hybrid: 8 of 9 chunks embedded' } })
  expect(formatSearch(never, { ...options, look: 'flat' })).toBe('── 0 hits · hybrid: 8 of 9 chunks embedded · never synced')
})

it('what was searched for instead, and that nothing matched, stands before the hits', () => {
  const notes = { corrections: [{ typed: 'lese', used: 'lease' }], matched: 'meaning' as const, more: { work: 4, counted: false } }
  const lines = formatSearch({ ...answer([hit()]), ...notes }, options).split('\n')
  expect(lines.slice(0, 2)).toEqual(['searched for "lease" instead of "lese"', 'nothing matched; nearest by meaning:'])
  expect(lines.at(-1)).toBe('── 1 session · at least 4 more tool calls · hybrid · last sync 1 hour ago')
  expect(formatSearch({ ...answer([hit()]), matched: 'words' }, options)).not.toContain('nothing matched')
})

it('keeps code on lines of its own, with its indentation', () => {
  const code = ['func add(a, b int) int {', '\treturn a + b', '}']
  const content = ['Assistant: It adds:', '```go', ...code, '```', 'Nothing else.'].join('\n')
  const excerpt = ['Assistant: It adds:', ...code].join('\n')
  const lines = (look: Look, more: Partial<SearchResult> = {}) =>
    formatSearch(answer([hit({ content, excerpt, matched: ['func', 'return'], ...more })]), { ...options, look })
      .split('\n')
      .map((line) => line.trimEnd())
  expect(lines('blocks')).toEqual(expect.arrayContaining(['   func add(a, b int) int {', '     return a + b']))
  expect(lines('flat')).toEqual(
    expect.arrayContaining(['   Assistant: It adds:', '   func add(a, b int) int {', '     return a + b', '   }']),
  )
  // A line that is not between fences is prose.
  expect(lines('flat', { content: excerpt }).join('\n')).toContain('func add(a, b int) int { return a + b')
})
