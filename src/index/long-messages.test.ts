import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'
import { type DocumentRow, INDEXED_DOCUMENT, INDEXED_MESSAGE } from './document.ts'
import { splitText } from './split-text.ts'
import { turnDocument } from './turns.ts'

const SESSION = { id: 'jsonl:a', agent_id: 'main', label: 'a', started_at: 1 }
const TURN = { id: 'jsonl:a/m', turn_type: 'normal', status: 'final', timestamp: 1, provider: null } as const

function row(content: string, id = 'm', more: Partial<DocumentRow> = {}): DocumentRow {
  return { native_id: id, role: 'user', kind: 'prompt', content, timestamp: 1, speaker: null, trust: 'owner', model: null, ...more }
}

const WORDS = 'lorem ipsum dolor '

it('only the beginning of a long message is in its document, cut between words, and the document says so', () => {
  const long = `${WORDS.repeat(INDEXED_MESSAGE / WORDS.length + 10)}heliotrope`
  const { messages, shortened, text } = turnDocument(SESSION, TURN, [row('short', 'a'), row(long, 'b'), row('after', 'c')])
  expect(shortened).toEqual(['b'])
  expect(messages.map((message) => message.nativeId)).toEqual(['a', 'b', 'c'])
  const kept = messages[1]?.text ?? ''
  expect(kept.length).toBeLessThanOrEqual(INDEXED_MESSAGE)
  expect(kept.length).toBeGreaterThan(INDEXED_MESSAGE - 20)
  expect(long.startsWith(`${kept} `)).toBe(true)
  expect(text).toContain('[Only a part of this turn is indexed. All of it: mnemonic show jsonl:a/m]')
  expect(turnDocument(SESSION, TURN, [row('short')]).text).not.toContain('Only a part')
})

it('a secret that the cut goes through does not come into the index in halves', () => {
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40)
  for (const before of [5, 20, 38]) {
    const long = `${'x '.repeat(INDEXED_MESSAGE)}`.slice(0, INDEXED_MESSAGE - before)
    const [message] = turnDocument(SESSION, TURN, [row(`${long}${secret} and more ${WORDS.repeat(9000)}`)]).messages
    expect(message?.text).not.toContain('ghp_')
  }
})

it('a turn of many long messages has one limit for all of them', () => {
  const long = WORDS.repeat(INDEXED_MESSAGE / WORDS.length)
  const rows = ['a', 'b', 'c', 'd'].map((id) => row(long, id))
  const { messages, shortened } = turnDocument(SESSION, TURN, rows)
  expect(messages.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(INDEXED_DOCUMENT)
  expect(shortened.at(-1)).toBe('d')
})

it('a long text without a sentence is cut word by word, in pieces that hold all of it', () => {
  const text = WORDS.repeat(20_000).trim()
  const pieces = splitText(text, { first: 0, max: 200 })
  expect(pieces.length).toBeGreaterThan(300)
  expect(pieces.every((piece) => piece.tokens <= 200)).toBe(true)
})

it('sync, health, search, show, publish and exports take a message of megabytes, and name it', async () => {
  const home = testHome()
  const said = (role: string, content: string, id: string, minute: number) =>
    `${JSON.stringify({ id, session_id: 'ferry', role, content, timestamp: new Date(Date.UTC(2026, 1, 5, 12, minute)).toISOString() })}\n`
  const long = `${WORDS.repeat(200_000)}heliotrope`
  const lines = [
    said('user', 'Which harbour?', 'q1', 0),
    said('assistant', 'The eastern harbour.', 'a1', 1),
    said('user', long, 'q2', 2),
    said('assistant', 'A long text.', 'a2', 3),
    said('user', 'And which quay?', 'q3', 4),
    said('assistant', 'The turquoise quay.', 'a3', 5),
  ]
  writeFileSync(join(home.logs, 'ferry.jsonl'), lines.join(''))
  const mnemonic = await home.open()
  const { totals } = await mnemonic.sync({ embed: false, path: home.logs })
  expect(totals).toMatchObject({ imported: 1, quarantined: 0, skipped_lines: 0 })
  expect(totals.warnings.join('\n')).toContain('session jsonl:ferry: message q2 is too long to be indexed whole')
  const check = (await mnemonic.health()).checks.find(({ name }) => name === 'clipped_sessions')
  expect(check).toMatchObject({ status: 'DEGRADED', message: expect.stringContaining('jsonl:ferry: q2') })
  const { rows } = await mnemonic.sql("select length(content) as n from agent_messages where native_id = 'q2'")
  expect(rows).toEqual([[long.length]])
  expect((await mnemonic.search({ query: 'turquoise quay' })).results[0]?.content).toContain('turquoise')
  expect((await mnemonic.search({ query: 'heliotrope' })).results).toEqual([])
  expect(JSON.stringify(await mnemonic.show('jsonl:ferry')).length).toBeGreaterThan(long.length)
  await mnemonic.safekeeping.export({ dir: join(home.root, 'export') })
  expect(statSync(join(home.root, 'export', 'messages.jsonl')).size).toBeGreaterThan(long.length)
  // The second visit keeps the truncation mark.
  writeFileSync(join(home.logs, 'ferry.jsonl'), [...lines, said('user', 'Thanks.', 'q4', 6)].join(''))
  await mnemonic.sync({ embed: false, path: home.logs })
  expect((await mnemonic.health()).checks.find(({ name }) => name === 'clipped_sessions')?.status).toBe('DEGRADED')
  expect((await mnemonic.index.status())[0]?.status).toBe('partial')
})

it('an id of many kilobytes ends no export', async () => {
  const home = testHome()
  const id = 'I/d'.repeat(4000)
  const said = (role: string, content: string, own: string) =>
    `${JSON.stringify({ id: own, session_id: id, role, content, timestamp: '2026-02-05T12:00:00Z' })}\n`
  writeFileSync(join(home.logs, 'ids.jsonl'), said('user', 'Which harbour?', `q${id}`) + said('assistant', 'The eastern one.', `a${id}`))
  const mnemonic = await home.open()
  expect((await mnemonic.sync({ embed: false, path: home.logs })).totals).toMatchObject({ imported: 1, quarantined: 0, records: 2 })
  const qmd = await mnemonic.index.exportQmd({ dir: join(home.root, 'qmd') })
  expect(qmd).toMatchObject({ written: 1, warnings: [] })
  expect(await mnemonic.index.exportQmd({ dir: join(home.root, 'qmd') })).toMatchObject({ written: 0, unchanged: 1 })
  await mnemonic.safekeeping.export({ dir: join(home.root, 'export') })
  expect(readdirSync(join(home.root, 'export'))).toContain('messages.jsonl')
  const [session] = await mnemonic.sessions()
  await mnemonic.artifacts.publish({ session: session?.session_id as string })
  const [hit] = (await mnemonic.search({ query: 'eastern' })).results
  expect((await mnemonic.memoryGet({ id: hit?.turn_id as string })).text).toContain('eastern')
  await mnemonic.forget({ session: session?.session_id as string })
  expect(await mnemonic.sessions()).toEqual([])
})
