/** Spec 000: a ledger's own turn id names its turn, wherever the harness put its system messages. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { finishSession } from '../../src/ledgers/finish-session.ts'
import { linkedMessages } from '../../src/ledgers/snapshot/apply-snapshot.ts'
import { linksFor } from '../../src/ledgers/snapshot/reorder.ts'
import { writeOrder } from '../../src/ledgers/snapshot/write-order.ts'
import { openMnemonic } from '../../src/library/index.ts'
import { META, removeMeta } from '../../src/store/meta.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { type BinaryHome, binaryHome } from '../helpers/run-binary.ts'
import { moveTo, openNexus, put, putSession } from '../helpers/sources/nexus.ts'

const DAY = Date.UTC(2026, 2, 2, 10)

type Said = readonly [role: string, content: string]

function putSaid(db: Database.Database, turn: string, parent: string | null, at: number, said: readonly Said[]): void {
  put(db, 'turns', { id: turn, parent_turn_id: parent, started_at: at })
  for (const [n, [role, content]] of said.entries())
    put(db, 'messages', { id: `${turn}-${n}${role[0]}`, turn_id: turn, role, content, sequence: n + 1, created_at: at + n })
  moveTo(db, 'main', turn, at)
}

/** Three turns that begin with a system message, one with two questions, and a compaction with a copy of itself and one with an answer. */
function ledger(home: BinaryHome): string {
  const root = join(home.root, 'nexus')
  const db = openNexus(root)
  putSession(db, 'main')
  putSaid(db, 't1', null, DAY, [
    ['system', 'You are the harbour.'],
    ['user', 'Where does the ferry moor?'],
    ['assistant', 'At the north quay.'],
  ])
  putSaid(db, 'x2', 't1', DAY + 60_000, [
    ['system', 'Be brief.'],
    ['user', 'And the barge?'],
    ['assistant', 'At the lime kiln.'],
  ])
  putSaid(db, 'x3', 'x2', DAY + 120_000, [
    ['user', 'Who signs?'],
    ['assistant', 'Ruth.'],
    ['user', 'And on Sundays?'],
    ['assistant', 'Only Amos.'],
  ])
  put(db, 'compactions', { turn_id: 'x4', summary: 'Ferry, barge, signatures.', summarized_through_turn_id: 'x3', model: 'm' })
  putSaid(db, 'x4', 'x3', DAY + 180_000, [['assistant', 'Ferry, barge, signatures.']])
  put(db, 'compactions', { turn_id: 'x5', summary: 'Harbour matters.', summarized_through_turn_id: 'x4', model: 'm' })
  putSaid(db, 'x5', 'x4', DAY + 240_000, [
    ['system', 'Be kind.'],
    ['user', 'What of the pilot?'],
    ['assistant', 'She sails at dawn.'],
  ])
  putSaid(db, 'x6', 'x3', DAY + 300_000, [
    ['system', 'Another way.'],
    ['user', 'Who counts the crates?'],
    ['assistant', 'Nobody.'],
  ])
  db.close()
  return root
}

const SAID: Readonly<Record<string, readonly string[]>> = {
  t1: ['Where does the ferry moor?', 'At the north quay.'],
  x2: ['And the barge?', 'At the lime kiln.'],
  x3: ['Who signs?', 'Ruth.', 'And on Sundays?', 'Only Amos.'],
  x4: ['Ferry, barge, signatures.'],
  x5: ['What of the pilot?', 'She sails at dawn.'],
  x6: ['Who counts the crates?', 'Nobody.'],
}

interface Shown {
  readonly turns: readonly { readonly messages: readonly { readonly kind: string; readonly text: string }[] }[]
}

async function expectNamed(home: BinaryHome): Promise<void> {
  const memory = await openMnemonic({ home: join(home.root, 'home'), workspace: join(home.root, 'workspace') })
  try {
    for (const [turn, said] of Object.entries(SAID)) {
      const { turns } = JSON.parse((await home.runHere('show', turn, '--json')).stdout) as Shown
      const spoken = turns.flatMap(({ messages }) => messages).filter(({ kind }) => kind !== 'meta')
      expect
        .soft(
          spoken.map(({ text }) => text),
          `show ${turn}`,
        )
        .toEqual(said)
      const { text } = await memory.memoryGet({ id: turn })
      for (const one of said) expect.soft(text, `memory_get ${turn}`).toContain(one)
    }
  } finally {
    await memory.close()
  }
}

function rows(home: BinaryHome, sql: string): unknown[] {
  const db = new Database(join(home.root, 'home', 'mnemonic.db'), { readonly: true })
  try {
    return db.prepare(sql).all()
  } finally {
    db.close()
  }
}

const TURNS =
  'select id, parent_turn_id, opener_id, status, turn_type, query_message_ids, token_count, message_count from agent_turns order by id'
const DOCUMENTS = 'select path, kind, hash from files order by path'

const homes: BinaryHome[] = []
const newHome = () => {
  const home = binaryHome()
  homes.push(home)
  return home
}
afterAll(() => {
  for (const home of homes) home.remove()
})

describe('a turn of a ledger that names its turns', () => {
  const home = newHome()

  it('is what its name opens, also where a system message stands first', async () => {
    expect((await home.runHere('sync', '--path', ledger(home), '--adapter', 'nexus')).code).toBe(0)
    await expectNamed(home)
    // One turn and one document for each name, and the compaction of x5 beside what was said in that turn.
    expect(rows(home, TURNS)).toHaveLength(7)
    expect(rows(home, "select path from files where kind in ('turn', 'compaction')")).toHaveLength(7)
    const statuses = rows(home, 'select status from agent_turns order by sequence') as { status: string }[]
    expect(statuses.map(({ status }) => status).join(' ')).toBe('final final final superseded superseded superseded final')
  })

  it('is the same turn in a home that imports this one', async () => {
    const other = newHome()
    expect((await other.runHere('sync', '--adapter', 'aix-agents', '--path', join(home.root, 'home', 'mnemonic.db'))).code).toBe(0)
    expect(rows(other, TURNS)).toEqual(rows(home, TURNS))
    await expectNamed(other)
  })

  it('is mended by the next sync of a home of an earlier version, without its source', async () => {
    const [turns, documents] = [rows(home, TURNS), rows(home, DOCUMENTS)]
    await groupAsBefore(join(home.root, 'home', 'mnemonic.db'))
    expect(rows(home, TURNS)).not.toEqual(turns)
    rmSync(join(home.root, 'nexus'), { recursive: true })
    expect((await home.runHere('sync')).code).toBe(0)
    expect(rows(home, TURNS)).toEqual(turns)
    expect(rows(home, DOCUMENTS)).toEqual(documents)
    await expectNamed(home)
  })
})

/** The current path grouped by the kinds of its messages alone, as earlier versions did. */
async function groupAsBefore(path: string): Promise<void> {
  const store = await openSqlite({ path, clock: () => DAY })
  try {
    await store.write(async (tx) => {
      const all = await linkedMessages(tx, 'nexus:main')
      const order = all.filter(({ status }) => status !== 'superseded').map(({ id }) => id)
      await writeOrder(tx, 'nexus:main', { rows: all, links: linksFor(all, order, 'nexus:main'), path: new Set(order) })
      await finishSession(tx, 'nexus:main', { clock: Date.now, quietMs: 0 })
      await removeMeta(tx.db, META.namedTurns)
    })
  } finally {
    await store.close()
  }
}
