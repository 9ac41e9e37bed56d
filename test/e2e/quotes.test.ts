/**
 * Quotes of tool results, drawn by lot: each is found in its session, or the answer says how many more there are; after forgetting none is. Over
 * sessions written here, and over real logs of real tools where they are.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { redactVisible } from '../../src/core/redact.ts'
import type { Mnemonic } from '../../src/library/index.ts'
import { type TestHome, testHome } from '../helpers/home.ts'

const SHARED = fileURLToPath(new URL('../../../shared/fixtures/', import.meta.url))
const HITS = 50
const LEAST_LENGTH = 20

interface Quote {
  readonly text: string
  readonly session: string
  readonly call: string
}

/** The same numbers in every run. */
function lots(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Every text in a result, whatever structure it stands in. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const isWordy = (character = ' ') => /[\p{L}\p{N}\p{M}]/u.test(character)

/** A part of a text, from the beginning of a word to the end of one. */
function partOf(text: string, draw: (below: number) => number): string {
  let from = draw(Math.max(1, text.length - LEAST_LENGTH))
  let to = Math.min(text.length, from + LEAST_LENGTH + draw(60))
  while (from > 0 && isWordy(text[from]) && isWordy(text[from - 1])) from--
  while (to < text.length && isWordy(text[to]) && isWordy(text[to - 1])) to++
  return text
    .slice(from, to)
    .replace(/["“”„«»]/g, ' ')
    .trim()
}

function sampled(database: string, count: number): Quote[] {
  const db = new Database(database, { readonly: true })
  const rows = db.prepare('select id, session_id, result_json from agent_tool_calls where result_json is not null order by id').all() as {
    id: string
    session_id: string
    result_json: string
  }[]
  db.close()
  const draw = lots(11)
  const quotes: Quote[] = []
  for (let tries = 0; quotes.length < count && tries < 50 * count; tries++) {
    const row = rows[draw(rows.length)]
    const texts = textsIn(JSON.parse(row?.result_json ?? '""')).filter(({ length }) => length >= LEAST_LENGTH)
    const whole = texts[draw(texts.length)]
    if (row === undefined || whole === undefined || redactVisible(whole) !== whole) continue
    const text = partOf(whole, draw)
    if (text.length < LEAST_LENGTH || text.length > 400 || (text.match(/[\p{L}\p{N}]+/gu) ?? []).length < 2) continue
    quotes.push({ text, session: row.session_id, call: row.id })
  }
  return quotes
}

/** The quotes of which neither the session is among the hits nor the answer says that there are more. */
async function lost(mnemonic: Mnemonic, quotes: readonly Quote[]): Promise<Quote[]> {
  const missing: Quote[] = []
  for (const quote of quotes) {
    const { results, more } = await mnemonic.search({ query: `"${quote.text}"`, limit: HITS })
    const found = results.some(({ session_id }) => session_id === quote.session)
    if (!found && (more?.work ?? 0) + (more?.abandoned ?? 0) === 0) missing.push(quote)
  }
  return missing
}

async function forgetAll(mnemonic: Mnemonic): Promise<void> {
  await mnemonic.forget({ before: '2100-01-01' })
}

async function found(mnemonic: Mnemonic, quotes: readonly Quote[]): Promise<Quote[]> {
  const still: Quote[] = []
  for (const quote of quotes) {
    const { results, more } = await mnemonic.search({ query: `"${quote.text}"`, filters: { branches: true }, limit: HITS })
    // Speech without a time is not before a day, and may say the same.
    const held = results.some(({ kind, session_id }) => kind === 'work' || session_id === quote.session)
    if (held || (more?.work ?? 0) > 0) still.push(quote)
  }
  return still
}

const SCRIPTS = [
  'error: the harbour crane refused berth',
  'naïve café piñata façade',
  '港湾のクレーンが停止しました',
  '起重机 停止 运行 了',
  'кран остановился у причала',
  'path/to/harbour_crane.ts:41:7 getCraneState()',
  'fatal: exit status 128 — "berth" isn’t free',
  '{"crane": {"berth": [1, 2]}, "ok": false}',
]

/** 60 sessions of 12 calls, and one result that all of them have. */
function writeSessions({ logs }: TestHome): void {
  const draw = lots(5)
  for (let session = 0; session < 60; session++) {
    const lines: object[] = []
    const add = (type: string, content: unknown) => {
      const uuid = `s${session}-${lines.length}`
      const timestamp = new Date(Date.UTC(2026, 2, 1, 9) + session * 3_600_000 + lines.length * 1000).toISOString()
      const message = { role: type, content, ...(type === 'assistant' ? { id: `m${uuid}`, model: 'm' } : {}) }
      const parentUuid = lines.length === 0 ? null : `s${session}-${lines.length - 1}`
      lines.push({ type, uuid, parentUuid, sessionId: `quotes-${session}`, cwd: '/work/harbour', timestamp, message })
    }
    add('user', 'look at the cranes')
    for (let call = 0; call < 12; call++) {
      const id = `t${session}-${call}`
      const own = Array.from({ length: 4 }, () => `${SCRIPTS[draw(SCRIPTS.length)]} ${draw(1e6).toString(36)} ${draw(1e9)}`)
      const content = call === 0 ? 'the same words stand in the result of every session' : own.join('\n')
      add('assistant', [{ type: 'tool_use', id, name: 'Bash', input: { command: `cat berth-${call}` } }])
      add('user', [{ type: 'tool_result', tool_use_id: id, content }])
    }
    add('assistant', [{ type: 'text', text: 'All cranes are looked at.' }])
    writeFileSync(join(logs, `quotes-${session}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
}

describe('quotes of tool results', () => {
  it('are found, or the answer says how many more there are; after forgetting none is', { timeout: 120_000 }, async () => {
    const home = testHome()
    writeSessions(home)
    const mnemonic = await home.open()
    await mnemonic.sync({ path: home.logs, embed: false })
    const quotes = sampled(home.database, 200)
    expect(quotes).toHaveLength(200)
    expect(await lost(mnemonic, quotes)).toEqual([])
    const { results, more } = await mnemonic.search({ query: '"the same words stand in the result"', limit: HITS })
    expect(results.length + (more?.work ?? 0)).toBe(60)
    await forgetAll(mnemonic)
    expect(await found(mnemonic, quotes)).toEqual([])
  })

  const present = existsSync(SHARED)
  if (!present) console.log('left out: ../shared/fixtures is not here, so no quote of a real tool result was looked for')

  it.runIf(present)('of real tools too', { timeout: 300_000 }, async () => {
    const home = testHome()
    const mnemonic = await home.open()
    await mnemonic.sync({ path: SHARED, embed: false })
    const quotes = sampled(home.database, 250)
    expect(quotes).toHaveLength(250)
    expect(await lost(mnemonic, quotes)).toEqual([])
    await forgetAll(mnemonic)
    expect(await found(mnemonic, quotes)).toEqual([])
  })
})
