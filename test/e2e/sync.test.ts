/** What a sync promises about reading: once, only what is new, and nothing lost when a source changes under it. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canonicalDump } from '../helpers/canonical-dump.ts'
import { generateClaude, random, sessionWriter, uuid } from '../helpers/generate-claude.ts'
import { testHome } from '../helpers/home.ts'

const SHARED = new URL('../../../shared/fixtures/', import.meta.url)

const speak = (role: string, content: string, more: object = {}) =>
  `${JSON.stringify({ role, content, timestamp: '2026-02-05T10:30:00Z', ...more })}\n`

describe('reading once', () => {
  it('a second sync imports nothing and opens nothing: even garbage of the same size and time goes unnoticed', async () => {
    const home = testHome()
    const { files } = await generateClaude({ folder: home.logs, bytes: 400_000, sessionBytes: 100_000 })
    const mnemonic = await home.open()
    const first = await mnemonic.sync({ embed: false, path: home.logs })
    expect(first.totals).toMatchObject({ found: files.length, imported: files.length, unchanged: 0, quarantined: 0 })
    expect(first.totals.records).toBeGreaterThan(50)
    for (const file of files) {
      const { size, atimeMs, mtimeMs } = statSync(file)
      writeFileSync(file, 'x'.repeat(size))
      utimesSync(file, atimeMs / 1000, mtimeMs / 1000)
    }
    const before = canonicalDump(home.database)
    const second = await mnemonic.sync({ embed: false, path: home.logs })
    expect(second.totals).toMatchObject({ found: files.length, imported: 0, unchanged: files.length, records: 0, bytes_read: 0 })
    expect(canonicalDump(home.database)).toEqual(before)
  })

  it('a turn appended to a 5 MB file costs at most 64 KB of reading', async () => {
    const home = testHome()
    const path = join(home.logs, `${uuid('long')}.jsonl`)
    const rand = random(5)
    const words = ['alpha', 'beta', 'gamma', 'delta']
    const session = sessionWriter({
      id: uuid('long'),
      cwd: '/home/dev/long',
      start: Date.UTC(2026, 0, 1),
      rand,
      word: () => words[Math.floor(rand() * 4)] as string,
    })
    for (let size = 0; size < 5e6; ) {
      const lines = session.turn()
      size += lines.length
      appendFileSync(path, lines)
    }
    const mnemonic = await home.open()
    await mnemonic.sync({ embed: false, path: home.logs })
    appendFileSync(path, session.turn())
    const { totals } = await mnemonic.sync({ embed: false, path: home.logs })
    expect(totals.imported).toBe(1)
    expect(totals.records).toBeGreaterThan(1)
    expect(totals.bytes_read).toBeGreaterThan(0)
    expect(totals.bytes_read).toBeLessThanOrEqual(65536)
  })

  it('a file that grew in many steps gives the memory of one that was read at once', async () => {
    const home = testHome()
    const { files } = await generateClaude({ folder: join(home.root, 'whole'), bytes: 150_000, sessionBytes: 150_000 })
    const whole = readFileSync(files[0] as string)
    const name = (files[0] as string).split('/').at(-1) as string
    const grown = await home.open({ home: join(home.root, 'grown') })
    const path = join(home.logs, name)
    const rand = random(11)
    for (let end = 0; end < whole.length; ) {
      end = Math.min(whole.length, end + Math.ceil(rand() * 30_000)) // cuts lines anywhere, also inside a character
      writeFileSync(path, whole.subarray(0, end))
      await grown.sync({ embed: false, path: home.logs })
    }
    const atOnce = await home.open({ home: join(home.root, 'at-once') })
    await atOnce.sync({ embed: false, path: home.logs })
    const pick = (folder: string) => {
      // The feed has a row for each step, and the cache remembers what the last turn was in between.
      const {
        agent_session_history: _history,
        sync_state: _state,
        extraction_cache: _cache,
        ...rest
      } = canonicalDump(join(home.root, folder, 'mnemonic.db'))
      return rest
    }
    expect(pick('grown')).toEqual(pick('at-once'))
  })
})

describe('sources that change', () => {
  it('with the sources gone, index --all gives an equal index and every search answers as before', async () => {
    const home = testHome()
    await generateClaude({ folder: home.logs, bytes: 300_000, sessionBytes: 100_000 })
    const mnemonic = await home.open()
    await mnemonic.sync({ path: home.logs })
    const queries = ['parser cache', 'src migration', 'what did we do about the ledger queue?']
    const ask = async () => {
      const answers = []
      for (const query of queries) answers.push({ ...(await mnemonic.search({ query })), last_sync: null })
      return answers
    }
    const before = { dump: canonicalDump(home.database), answers: await ask() }
    expect(before.answers.every((answer) => answer.results.length > 0)).toBe(true)
    rmSync(home.logs, { recursive: true })
    const report = await mnemonic.index.run({ scope: 'all' })
    expect(report.chunks).toBeGreaterThan(10)
    expect(canonicalDump(home.database)).toEqual(before.dump)
    expect(await ask()).toEqual(before.answers)
  })

  it('nothing is lost when a source shrinks, is rewritten or vanishes', async () => {
    const home = testHome()
    const path = join(home.logs, 'chat.jsonl')
    const mnemonic = await home.open()
    const count = async () => Number((await mnemonic.sql('select count(*) from agent_messages')).rows[0]?.[0])
    writeFileSync(path, speak('user', 'first question') + speak('assistant', 'first answer') + speak('user', 'second question'))
    await mnemonic.sync({ embed: false, path: home.logs })
    expect(await count()).toBe(3)
    truncateSync(path, speak('user', 'first question').length)
    await mnemonic.sync({ embed: false, path: home.logs })
    expect(await count()).toBe(3)
    writeFileSync(path, speak('user', 'first question') + speak('assistant', 'another answer entirely'))
    await mnemonic.sync({ embed: false, path: home.logs })
    expect(await count()).toBe(4)
    expect((await mnemonic.sql('select count(*) from agent_sessions')).rows).toEqual([[1]])
    rmSync(path)
    const gone = await mnemonic.sync({ embed: false, path: home.logs })
    expect(gone.totals.found).toBe(0)
    expect(await count()).toBe(4)
  })

  it('a bad file is set aside with its reasons, the rest goes on, and it is read again once it changes', async () => {
    const home = testHome()
    writeFileSync(join(home.logs, 'good.jsonl'), speak('user', 'hello there') + speak('assistant', 'general'))
    writeFileSync(join(home.logs, 'bad.jsonl'), 'not json\nnot json either\n')
    writeFileSync(join(home.logs, 'latin.jsonl'), Buffer.from([0x7b, 0xff, 0xfe, 0x0a, 0xe9, 0x0a]))
    writeFileSync(join(home.logs, 'empty.jsonl'), '')
    writeFileSync(join(home.logs, 'half.jsonl'), speak('user', 'whole line') + speak('assistant', 'and half').slice(0, 20))
    const mnemonic = await home.open()
    const first = await mnemonic.sync({ embed: false, path: home.logs, adapters: ['jsonl'] })
    expect(first.totals).toMatchObject({ found: 5, imported: 3, unchanged: 0, quarantined: 2 })
    expect(first.totals.warnings.join('\n')).toMatch(/empty\.jsonl/)
    const reasons = await mnemonic.sql('select path, code from quarantine order by path')
    expect(reasons.rows.map(([path]) => String(path).split('/').at(-1))).toEqual(['bad.jsonl', 'latin.jsonl'])
    expect((await mnemonic.health()).status).toBe('DEGRADED')
    const second = await mnemonic.sync({ embed: false, path: home.logs, adapters: ['jsonl'] })
    expect(second.totals).toMatchObject({ found: 5, imported: 0, unchanged: 5, quarantined: 0, bytes_read: 0 })
    writeFileSync(join(home.logs, 'bad.jsonl'), speak('user', 'mended'))
    writeFileSync(join(home.logs, 'latin.jsonl'), speak('user', 'mended as well'))
    appendFileSync(join(home.logs, 'half.jsonl'), speak('assistant', 'and half').slice(20))
    const third = await mnemonic.sync({ embed: false, path: home.logs, adapters: ['jsonl'] })
    expect(third.totals).toMatchObject({ found: 5, imported: 3, unchanged: 2, quarantined: 0, skipped_lines: 0 })
    expect((await mnemonic.sql('select count(*) from quarantine')).rows).toEqual([[0]])
    expect((await mnemonic.search({ query: 'half' })).results[0]?.content).toContain('and half')
  })

  it('links in a circle end, and a link to a file outside is not followed', async () => {
    const home = testHome()
    mkdirSync(join(home.logs, 'a'))
    symlinkSync(home.logs, join(home.logs, 'a', 'loop'))
    writeFileSync(join(home.logs, 'a', 'chat.jsonl'), speak('user', 'only once'))
    writeFileSync(join(home.root, 'outside.jsonl'), speak('user', 'not asked for'))
    symlinkSync(join(home.root, 'outside.jsonl'), join(home.logs, 'a', 'link.jsonl'))
    const mnemonic = await home.open()
    expect((await mnemonic.sync({ embed: false, path: home.logs })).totals.found).toBe(1)
  })

  it('a project that the owner ignores never enters the ledger, nor do private or injected texts', async () => {
    const home = testHome()
    const claude = (id: string, cwd: string, content: string) =>
      `${JSON.stringify({ type: 'user', uuid: `${id}-1`, parentUuid: null, sessionId: id, cwd, timestamp: '2026-02-05T10:00:00Z', message: { role: 'user', content } })}\n`
    writeFileSync(join(home.logs, 's-open.jsonl'), claude('s-open', '/home/dev/open', 'an open question'))
    writeFileSync(
      join(home.logs, 's-hidden.jsonl'),
      `${claude('s-hidden', '/home/dev/hidden', 'a numbat question')}{"type":"summary","summary":"numbat title","leafUuid":"s-hidden-1"}\n`,
    )
    writeFileSync(
      join(home.logs, 'chat.jsonl'),
      speak('user', 'keep this <private>quokka secret</private> and this') +
        speak('assistant', 'fine <mnemonic-memory v="1">wombat recall</mnemonic-memory> done'),
    )
    const mnemonic = await home.open({ config: { ignore: { projects: ['hidden'] } } })
    await mnemonic.sync({ embed: false, path: home.logs })
    appendFileSync(
      join(home.logs, 's-hidden.jsonl'),
      claude('s-hidden', '/home/dev/hidden', 'another numbat').replace('s-hidden-1', 's-hidden-2'),
    )
    await mnemonic.sync({ embed: false, path: home.logs })
    expect((await mnemonic.sql('select id from agent_sessions order by id')).rows).toEqual([['claude-code:s-open'], ['jsonl:chat']])
    const bytes = readFileSync(home.database).toString('latin1')
    const wal = existsSync(`${home.database}-wal`) ? readFileSync(`${home.database}-wal`).toString('latin1') : ''
    expect(bytes + wal).toContain('keep this')
    expect(bytes + wal).not.toMatch(/quokka|wombat|numbat/)
  })
})

describe('real files of real tools', () => {
  const folder = new URL('claude-code/', SHARED)
  const present = existsSync(folder)
  if (!present) console.log('left out: ../shared/fixtures is not here, so no real session logs were read')

  it.runIf(present)('in every folder the counts add up, and a second sync reads nothing', { timeout: 120_000 }, async () => {
    for (const name of readdirSync(folder)) {
      const home = testHome()
      const mnemonic = await home.open()
      const path = new URL(`${name}/`, folder).pathname
      const first = await mnemonic.sync({ embed: false, path, adapters: ['claude-code'] })
      const { found, imported, unchanged, quarantined } = first.totals
      expect(found, name).toBeGreaterThan(0)
      expect(imported + unchanged + quarantined, name).toBe(found)
      const second = await mnemonic.sync({ embed: false, path, adapters: ['claude-code'] })
      expect(second.totals, name).toMatchObject({ found, imported: 0, unchanged: found, quarantined: 0, records: 0, bytes_read: 0 })
      const dangling = await mnemonic.sql(
        `select count(*) from agent_messages m where turn_id is null or not exists (select 1 from agent_turns t where t.id = m.turn_id)`,
      )
      expect(dangling.rows, name).toEqual([[0]])
    }
  })

  it.runIf(present)('a log seen at four moments is one session that grew', async () => {
    const growth = new URL('entire/growth/', folder)
    const home = testHome()
    const mnemonic = await home.open()
    const path = join(home.logs, 'session.jsonl')
    for (const moment of readdirSync(growth).sort()) {
      copyFileSync(new URL(moment, growth), path)
      await mnemonic.sync({ embed: false, path: home.logs })
    }
    const stepwise = (await mnemonic.sql('select id, turn_id, content from agent_messages order by sequence', { limit: 10000 })).rows
    const fresh = await home.open({ home: join(home.root, 'fresh') })
    await fresh.sync({ embed: false, path: home.logs })
    expect((await fresh.sql('select id, turn_id, content from agent_messages order by sequence', { limit: 10000 })).rows).toEqual(stepwise)
    expect((await fresh.sql('select count(*) from agent_sessions')).rows).toEqual([[1]])
  })
})
