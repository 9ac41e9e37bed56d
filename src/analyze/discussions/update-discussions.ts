/** Recomputes terms of units whose documents changed (`discussion_waiting`, filled by triggers). Reads the index, which is redacted. */
import { redactVisible } from '../../core/redact.ts'
import { throwIfStopped } from '../../core/stopped.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import { STOP_WORDS, WEAK_WORDS } from '../stop-words.ts'
import { type Term, termsOf } from './terms-of.ts'

export interface UpdateDiscussionsOptions {
  readonly guard: (tx: WriteTx) => Promise<void>
  readonly signal?: AbortSignal | undefined
}

const AT_ONCE = 50
const MOST_CHUNKS = 300

export async function updateDiscussions(store: Store, { guard, signal }: UpdateDiscussionsOptions): Promise<number> {
  for (let done = 0; ; ) {
    throwIfStopped(signal, 'finding discussions')
    const rows = await store.read.selectFrom('discussion_waiting').select('unit').orderBy('unit').limit(AT_ONCE).execute()
    if (rows.length === 0) return done
    await store.write(async (tx) => {
      await guard(tx)
      for (const { unit } of rows) {
        await tx.db.deleteFrom('discussions').where('unit', '=', unit).execute()
        await tx.db.deleteFrom('discussion_waiting').where('unit', '=', unit).execute()
        const found = await read(tx, unit)
        if (found !== undefined && found.terms.length > 0) await write(tx, unit, found)
      }
    })
    done += rows.length
  }
}

interface Found {
  readonly agentId: string
  readonly terms: readonly Term[]
}

async function read({ db }: WriteTx, unit: string): Promise<Found | undefined> {
  const ofPeople = unit.startsWith('events/')
  const session = ofPeople
    ? undefined
    : await db.selectFrom('agent_sessions').select(['title', 'is_subagent', 'status', 'agent_id']).where('id', '=', unit).executeTakeFirst()
  if (!ofPeople && (session === undefined || session.is_subagent === 1 || session.status === 'deleted')) return undefined
  const chunks = await newestChunks(db, unit).execute()
  const [first] = chunks
  if (first === undefined) return undefined
  const spoken = chunks.map(({ said_user, said_assistant }) =>
    ofPeople ? { own: `${said_user}\n${said_assistant}`, answered: '' } : { own: said_user, answered: said_assistant },
  )
  // Everything else read here is already redacted.
  const title = session?.title == null ? null : redactVisible(session.title)
  return { agentId: session?.agent_id ?? first.agent_id, terms: termsOf(title, spoken, isCommon) }
}

export function newestChunks(db: WriteTx['db'], unit: string) {
  return db
    .selectFrom('chunks')
    .select(['said_user', 'said_assistant', 'agent_id'])
    .where((eb) => {
      if (!unit.startsWith('events/')) return eb('session_id', '=', unit)
      // Filtering by the view's computed path would scan all chunks for each conversation.
      const own = eb.selectFrom('index_chunks as c').innerJoin('index_files as f', 'f.id', 'c.file').select('c.id')
      return eb('id', 'in', own.where('f.path', '=', unit))
    })
    .where('superseded', '=', 0)
    .orderBy('timestamp', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_CHUNKS)
}

function isCommon(word: string): boolean {
  return STOP_WORDS.has(word) || WEAK_WORDS.has(word)
}

async function write({ db }: WriteTx, unit: string, { agentId, terms }: Found): Promise<void> {
  const weight = terms.reduce((sum, { salience }) => sum + salience, 0)
  await db.insertInto('discussions').values({ unit, weight, agent_id: agentId }).execute()
  const rows = terms.map(({ term, shown, salience, isName }) => ({ unit, term, shown, salience, is_name: Number(isName) }))
  for (let from = 0; from < rows.length; from += 100)
    await db
      .insertInto('discussion_terms')
      .values(rows.slice(from, from + 100))
      .execute()
}
