import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { counted, EXCHANGES, forkHome, SECRET } from '../../../test/helpers/fork-home.ts'
import { testHome } from '../../../test/helpers/home.ts'
import { claudeCodeRecord, codexRecord, piRecord } from '../../../test/helpers/native-schemas.ts'
import { claudeCodeSource } from '../../../test/helpers/sources/claude-code.ts'
import { codexSource } from '../../../test/helpers/sources/codex.ts'
import { piSource } from '../../../test/helpers/sources/pi.ts'
import type { ForkHarness } from '../../library/index.ts'

const SCHEMAS = { 'claude-code': claudeCodeRecord, codex: codexRecord, pi: piRecord } as const
const SOURCES = { 'claude-code': claudeCodeSource, codex: codexSource, pi: piSource } as const
const HARNESSES = ['claude-code', 'codex', 'pi'] as const
const PAIRS = HARNESSES.flatMap((from) => HARNESSES.map((into) => ({ from, into })))
const QUERY = { query: 'lighthouse beacon retry', also: ['quay scheduler waits'] }

type Line = Record<string, unknown>
const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

/** What a harness appends when the session continues. */
function goOn(into: ForkHarness, path: string, session: string): void {
  const last = linesOf(path).at(-1) as Line
  const timestamp = '2026-03-03T10:00:00.000Z'
  const envelope = { isSidechain: false, userType: 'external', cwd: '/x', sessionId: session, version: '2.1.7', timestamp }
  const prompt = 'And what about the foghorn?'
  const answer = 'The foghorn follows the same rule.'
  const lines = {
    'claude-code': [
      {
        ...envelope,
        type: 'user',
        uuid: 'aaaaaaaa-0000-4000-8000-000000000001',
        parentUuid: last.uuid,
        message: { role: 'user', content: prompt },
      },
      {
        ...{
          ...envelope,
          type: 'assistant',
          uuid: 'aaaaaaaa-0000-4000-8000-000000000002',
          parentUuid: 'aaaaaaaa-0000-4000-8000-000000000001',
        },
        message: { id: 'msg_after', type: 'message', role: 'assistant', model: 'claude-x', content: [{ type: 'text', text: answer }] },
      },
    ],
    codex: [
      { timestamp, type: 'response_item', payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] } },
      { timestamp, type: 'event_msg', payload: { type: 'user_message', message: prompt } },
      {
        timestamp,
        type: 'response_item',
        payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] },
      },
    ],
    pi: [
      {
        type: 'message',
        id: 'ffff0001',
        parentId: last.id,
        timestamp,
        message: { role: 'user', content: [{ type: 'text', text: prompt }] },
      },
      {
        ...{ type: 'message', id: 'ffff0002', parentId: 'ffff0001', timestamp },
        message: { role: 'assistant', content: [{ type: 'text', text: answer }], provider: 'anthropic', model: 'claude-x' },
      },
    ],
  }[into]
  appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

async function forked(from: ForkHarness, into: ForkHarness) {
  const home = await forkHome(SOURCES[from])
  mkdirSync(home.folder)
  const out = join(home.folder, `${into}.jsonl`)
  const made = await home.mnemonic.forkSession({ ...QUERY, into, folder: '/home/dev/next', out })
  return { ...home, out, made }
}

describe.each(PAIRS)('a fork of $from into $into', ({ from, into }) => {
  it('is a file of its form, and is stored nowhere twice; what is said after it follows the turn it was forked from', async () => {
    const { mnemonic, out, made, folder } = await forked(from, into)
    const records = linesOf(out)
    for (const record of records) expect(SCHEMAS[into].safeParse(record).error?.issues ?? []).toEqual([])
    expect(readFileSync(out, 'utf8')).not.toContain(SECRET)
    expect(readFileSync(out, 'utf8')).toContain('[REDACTED')

    const before = await counted(mnemonic)
    await mnemonic.sync({ path: folder, adapters: [into], embed: false })
    expect(await counted(mnemonic)).toEqual(before)

    // A later run, with no memory of the first.
    goOn(into, out, made.session ?? '')
    await mnemonic.sync({ path: folder, adapters: [into], embed: false })
    const after = await counted(mnemonic)
    expect(after).toEqual({ messages: before.messages + 2, calls: before.calls, turns: before.turns + 1 })
    const { rows } = await mnemonic.sql(`select parent_turn_id from agent_turns where session_id = '${into}:${made.session}'`)
    expect(rows).toEqual([[made.relevant_turns.at(-1)?.turn.id]])

    // A full reread adds nothing.
    await mnemonic.sync({ path: folder, adapters: [into], embed: false, reread: true })
    expect(await counted(mnemonic)).toEqual(after)
  })

  it('gives an empty home the same messages and links', async () => {
    const { out, made, folder } = await forked(from, into)
    goOn(into, out, made.session ?? '')
    const empty = await testHome().open()
    await empty.sync({ path: folder, adapters: [into], embed: false })
    const { rows } = await empty.sql(
      "select content from agent_messages where role in ('user', 'assistant') and content <> '' order by sequence, id",
    )
    const texts = rows.map(([content]) => String(content))
    const copied = made.relevant_turns.flatMap(({ messages }) => messages.map(({ text }) => text))
    // Another harness's calls are written as text.
    const told = from === into ? 0 : made.relevant_turns.flatMap(({ tool_calls }) => tool_calls).length
    expect(texts).toHaveLength(copied.length + told + 2)
    const places = copied.map((text) => texts.findIndex((stored) => stored.startsWith(text.slice(0, 40))))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    const { rows: roots } = await empty.sql('select count(*) from agent_messages where parent_id is null')
    expect(roots).toEqual([[1]])
    const { rows: turns } = await empty.sql('select count(*), count(parent_turn_id) from agent_turns')
    expect(turns).toEqual([[made.relevant_turns.length + 1, made.relevant_turns.length]])
    const calls = made.relevant_turns.flatMap(({ tool_calls }) => tool_calls)
    const { rows: stored } = await empty.sql('select count(*), count(result_json) from agent_tool_calls')
    expect(stored).toEqual([from === into ? [calls.length, calls.length] : [0, 0]])
  })
})

