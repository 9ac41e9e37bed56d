import type { Kysely } from 'kysely'
import { compiledOnce } from '../store/compiled-once.ts'
import type { Tables } from '../store/tables.ts'
import {
  type DocumentRow,
  type DocumentSession,
  type DocumentTurn,
  INDEXED_DOCUMENT,
  type IndexDocument,
  READ_MESSAGE,
} from './document.ts'
import type { Item } from './indexable.ts'

export interface TurnItem extends Item, DocumentTurn {
  readonly session: DocumentSession
}

type Build = (session: DocumentSession, turn: DocumentTurn, rows: readonly DocumentRow[]) => IndexDocument

export async function spokenBuilder(
  db: Kysely<Tables>,
  items: readonly TurnItem[],
  build: Build,
  answers: ReadonlyMap<string, string> = new Map(),
): Promise<(id: string) => Promise<IndexDocument>> {
  const byId = new Map(items.map((item) => [item.id, item]))
  const rows = await messagesOfTurns(db, [...byId.keys()])
  return async (id) => {
    const item = byId.get(id) as TurnItem
    return build(item.session, { ...item, answers: answers.get(id) }, await withLongTexts(db, rows.get(id) ?? []))
  }
}

/** Bytes. */
const LONG = 64 << 10

/** Fixed length: one prepared statement. */
const TURNS_AT_ONCE = 64

const spokenInTurns = compiledOnce((db, turns: Readonly<Record<number, string | null>>) =>
  db
    .selectFrom('agent_messages')
    .select(['id', 'turn_id', 'native_id', 'role', 'kind', 'timestamp', 'speaker', 'trust', 'model'])
    .select((eb) => [
      // Long texts are loaded per document, to bound memory.
      eb
        .case()
        .when(eb.fn<number>('octet_length', ['content']), '<=', LONG)
        .then(eb.ref('content'))
        .end()
        .as('content'),
    ])
    .where(
      'turn_id',
      'in',
      Array.from({ length: TURNS_AT_ONCE }, (_, i) => turns[i] as string),
    )
    .where((eb) => eb.or([eb('role', 'in', ['user', 'assistant']), eb('kind', '=', 'summary')]))
    .where('content', '<>', '')
    .orderBy('sequence'),
)

interface TurnRow extends DocumentRow {
  readonly id: string
}

async function messagesOfTurns(db: Kysely<Tables>, turnIds: readonly string[]): Promise<Map<string, TurnRow[]>> {
  const byTurn = new Map<string, TurnRow[]>()
  for (let at = 0; at < turnIds.length; at += TURNS_AT_ONCE) {
    const slots = Array.from({ length: TURNS_AT_ONCE }, (_, i) => [i, turnIds[at + i] ?? null] as const)
    for (const row of await spokenInTurns(db, Object.fromEntries(slots))) {
      const turn = row.turn_id as string
      const known = byTurn.get(turn)
      if (known) known.push(row)
      else byTurn.set(turn, [row])
    }
  }
  return byTurn
}

const beginningOf = compiledOnce((db, { id }: { id: string }) =>
  db
    .selectFrom('agent_messages')
    .select((eb) => eb.fn<string>('substr', ['content', eb.val(1), eb.val(READ_MESSAGE)]).as('content'))
    .where('id', '=', id),
)

/** Loads at most one document's worth. */
async function withLongTexts(db: Kysely<Tables>, rows: readonly TurnRow[]): Promise<readonly DocumentRow[]> {
  if (rows.every(({ content }) => content !== null)) return rows
  const whole: DocumentRow[] = []
  let held = 0
  for (const row of rows) {
    const leftOut = row.content === null && held > INDEXED_DOCUMENT
    const content = row.content ?? (leftOut ? '' : ((await beginningOf(db, { id: row.id }))[0]?.content ?? ''))
    held += content.length
    whole.push({ ...row, content, leftOut })
  }
  return whole
}
