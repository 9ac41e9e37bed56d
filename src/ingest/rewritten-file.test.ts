import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NOON, tempFolder, tempStore } from '../../test/helpers/store.ts'
import { MnemonicError } from '../core/error.ts'
import type { Store } from '../store/store.ts'
import { geminiCli } from './capture/gemini-cli.ts'
import { jsonl } from './capture/jsonl.ts'
import { syncSources } from './sync.ts'

interface Line {
  readonly text: string
  readonly role?: 'user' | 'assistant' | 'system' | 'tool'
  readonly id?: string
  readonly session?: string
}

let written = 0

function write(root: string, lines: readonly (Line | string)[], name = 'talk.jsonl'): void {
  const path = join(root, name)
  writeFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : asJson(line)}\n`).join(''))
  // Distinct mtimes, because versions may have equal length.
  utimesSync(path, NOON / 1000 + ++written, NOON / 1000 + written)
}

function asJson({ text, role = 'user', id, session }: Line): string {
  return JSON.stringify({ role, content: text, timestamp: '2026-02-05T10:30:00Z', id, session_id: session })
}

async function sync(store: Store, root: string, guard = async () => {}, adapter = jsonl({ paths: [root] })) {
  const options = { adapters: [adapter], clock: () => NOON, quietMs: 7_200_000, ignore: () => false }
  return syncSources({ store, ...options, guard, afterGroup: async () => {} })
}

/** Texts from the root to the head, along turn links. */
async function current(store: Store, session = 'jsonl:talk'): Promise<(string | null)[]> {
  const { head_turn_id } = await store.read
    .selectFrom('agent_sessions')
    .select('head_turn_id')
    .where('id', '=', session)
    .executeTakeFirstOrThrow()
  const turns: string[] = []
  for (let at = head_turn_id; at !== null; ) {
    turns.unshift(at)
    const turn = await store.read.selectFrom('agent_turns').selectAll().where('id', '=', at).executeTakeFirstOrThrow()
    expect(turn.status).not.toBe('superseded')
    at = turn.parent_turn_id
  }
  const texts: (string | null)[] = []
  for (const turn of turns) {
    const rows = await store.read.selectFrom('agent_messages').select('content').where('turn_id', '=', turn).orderBy('sequence').execute()
    texts.push(...rows.map((row) => row.content))
  }
  const others = await store.read
    .selectFrom('agent_turns')
    .select('status')
    .where('session_id', '=', session)
    .where('id', 'not in', turns)
    .execute()
  expect(others.every(({ status }) => status === 'superseded')).toBe(true)
  return texts
}

/** Current turns by content, as documents are built. */
async function documents(store: Store) {
  const turns = await store.read
    .selectFrom('agent_turns')
    .select(['id', 'turn_type', 'token_count', 'message_count', 'timestamp'])
    .where('status', '<>', 'superseded')
    .orderBy('session_id')
    .orderBy('sequence')
    .execute()
  const made = []
  for (const { id, ...turn } of turns) {
    const rows = await store.read
      .selectFrom('agent_messages')
      .select(['role', 'content'])
      .where('turn_id', '=', id)
      .orderBy('sequence')
      .execute()
    made.push({ ...turn, rows })
  }
  return made
}

/** Recomputes everything that the ledger stores redundantly. */
async function check(store: Store): Promise<void> {
  const messages = await store.read.selectFrom('agent_messages').selectAll().orderBy('session_id').orderBy('sequence').execute()
  const turns = await store.read.selectFrom('agent_turns').selectAll().execute()
  const byId = new Map(messages.map((message) => [message.id, message]))
  expect(new Set(messages.map(({ session_id, sequence }) => `${session_id} ${sequence}`)).size).toBe(messages.length)
  for (const message of messages) if (message.parent_id !== null) expect(byId.has(message.parent_id)).toBe(true)
  for (const turn of turns) {
    const own = messages.filter((message) => message.opener_id === turn.opener_id)
    const answer = own.findLast(({ role, content }) => role === 'assistant' && content?.trim())
    expect(own.every(({ turn_id }) => turn_id === turn.id)).toBe(true)
    expect(turn).toMatchObject({
      id: answer?.id ?? own.at(-1)?.id,
      message_count: own.length,
      sequence: own[0]?.sequence,
      opener_id: own[0]?.id,
    })
    const above = byId.get(turn.opener_id)?.parent_id
    expect(turn.parent_turn_id).toBe(above === null || above === undefined ? null : byId.get(above)?.turn_id)
    expect(turn.has_children).toBe(Number(turns.some(({ parent_turn_id }) => parent_turn_id === turn.id)))
  }
  expect(turns.reduce((sum, turn) => sum + turn.message_count, 0)).toBe(messages.length)
}

async function everything(store: Store) {
  const tables = ['agent_sessions', 'agent_messages', 'agent_turns', 'agent_records', 'agent_session_history'] as const
  return Promise.all(tables.map((table) => store.read.selectFrom(table).selectAll().execute()))
}

async function imported(lines: readonly (Line | string)[]): Promise<Store> {
  const [store, root] = [await tempStore(), tempFolder()]
  write(root, lines)
  await sync(store, root)
  return store
}

const SIX: Line[] = ['one', 'two', 'three', 'four', 'five', 'six'].map((text, i) => ({ text, role: i % 2 ? 'assistant' : 'user' }))
const named = (lines: readonly Line[]) => lines.map((line, i) => ({ ...line, id: line.id ?? `m${i + 1}` }))
const texts = (lines: readonly Line[]) => lines.map(({ text }) => text)

describe.each([
  ['without ids', (lines: readonly Line[]) => [...lines]],
  ['with ids', named],
])('a plain file %s that is rewritten', (_, given) => {
  it('a line changed in the middle: the rest stays, what it said before is superseded, and comes back', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    const six = given(SIX)
    const versions = ['tres', 'trois', 'three', 'tres', 'three'].map((text) => six.with(2, { ...(six[2] as Line), text }))
    for (const lines of [six, ...versions]) {
      write(root, lines)
      await sync(store, root)
      expect(await current(store)).toEqual(texts(lines))
      await check(store)
      expect(await documents(store)).toEqual(await documents(await imported(lines)))
    }
    expect(await store.read.selectFrom('agent_messages').select('id').execute()).toHaveLength(8)
  })

  it('an edited answer and an edited prompt leave no second answer in their turn', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    const six = given(SIX)
    write(root, six)
    await sync(store, root)
    const lines = six.with(1, { ...(six[1] as Line), text: 'dos' }).with(4, { ...(six[4] as Line), text: 'cinco' })
    write(root, lines)
    await sync(store, root)
    expect((await documents(store)).map(({ rows }) => rows.map(({ content }) => content))).toEqual([
      ['one', 'dos'],
      ['three', 'four'],
      ['cinco', 'six'],
    ])
    await check(store)
  })

  it('a bad line that is repaired becomes a message at its position', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    const six = given(SIX)
    write(
      root,
      six.map((line, i) => (i === 1 ? '{"role":"assistant","content":' : line)),
    )
    await sync(store, root)
    write(root, six)
    await sync(store, root)
    expect(await current(store)).toEqual(texts(six))
    expect(await store.read.selectFrom('agent_messages').select('id').execute()).toHaveLength(6)
    expect(await documents(store)).toEqual(await documents(await imported(six)))
    await check(store)
  })

  it('an end that is missing is kept; what is written after it goes on from there', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    const six = given(SIX)
    for (const lines of [six, six.slice(0, 4)]) {
      write(root, lines)
      await sync(store, root)
      expect(await current(store)).toEqual(texts(six))
    }
    const other = [...six.slice(0, 4), { text: 'another', id: six[0]?.id && 'm9' } as Line]
    write(root, other)
    await sync(store, root)
    expect(await current(store)).toEqual(texts(other))
    appendFileSync(join(root, 'talk.jsonl'), `${asJson(six[4] as Line)}\n`)
    await sync(store, root)
    expect(await current(store)).toEqual([...texts(other), 'five'])
    await check(store)
  })

  it('the same file again changes nothing', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    const six = given(SIX)
    const moved = [six[2], six[0], { text: 'new', id: six[0]?.id && 'm7' }, six[5], six[1]] as Line[]
    for (const lines of [six, moved]) {
      write(root, lines)
      await sync(store, root)
    }
    const before = await everything(store)
    write(root, moved)
    expect(await sync(store, root)).toMatchObject({ totals: { imported: 1, records: 0 } })
    expect(await everything(store)).toEqual(before)
    expect(await current(store)).toEqual(texts(moved))
  })

  it.each([1, 2, 3, 4])('any edits, one after another (%i)', async (seed) => {
    const [store, root] = [await tempStore(), tempFolder()]
    const pick = picker(seed)
    let lines = given(Array.from({ length: 12 }, (_, i) => lineOf(pick, i)))
    let next = 12
    write(root, lines)
    await sync(store, root)
    let expected = texts(lines)
    for (let round = 0; round < 8; round++) {
      for (let edits = 1 + pick(3); edits > 0; edits--) {
        const fresh = given([lineOf(pick, next)]).map((line) => (line.id === undefined ? line : { ...line, id: `n${next}` }))[0] as Line
        next++
        lines = edited(lines, fresh, pick)
      }
      write(root, lines)
      await sync(store, root)
      const now = texts(lines)
      // A removed ending is kept.
      if (!now.every((text, i) => expected[i] === text)) expected = now
      expect(await current(store)).toEqual(expected)
      await check(store)
      if (expected === now) expect(await documents(store)).toEqual(await documents(await imported(lines)))
    }
  })
})

describe('a rewritten file', () => {
  it('of several sessions: each follows its own lines', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    const both = SIX.flatMap((line) => ['a', 'b'].map((session) => ({ ...line, session, text: `${session} ${line.text}` })))
    write(root, both)
    await sync(store, root)
    const now = both.map((line) => (line.text === 'a three' ? { ...line, text: 'a tres' } : line)).filter(({ text }) => text !== 'b two')
    write(root, now)
    await sync(store, root)
    for (const session of ['a', 'b'])
      expect(await current(store, `jsonl:${session}`)).toEqual(texts(now.filter((line) => line.session === session)))
    await check(store)
  })

  it('of a session that another file holds too: a new text replaces the old one, and nothing else is removed', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    const of = (lines: readonly Line[]): Line[] => lines.map((line) => ({ ...line, session: 'shared' }))
    const [head, tail] = [of(named(SIX).slice(0, 3)), of(named(SIX).slice(3))]
    write(root, head, 'a.jsonl')
    await sync(store, root)
    write(root, tail, 'b.jsonl')
    await sync(store, root)
    expect(await current(store, 'jsonl:shared')).toEqual(texts(SIX))
    write(root, head.with(2, { ...(head[2] as Line), text: 'tres' }), 'a.jsonl')
    await sync(store, root)
    expect(await current(store, 'jsonl:shared')).toEqual(['one', 'two', 'tres', 'four', 'five', 'six'])
    write(root, tail.with(0, { ...(tail[0] as Line), text: 'cuatro' }), 'b.jsonl')
    await sync(store, root)
    expect(await current(store, 'jsonl:shared')).toEqual(['one', 'two', 'tres', 'cuatro', 'five', 'six'])
    await check(store)
  })

  it('under another name, with a line of its own: what follows the line stays', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    const lines = named(SIX).map((line): Line => ({ ...line, session: 'shared' }))
    write(root, lines, 'a.jsonl')
    await sync(store, root)
    write(root, lines.with(2, { ...(lines[2] as Line), text: 'tres' }), 'b.jsonl')
    await sync(store, root)
    expect(await current(store, 'jsonl:shared')).toEqual(['one', 'two', 'tres', 'four', 'five', 'six'])
  })

  it('a change far from the end is seen, also one that keeps the length', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    const long = Array.from({ length: 40 }, (_, i): Line => ({ text: `${i} ${'word '.repeat(80)}`, role: i % 2 ? 'assistant' : 'user' }))
    write(root, long)
    await sync(store, root)
    const lines = long.with(3, { text: `x ${'word '.repeat(80)}`, role: 'assistant' })
    write(root, lines)
    await sync(store, root)
    expect(await current(store)).toEqual(texts(lines))
  })

  it('of many transactions, killed between two of them, ends the same', async () => {
    const [store, root] = [await tempStore(), tempFolder()]
    const roles = ['user', 'assistant', 'tool'] as const
    const long = Array.from({ length: 3000 }, (_, i): Line => {
      const role = roles[i % 3] as 'tool'
      return { role, text: role === 'tool' ? `${i} ${'x'.repeat(9000)}` : `line ${i}` }
    })
    write(root, long)
    await sync(store, root)
    const lines = long.toSpliced(2000, 2).toSpliced(1500, 0, { text: 'put in' }).toSpliced(100, 1, { text: 'changed' })
    write(root, lines)
    let writes = 0
    const dying = sync(store, root, async () => {
      if (++writes === 3) throw new MnemonicError('LEASE_LOST', 'killed')
    })
    await expect(dying).rejects.toMatchObject({ code: 'LEASE_LOST' })
    await sync(store, root)
    expect(await current(store)).toEqual(texts(lines))
    expect(await store.read.selectFrom('agent_messages').select('id').execute()).toHaveLength(3002)
  })
})

describe('a document of Gemini CLI', () => {
  it.each([
    ['put in', (ids: readonly string[]) => ids.toSpliced(2, 0, 'x', 'y')],
    ['taken out', (ids: readonly string[]) => ids.toSpliced(2, 2)],
  ])('what follows messages that are %s stays current', async (_, edit) => {
    const [store, root] = [await tempStore(), tempFolder()]
    const folder = join(root, 'garden', 'chats')
    mkdirSync(folder, { recursive: true })
    const ids = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const now of [ids, edit(ids)]) {
      const messages = now.map((id, i) => {
        const said = { id, timestamp: '2026-02-05T10:30:00Z', type: i % 2 ? 'gemini' : 'user' }
        return { ...said, content: i % 2 ? `text ${id}` : [{ text: `text ${id}` }] }
      })
      const times = { startTime: '2026-02-05T10:30:00Z', lastUpdated: '2026-02-05T10:30:00Z' }
      writeFileSync(join(folder, 'session-1.json'), JSON.stringify({ sessionId: 'talk', projectHash: 'abc', ...times, messages }))
      await sync(store, root, undefined, geminiCli({ paths: [root] }))
      expect(await current(store, 'gemini-cli:talk')).toEqual(now.map((id) => `text ${id}`))
      await check(store)
    }
  })
})

function picker(seed: number): (below: number) => number {
  let state = seed * 2654435761
  return (below) => {
    state = (state * 1664525 + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Some repeat earlier texts. */
function lineOf(pick: (below: number) => number, number: number): Line {
  const role = (['user', 'assistant', 'user', 'assistant', 'tool', 'system'] as const)[pick(6)] as 'user'
  return { role, text: pick(4) === 0 ? `again ${pick(2)}` : `text ${number}` }
}

function edited(lines: readonly Line[], fresh: Line, pick: (below: number) => number): Line[] {
  const at = pick(lines.length)
  const line = lines[at] as Line
  switch (pick(5)) {
    case 0:
      return lines.with(at, { ...line, text: fresh.text })
    case 1:
      return lines.toSpliced(at, 0, fresh)
    case 2:
      return lines.length > 4 ? lines.toSpliced(at, 1) : [...lines, fresh]
    case 3:
      return lines.toSpliced(at, 1).toSpliced(pick(lines.length), 0, line)
    default:
      return [...lines, fresh]
  }
}