describe('a forked session', () => {
  it('has as many tokens as it says, by what the model reads of each record', async () => {
    for (const into of HARNESSES) {
      const { made, out } = await forked('claude-code', into)
      const read = linesOf(out).flatMap((record): unknown[] => {
        if (into === 'codex') return record.type === 'response_item' ? [record.payload] : []
        const message = record.message as { content?: unknown } | undefined
        return message !== undefined ? [message.content] : record.type === 'custom_message' ? [record.content] : []
      })
      const text = read.map((value) => JSON.stringify(value)).join('\n')
      expect(countTokens(text, { disallowedSpecial: new Set() })).toBe(made.total_tokens)
    }
  })

  it('is named by what it says: twice the same, and a file that is there is left as it is', async () => {
    const { mnemonic, made, root } = await forked('claude-code', 'claude-code')
    const again = await mnemonic.forkSession({ ...QUERY, into: 'claude-code', folder: '/home/dev/next', out: join(root, 'again.jsonl') })
    expect(again.session).toBe(made.session)
    expect(readFileSync(again.path ?? '', 'utf8')).toBe(readFileSync(made.path ?? '', 'utf8'))
    await expect(mnemonic.forkSession({ ...QUERY, into: 'pi', out: again.path ?? '' })).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('goes into the harness’s own folder, and is not written over', async () => {
    const { mnemonic, root, logs } = await forkHome()
    const [file] = readdirSync(join(logs, '-home-dev-atlas'))
    const original = readFileSync(join(logs, '-home-dev-atlas', file ?? ''), 'utf8')
    const known = process.env.CLAUDE_CONFIG_DIR
    process.env.CLAUDE_CONFIG_DIR = join(root, 'claude')
    try {
      const made = await mnemonic.forkSession({ ...QUERY, into: 'claude-code', folder: '/home/dev/next.js' })
      expect(made.path).toBe(join(root, 'claude', 'projects', '-home-dev-next-js', `${made.session}.jsonl`))
      expect(made.command).toBe(`cd /home/dev/next.js && claude --resume ${made.session}`)
      appendFileSync(made.path ?? '', '{"type":"mode","mode":"normal","sessionId":"x"}\n')
      const again = await mnemonic.forkSession({ ...QUERY, into: 'claude-code', folder: '/home/dev/next.js' })
      expect(again).toMatchObject({ path: made.path, existed: true })
      expect(readFileSync(made.path ?? '', 'utf8')).toContain('"mode":"normal"')
      expect(readdirSync(join(root, 'claude', 'projects', '-home-dev-next-js'))).toEqual([`${made.session}.jsonl`])
    } finally {
      if (known === undefined) delete process.env.CLAUDE_CONFIG_DIR
      else process.env.CLAUDE_CONFIG_DIR = known
    }
    expect(readFileSync(join(logs, '-home-dev-atlas', file ?? ''), 'utf8')).toBe(original)
  })

  it('brings nothing back that was forgotten, though redaction has changed its text', async () => {
    const { mnemonic, folder } = await forked('claude-code', 'claude-code')
    await mnemonic.forget({ match: 'I propose exponential backoff' })
    await mnemonic.sync({ path: folder, adapters: ['claude-code'], embed: false })
    const { rows } = await mnemonic.sql("select count(*) from agent_messages where content like '%exponential backoff%'")
    expect(rows).toEqual([[0]])
  })

  it('is read after what it copies from, in whatever order the files are found', async () => {
    const { out, logs } = await forked('claude-code', 'claude-code')
    writeFileSync(join(logs, '-home-dev-atlas', '00000000-first.jsonl'), readFileSync(out))
    const fresh = await testHome().open()
    await fresh.sync({ path: logs, adapters: ['claude-code'], embed: false })
    const { rows } = await fresh.sql("select count(*) from agent_messages where role = 'user'")
    expect(rows).toEqual([[EXCHANGES.length]])
  })
})
