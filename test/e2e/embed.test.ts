/** Vectors through the commands: a provider on loopback that is well, dead, dear or misconfigured, and a process killed at work. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EmbedReport, EmbedStatus, HealthReport, SearchAnswer, SyncReport } from '../../src/library/index.ts'
import { type Behaviour, type EmbeddingServer, embeddingServer } from '../helpers/embedding-server.ts'
import { type BinaryHome, binaryHome, type Ended, ended, SAMPLES } from '../helpers/run-binary.ts'

vi.setConfig({ testTimeout: 90_000 })

let home: BinaryHome
beforeEach(() => {
  home = binaryHome()
})
afterEach(() => home.remove())

function configure(lines: readonly string[]): void {
  const folder = join(home.root, 'home')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'config.yaml')
  writeFileSync(file, `embedding:\n${lines.map((line) => `  ${line}\n`).join('')}`)
  chmodSync(file, 0o600)
}

const compatible = (server: EmbeddingServer, ...more: string[]) =>
  configure(['provider: openai-compatible', 'model: test-model', `base_url: ${server.url}`, 'dimensions: 8', ...more])

async function serve(behave?: Behaviour, ...more: string[]): Promise<EmbeddingServer> {
  const server = await embeddingServer(behave)
  compatible(server, ...more)
  return server
}

async function json<T>(...argv: string[]): Promise<T & { code: number | null }> {
  const { code, stdout, stderr } = await home.runHere(...argv, '--json')
  if (stdout === '') throw new Error(stderr)
  return { code, ...(JSON.parse(stdout) as T) }
}

const sync = (...more: string[]) => json<SyncReport>('sync', '--path', join(SAMPLES, 'claude-code'), ...more)
const embed = (...more: string[]) => json<EmbedReport>('embed', ...more)
const status = () => json<EmbedStatus>('embed', '--status')

async function notWell(): Promise<string[]> {
  const health = await json<HealthReport>('health')
  return health.checks.filter((check) => check.status !== 'OK').map((check) => `${check.name}: ${check.message}`)
}

describe('a provider in the configuration', () => {
  it('sync embeds what is new, once; a second sync sends nothing', async () => {
    const server = await serve()
    expect((await sync()).totals.warnings).toEqual([])
    const { chunks, embedded, waiting, failed, configs, engine } = await status()
    expect(chunks).toBeGreaterThan(10)
    expect([embedded, waiting, failed]).toEqual([chunks, 0, 0])
    expect(configs).toMatchObject([{ model: 'test-model', dimensions: 8, state: 'answers' }])
    expect(engine).toBe(server.url)
    const calls = server.calls.length
    expect(server.calls.flatMap((call) => call.texts).join('\n')).toMatch(/^\[Session from \w+ \d+, 2026 at /)
    await sync()
    expect(server.calls).toHaveLength(calls)
    expect(await notWell()).toEqual([])
  })

  it('--no-embed leaves it for mnemonic embed, newest first', async () => {
    const server = await serve(undefined, 'batch_size: 4')
    await sync('--no-embed')
    expect(server.calls).toEqual([])
    expect((await status()).embedded).toBe(0)
    expect(await notWell()).toEqual([])
    const report = await embed()
    expect(report).toMatchObject({ code: 0, failed: 0, waiting: 0, stopped: null, provider: 'openai-compatible', model: 'test-model' })
    expect(report.embedded).toBe((await status()).chunks)
    const days = server.calls.map((call) => Date.parse(/Session from (\w+ \d+, \d+)/.exec(call.texts[0] ?? '')?.[1] ?? ''))
    expect(days).toEqual(days.toSorted((a, b) => b - a))
    expect(new Set(days).size).toBeGreaterThan(1)
  })

  it('--session embeds one session', async () => {
    await serve()
    await sync('--no-embed')
    const { embedded, waiting } = await embed('--session', 'c462ede4')
    expect(embedded).toBeGreaterThan(0)
    expect(waiting).toBeGreaterThan(0)
  })

  it('sync_seconds: 0 embeds nothing and says what waits', async () => {
    const server = await serve(undefined, 'sync_seconds: 0')
    expect((await sync()).totals.warnings.join()).toMatch(/^\d+ chunks wait for their vectors: run mnemonic embed$/)
    expect(server.calls).toEqual([])
  })

  it('dead: sync imports all the same and says so by exit 3, once; health is DEGRADED, the next sync leaves it alone, and mnemonic embed makes it good', async () => {
    let dead = true
    const server = await serve(() => (dead ? { status: 503 } : undefined), 'batch_size: 2')
    const first = await sync()
    expect(first.code).toBe(3)
    expect(first.newly_failed_chunks).toBeGreaterThan(0)
    expect(first.totals).toMatchObject({ quarantined: 0 })
    expect(first.totals.warnings.join('\n')).toMatch(/could not be embedded: .*503/)
    expect(server.calls).toHaveLength(4)
    expect((await notWell()).map((line) => line.split(':')[0])).toEqual(['failed_chunks', 'waiting_chunks'])
    const second = await sync()
    expect(second).toMatchObject({ code: 0, newly_failed_chunks: 0 })
    expect(second.totals.warnings.join('\n')).toMatch(/tried again after 20/)
    expect(server.calls).toHaveLength(4)
    dead = false
    expect(await embed()).toMatchObject({ code: 0, failed: 0, waiting: 0, stopped: null })
    expect(await notWell()).toEqual([])
  })

  it('answering garbage: nothing is stored, and embed exits 3', async () => {
    const server = await serve(() => ({ text: '<html>' }))
    await sync('--no-embed')
    expect(await embed()).toMatchObject({ code: 3, embedded: 0, stopped: 'provider' })
    expect((await status()).embedded).toBe(0)
    expect(server.calls.length).toBeLessThan(25)
  })

  it('a text that it refuses: sync exits 3 when that is new, and not when it fails again', async () => {
    await serve(({ texts }) => (texts.some((text) => /sqlite/i.test(text)) ? { status: 400, text: '{}' } : undefined))
    const { code, newly_failed_chunks } = await sync()
    expect(code).toBe(3)
    expect(newly_failed_chunks).toBe((await status()).failed)
    const again = await embed('--all')
    expect([again.failed, again.newly_failed]).toEqual([newly_failed_chunks, 0])
    expect(await sync()).toMatchObject({ code: 0, newly_failed_chunks: 0 })
  })

  it('at its limit: stops politely, and health says which limit', async () => {
    const server = await serve((call) => ({ usage: call.texts.length * 200 }), 'batch_size: 4', 'daily_tokens: 2500')
    const { code, totals } = await sync()
    expect(code).toBe(0)
    expect(totals.warnings.join('\n')).toMatch(/embedding\.daily_tokens is 2,500/)
    expect(server.calls.length).toBeGreaterThan(0)
    const { spent_today, waiting, failed } = await status()
    expect(spent_today.tokens).toBeLessThanOrEqual(2500)
    expect(waiting).toBeGreaterThan(0)
    expect(failed).toBe(0)
    expect((await notWell()).join()).toMatch(/waiting_chunks: .*daily_tokens/)
    const calls = server.calls.length
    expect(await embed()).toMatchObject({ code: 3, stopped: 'cap' })
    expect(server.calls).toHaveLength(calls)
  })

  it('without its variable: embed refuses by name, sync goes on', async () => {
    configure(['provider: openai', 'api_key_env: MY_OPENAI_KEY'])
    const { code, totals } = await sync()
    expect(code).toBe(0)
    expect(totals.warnings.join()).toContain('MY_OPENAI_KEY')
    const refused = await home.run('embed', '--json')
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'CONFIG_INVALID', details: { value: 'MY_OPENAI_KEY' } } })
  })

  it('of another model: the old vectors answer until the new ones are complete', async () => {
    await serve()
    await sync()
    const other = await embeddingServer(undefined, 16)
    configure(['provider: openai-compatible', 'model: other-model', `base_url: ${other.url}`, 'dimensions: 16', 'sync_seconds: 60'])
    await sync()
    const { chunks, embedded, model, configs } = await status()
    expect([model, embedded]).toEqual(['other-model', chunks])
    expect(configs.map((config) => [config.model, config.state]).sort()).toEqual([
      ['other-model', 'answers'],
      ['test-model', 'unused'],
    ])
  })
})

describe('the JSON', () => {
  const REPORT = 'dimensions duration_ms embedded entities failed model newly_failed provider reused stopped token_bits waiting warnings'
  const STATUS =
    'chunks configs dimensions embedded engine failed model provider retry_at spent_today token_bits token_bits_waiting waiting warnings'
  const INNER = { 'configs[]': 'created_at dimensions model state vectors', spent_today: 'daily_tokens daily_usd tokens usd' }

  it('has exactly the pinned keys, and docs/json-output.md names each', async () => {
    await serve()
    await sync('--no-embed')
    const { code: _, ...report } = await embed()
    const { code: __, ...found } = await status()
    expect(Object.keys(report).sort().join(' ')).toBe(REPORT)
    expect(Object.keys(found).sort().join(' ')).toBe(STATUS)
    expect(
      Object.keys(found.configs[0] ?? {})
        .sort()
        .join(' '),
    ).toBe(INNER['configs[]'])
    expect(Object.keys(found.spent_today).sort().join(' ')).toBe(INNER.spent_today)
    const page = readFileSync(new URL('../../docs/json-output.md', import.meta.url), 'utf8')
    const section = page.slice(page.indexOf('\n## embed\n'), page.indexOf('\n## status\n'))
    for (const key of [REPORT, STATUS, ...Object.values(INNER)].join(' ').split(' ')) expect(section).toContain(`\`${key}\``)
  })
})

it('the embedded model loads no SDK: it is imported only where a call is made', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  )
  const importers = files.filter((path) => /^import (?!type ).*from '(ai|@ai-sdk\/[a-z-]+)'/m.test(readFileSync(join('src', path), 'utf8')))
  expect(importers).toEqual([])
  expect(readFileSync('src/embed/remote/call-model.ts', 'utf8')).toContain("await import('ai')")
})

describe('kill -9 during embedding', () => {
  const SCRIPT = fileURLToPath(new URL('../helpers/embed-process.mjs', import.meta.url))
  const BATCH = 3

  const start = (delay: number, ...more: 'tokens'[]) =>
    spawn(process.execPath, [SCRIPT, join(home.root, 'home'), join(home.root, 'workspace'), String(delay), ...more], { env: home.env })

  function vectors(): Map<string, string> {
    const db = new Database(join(home.root, 'home', 'mnemonic.db'), { readonly: true })
    const rows = db
      .prepare(
        "select c.content_hash as key, hex(e.vector) as vector from chunks c join embeddings e on e.number = c.vector_number where c.embed_status = 'done'",
      )
      .all() as { key: string; vector: string }[]
    db.close()
    return new Map(rows.map(({ key, vector }) => [key, vector]))
  }

  it('loses one batch at most, and the next run completes with the vectors of an undisturbed one', async () => {
    await home.runHere('sync', '--no-embed', '--path', SAMPLES)
    const child = start(40)
    let computed = 0
    child.stdout.on('data', (text: Buffer) => {
      computed += String(text).trim().split('\n').length
      if (computed >= 3) child.kill('SIGKILL')
    })
    const killed: Ended = await ended(child)
    expect(killed.signal, killed.stderr).toBe('SIGKILL')
    const kept = vectors()
    expect(kept.size).toBeGreaterThanOrEqual((computed - 1) * BATCH)
    expect(kept.size % BATCH).toBe(0)

    const rest = await ended(start(0))
    expect(rest.code, rest.stderr).toBe(0)
    const report = JSON.parse(rest.stdout.split('\n').at(-1) ?? '') as EmbedReport
    expect(report).toMatchObject({ waiting: 0, failed: 0, stopped: null })
    const whole = vectors()
    expect(report.embedded + report.reused + kept.size).toBe(whole.size)

    home.remove()
    home = binaryHome()
    await home.runHere('sync', '--no-embed', '--path', SAMPLES)
    await ended(start(0))
    expect(vectors()).toEqual(whole)
  })

  function bits(): { number: number; size: number | null; hex: string }[] {
    const db = new Database(join(home.root, 'home', 'mnemonic.db'), { readonly: true })
    const rows = db.prepare('select number, size, hex(bits) as hex from token_bits order by number').all()
    db.close()
    return rows as { number: number; size: number | null; hex: string }[]
  }

  it('while bits of tokens are filled in: never a part of a row, the vectors stay, and two processes complete it between them', async () => {
    await home.runHere('sync', '--no-embed', '--path', SAMPLES)
    await ended(start(0))
    const before = vectors()
    const child = start(40, 'tokens')
    let computed = 0
    child.stdout.on('data', (text: Buffer) => {
      computed += String(text).trim().split('\n').length
      if (computed >= 3) child.kill('SIGKILL')
    })
    expect((await ended(child)).signal).toBe('SIGKILL')
    const done = bits().filter(({ size }) => size !== null)
    expect(done.length).toBeGreaterThanOrEqual((computed - 1) * BATCH)
    expect(done.length % BATCH).toBe(0)
    expect(done.length).toBeLessThan(bits().length)
    expect(await notWell()).toEqual([])

    const rest = await Promise.all([ended(start(5, 'tokens')), ended(start(5, 'tokens'))])
    expect(rest.map(({ code }) => code)).toEqual([0, 0])
    const made = rest.map(({ stdout }) => (JSON.parse(stdout.split('\n').at(-1) ?? '') as EmbedReport).token_bits)
    expect(done.length + (made[0] ?? 0) + (made[1] ?? 0)).toBe(bits().length)
    expect(bits().every(({ size, hex }) => size !== null && size % 4 === 0 && hex.length === 2 * size)).toBe(true)
    expect(vectors()).toEqual(before)
  })
})

describe('another model that refuses one text', () => {
  const refused = { status: 500, text: 'internal error' }
  const MODEL_B = (server: EmbeddingServer) => [
    'provider: openai-compatible',
    'model: other-model',
    `base_url: ${server.url}`,
    'dimensions: 16',
  ]
  const mode = async () => (await json<SearchAnswer>('search', 'webhook')).mode.realized
  const failed = async () => (await json<{ metrics: { failed_chunks: number } }>('status')).metrics.failed_chunks

  it('is said by embed, health, metrics and search; tried again, it answers without that text', async () => {
    await serve()
    await sync()
    const { chunks } = await status()
    let bad: string | undefined
    const other = await embeddingServer(({ texts }) => {
      bad ??= texts[1]
      return bad !== undefined && texts.includes(bad) ? refused : undefined
    }, 16)
    configure(MODEL_B(other))
    const first = await embed()
    expect(first).toMatchObject({ code: 3, failed: 1, stopped: null })
    const held = `search goes by words until other-model is tried again: it could not embed 1 of ${chunks} chunks`
    expect(first.warnings).toContain(`${held}. To try now: mnemonic embed --all`)
    expect((await status()).warnings).toContain(`${held}. To try now: mnemonic embed --all`)
    expect((await status()).failed).toBe(1)
    expect(await notWell()).toContain(`failed_chunks: ${held}`)
    expect(await failed()).toBe(1)
    expect(await mode()).toBe(`lexical: other-model could not embed 1 of ${chunks} chunks; mnemonic embed --all tries again`)
    expect((await sync()).totals.warnings).toContain(`${held}. To try now: mnemonic embed --all`)

    expect(await embed('--all')).toMatchObject({ code: 3, failed: 1, newly_failed: 0 })
    expect(await mode()).toBe(`hybrid: ${chunks - 1} of ${chunks} chunks embedded`)
    expect(await failed()).toBe(1)
    expect(await notWell()).toContain('failed_chunks: 1 chunk could not be embedded')
    bad = 'nothing is refused any more'
    expect(await embed('--all')).toMatchObject({ code: 0, embedded: 1 })
    expect(await mode()).toBe('hybrid')
    expect(await notWell()).toEqual([])
  })

  it('does not answer while it refuses most of them', async () => {
    await serve()
    await sync()
    const good = new Set<string>()
    const other = await embeddingServer(({ texts }) => {
      if (good.size < 2 && texts.length === 1) good.add(texts[0] as string)
      return texts.every((text) => good.has(text)) ? undefined : refused
    }, 16)
    configure([...MODEL_B(other), 'batch_size: 2'])
    await embed()
    for (let run = 0; run < 3; run++) await embed('--all')
    expect((await status()).configs.find(({ state }) => state === 'answers')?.model).toBe('test-model')
    expect(await mode()).toMatch(/^lexical: /)
  })
})

it('a turn without a vector yet that holds all words of a question comes before turns with vectors that hold some', async () => {
  const said: Readonly<Record<string, readonly [string, string]>> = {
    a: ['How do we store the session token?', 'In a cookie that expires after an hour; nobody can refresh an old one.'],
    b: ['Which cookies does the login set?', 'A cookie with the login of the user, and one with the language.'],
    c: ['Do logins expire?', 'After an hour the login expires and the user signs in again, with a new cookie.'],
    d: ['How is the sign-in renewed?', 'The browser asks for another login token in the background, before the old one ends.'],
    e: ['What did Ruth plant?', 'Tulips and rhubarb.'],
  }
  const logs = join(home.root, 'logs')
  mkdirSync(logs)
  const write = (name: string, texts: readonly string[]) => {
    const line = (content: string, i: number) => ({
      role: i === 0 ? 'user' : 'assistant',
      content,
      session_id: name,
      message_id: `${name}${i}`,
    })
    const lines = texts.map((text, i) => JSON.stringify({ ...line(text, i), timestamp: `2026-02-0${1 + i}T10:00:00Z` }))
    writeFileSync(join(logs, `${name}.jsonl`), `${lines.join('\n')}\n`)
  }
  for (const [name, texts] of Object.entries(said)) write(name, texts)
  await home.runHere('sync', '--path', logs)
  write('new', [
    'The build takes nine minutes. Somebody changed the login cookie refresh, and then the linter and the formatter.',
    'I look at the build first: the cache of the package manager is cold, so everything is compiled anew on each run.',
  ])
  await home.runHere('sync', '--path', logs, '--no-embed')
  for (const question of ['login cookie refresh', 'refresh of the login cookie', 'how is the login cookie refreshed?']) {
    const { results, mode } = await json<SearchAnswer>('search', question)
    expect(mode.realized).toBe('hybrid: 5 of 6 chunks embedded')
    expect(results[0]?.session_id, question).toBe('jsonl:new')
  }
})

it('words that stand nowhere list few of the nearest, and say so', async () => {
  await serve()
  await home.runHere('sync', '--path', SAMPLES)
  const blocks = async (...query: string[]) => {
    const { stdout } = await home.runHere('search', ...query)
    return { stdout, count: stdout.split('\n').filter((line) => /^\d+ /.test(line)).length }
  }
  expect((await blocks('webhook', 'retries')).count).toBeGreaterThan(3)
  const words = ['blorptastic', 'quuxfizzle', 'znorf']
  const nothing = await home.runHere('search', ...words)
  expect(nothing.stdout.trim().split('\n')).toHaveLength(1)
  expect(nothing.stderr).toContain('no word of it occurs; what is nearest in meaning: --nearest')
  const nonsense = await blocks(...words, '--nearest')
  expect(nonsense.stdout).toContain('nothing matched; nearest by meaning:')
  expect(nonsense.count).toBe(3)
})
