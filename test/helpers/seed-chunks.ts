/** Inserts sessions, turns and chunks for search tests, without ledger writer and chunker. */
import { sha256 } from '../../src/core/hash.ts'
import { extraTerms } from '../../src/index/extra-terms.ts'
import type { Store } from '../../src/store/store.ts'

export interface SeedChunk {
  readonly user?: string
  readonly assistant?: string
  readonly session?: string
  readonly at?: number
  readonly speakers?: readonly string[]
  readonly agent?: string
  readonly project?: string
  readonly title?: string
  readonly topics?: readonly string[]
  readonly decision?: boolean
  readonly ledger?: 'agents' | 'events'
  readonly source?: string
  readonly path?: string
  readonly superseded?: boolean
  readonly people?: Readonly<Record<string, 'user' | 'assistant'>>
}

export const SEED_TIME = Date.UTC(2026, 1, 5, 10, 30)

/** One turn and one document each; returns the ids. */
export async function seedChunks(store: Store, seeds: readonly SeedChunk[]): Promise<number[]> {
  return store.write(async ({ db, chunks }) => {
    const ids: number[] = []
    const indexes = new Map<string, number>()
    for (const [i, seed] of seeds.entries()) {
      const native = seed.session ?? 'session-one'
      const session = `jsonl:${native}`
      const at = seed.at ?? SEED_TIME + i * 60_000
      const agent_id = seed.agent ?? 'main'
      if (!indexes.has(session)) {
        const last = await db
          .selectFrom('chunks')
          .select(({ fn }) => fn.max('chunk_index').as('n'))
          .where('session_id', '=', session)
          .executeTakeFirst()
        indexes.set(session, last?.n === null || last?.n === undefined ? 0 : Number(last.n) + 1)
        await db
          .insertInto('agent_sessions')
          .values({
            id: session,
            source: 'jsonl',
            native_id: native,
            label: native,
            agent_id,
            title: seed.title ?? null,
            project: seed.project ?? null,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }
      const index = indexes.get(session) ?? 0
      indexes.set(session, index + 1)
      const messages = Object.entries(seed.people ?? { '': 'user' as const }).map(([speaker, role], n) => ({
        speaker: speaker || null,
        role,
        native: `m${index}-${n}`,
      }))
      for (const { speaker, role, native: native_id } of messages) {
        const id = `${session}/${native_id}`
        const turn_id = `${session}/m${index}-0`
        await db
          .insertInto('agent_messages')
          .values({
            id,
            session_id: session,
            native_id,
            turn_id,
            opener_id: turn_id,
            role,
            kind: 'prompt',
            sequence: index * 10,
            speaker,
            trust: 'owner',
            content: '',
          })
          .execute()
      }
      const turn = `${session}/m${index}-0`
      await db
        .insertInto('agent_turns')
        .values({
          id: turn,
          session_id: session,
          opener_id: turn,
          sequence: index,
          query_message_ids: JSON.stringify([turn]),
          timestamp: at,
        })
        .execute()
      const source = seed.source ?? 'sessions'
      const path = seed.path ?? `sessions/${native}/turns/${turn}.md`
      await db
        .insertInto('files')
        .values({ path, source, hash: 'h', agent_id, session_id: session, turn_id: turn, kind: 'turn', identity: 'test', updated_at: at })
        .execute()
      const said_user = seed.user ?? ''
      const said_assistant = seed.assistant ?? ''
      const roles = [...(said_user ? ['user'] : []), ...(said_assistant ? ['assistant'] : [])]
      ids.push(
        await chunks.add({
          path,
          source,
          ledger: seed.ledger ?? 'agents',
          agent_id,
          session_id: session,
          turn_id: turn,
          chunk_index: index,
          timestamp: at,
          speakers: JSON.stringify(seed.speakers ?? roles),
          message_ids: JSON.stringify(messages.map((message) => message.native)),
          said_user,
          said_assistant,
          extra_terms: extraTerms(`${said_user}\n${said_assistant}`),
          topic_tags: JSON.stringify(seed.topics ?? []),
          has_decision: seed.decision ? 1 : 0,
          token_count: 10,
          trust: 'owner',
          superseded: seed.superseded ? 1 : 0,
          content_hash: sha256(said_user, '\n', said_assistant),
          created_at: at,
        }),
      )
    }
    return ids
  })
}
