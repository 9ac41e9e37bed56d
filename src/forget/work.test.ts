import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { type TestHome, testHome } from '../../test/helpers/home.ts'
import { openSqlite } from '../store/sqlite/open.ts'
import type { ForgetReport } from './forget.ts'

const MARCH = Date.UTC(2026, 2, 1, 9)
const SESSIONS = 4
const CALLS = 6

/** Different starts, so that the index shares no prefixes. */
const word = (session: number, call: number, n: number) => `${'qwxzjk'[(session + call + n) % 6]}${session}${call}${n}heron${'fgh'[n]}`
const quote = (session: number, call: number) => [0, 1, 2].map((n) => word(session, call, n)).join(' ')

function writeLogs(home: TestHome): void {
  for (let s = 0; s < SESSIONS; s++) {
    const lines: object[] = []
    let last: string | null = null
    const add = (type: string, content: unknown, more: object = {}) => {
      const uuid = `0000000${s}-0000-4000-8000-${String(lines.length).padStart(12, '0')}`
      const timestamp = new Date(MARCH + s * 86_400_000 + lines.length * 1000).toISOString()
      const message = { role: type, content, ...(type === 'assistant' ? { id: `msg_${s}_${lines.length}`, model: 'claude' } : {}) }
      lines.push({ type, uuid, parentUuid: last, sessionId: `session-${s}`, cwd: '/work/kettle', timestamp, message, ...more })
      last = uuid
    }
    add('user', `please look after kettle number ${s}`)
    for (let c = 0; c < CALLS; c++) {
      const id = `toolu_${s}_${c}`
      add('assistant', [{ type: 'tool_use', id, name: 'Read', input: { file_path: `/work/kettle/${word(s, c, 0)}.ts` } }])
      add('user', [{ type: 'tool_result', tool_use_id: id, content: `line 1: ${quote(s, c)} and so on` }])
    }
    add('assistant', [{ type: 'text', text: `kettle ${s} is looked after` }])
    writeFileSync(join(home.logs, `session-${s}.jsonl`), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  }
}

async function foundIn(path: string): Promise<string[]> {
  const store = await openSqlite({ path, clock: () => MARCH })
  try {
    const found: string[] = []
    for (let s = 0; s < SESSIONS; s++) {
      for (let c = 0; c < CALLS; c++) {
        const { total } = await store.work.search({ all: [{ words: quote(s, c).split(' ') }], any: [] }, { branches: true }, 50)
        if (total > 0) found.push(`${s}/${c}`)
      }
    }
    return found
  } finally {
    await store.close()
  }
}

const all = Array.from({ length: SESSIONS * CALLS }, (_, n) => `${Math.floor(n / CALLS)}/${n % CALLS}`)
const wordsOf = (names: readonly string[]) => names.flatMap((name) => [0, 1, 2].map((n) => word(Number(name[0]), Number(name[2]), n)))

function left(path: string, words: readonly string[]): string[] {
  const bytes = readFileSync(path, 'latin1')
  const db = new Database(path, { readonly: true })
  try {
    const terms = new Set(db.prepare('select term from work_vocab').pluck().all() as string[])
    return words.filter((one) => bytes.includes(one) || terms.has(one))
  } finally {
    db.close()
  }
}

it.each([
  ['--match', { match: quote(1, 2) }, ['1/2']],
  ['--session', { session: 'session-2' }, all.filter((name) => name.startsWith('2/'))],
  ['--before', { before: '2026-03-02T00:00:00Z' }, all.filter((name) => name.startsWith('0/'))],
] as const)('each quote of a tool result is found before, and none after %s', async (_, selector, gone) => {
  const home = testHome()
  writeLogs(home)
  const mnemonic = await home.open()
  await mnemonic.sync({ path: home.logs, embed: false })
  await mnemonic.close()
  expect(await foundIn(home.database)).toEqual(all)

  const again = await home.open()
  const report = (await again.forget(selector)) as ForgetReport
  expect(report.status).toBe('gone')
  await again.close()
  const kept = all.filter((name) => !(gone as readonly string[]).includes(name))
  expect(await foundIn(home.database)).toEqual(kept)
  // A path that the call names elsewhere stays.
  const words = wordsOf(gone).filter((one) => 'session' in selector || 'before' in selector || !one.endsWith('f'))
  expect(left(home.database, words)).toEqual([])

  const after = await home.open()
  await after.sync({ path: home.logs, embed: false, reread: true })
  await after.close()
  expect(await foundIn(home.database)).toEqual(kept)
  expect(left(home.database, words)).toEqual([])
})

it('a path that is forgotten leaves the list of files and its call', async () => {
  const home = testHome()
  writeLogs(home)
  const mnemonic = await home.open()
  await mnemonic.sync({ path: home.logs, embed: false })
  const report = (await mnemonic.forget({ match: `${word(3, 1, 0)}.ts` })) as ForgetReport
  expect(report.status).toBe('gone')
  await mnemonic.close()
  const store = await openSqlite({ path: home.database, clock: () => MARCH })
  expect((await store.work.files({ file: `${word(3, 1, 0)}.ts` }, 10)).total).toBe(0)
  expect((await store.work.files({ file: `${word(3, 2, 0)}.ts` }, 10)).total).toBe(1)
  expect(await store.work.coverage()).toMatchObject({ waiting_sessions: 0 })
  await store.close()
})
