/** What a message names: known entities, rare terms, words. */

import { stemOf } from '../../analyze/history/terms.ts'
import { STOP_WORDS, WEAK_WORDS } from '../../analyze/stop-words.ts'
import { foldedName } from '../../graph/folded-name.ts'
import { canonicalOf } from '../../graph/same-entity.ts'
import { isStopWord } from '../../search/stop-words.ts'
import type { Store } from '../../store/store.ts'

export interface MessageSigns {
  /** Current entity id to its name in the message. */
  readonly entities: ReadonlyMap<string, string>
  /** Term to weight: rarer terms weigh more. */
  readonly terms: ReadonlyMap<string, number>
  readonly stems: ReadonlySet<string>
  /** False for "hi" or "go on", which fit every session. */
  readonly says: boolean
}

/** Characters. A message may be a whole log; its beginning states the request. */
const LONGEST_MESSAGE = 4000
const LONGEST_NAME = 4
const LEAST_NAME = 3
const TERM = /#\d{1,6}\b|[\p{L}\p{N}][\p{L}\p{N}_.-]{2,59}/gu
/** Shares and counts: a term in more sessions says nothing about one. */
const MOST_HOLDERS = 0.1
const LEAST_HOLDERS = 20
const AT_ONCE = 400
/** Words of greeting or continuing. */
const GOING_ON: ReadonlySet<string> = new Set(['hello', 'hey', 'thanks', 'please', 'yes', 'okay', 'continue', 'proceed', 'again', 'next'])

export async function signsOf(store: Store, message: string, agentId: string): Promise<MessageSigns> {
  const text = message.slice(0, LONGEST_MESSAGE)
  const words = foldedName(text).split(' ').filter(Boolean)
  return {
    entities: await entitiesIn(store, text, words, agentId),
    terms: await termsIn(store, text, agentId),
    stems: new Set(words.map(stemOf)),
    says: words.some((word) => word.length >= LEAST_NAME && !isStopWord(word) && !GOING_ON.has(word)),
  }
}

async function entitiesIn({ read }: Store, text: string, words: readonly string[], agentId: string): Promise<Map<string, string>> {
  const names = new Set<string>()
  for (const [at] of words.entries())
    for (let length = 1; length <= LONGEST_NAME && at + length <= words.length; length++) {
      const name = words.slice(at, at + length).join(' ')
      if (length > 1 || (name.length >= LEAST_NAME && !STOP_WORDS.has(name) && !WEAK_WORDS.has(name))) names.add(name)
    }
  // Addresses, paths, packages and repositories are stored as written.
  for (const token of text.split(/[\s"'`<>()[\],;]+/)) if (token.length >= LEAST_NAME) names.add(token.toLowerCase()).add(token)
  const found = new Map<string, string>()
  const all = [...names]
  for (let from = 0; from < all.length; from += AT_ONCE) {
    let query = read
      .selectFrom('entity_aliases')
      .select(['entity_id', 'normalized'])
      .where('normalized', 'in', all.slice(from, from + AT_ONCE))
    if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
    for (const { entity_id, normalized } of await query.orderBy('entity_id').execute()) {
      const known = found.get(entity_id)
      if (known === undefined || known.length < normalized.length) found.set(entity_id, normalized)
    }
  }
  const now = await canonicalOf({ read }, [...found.keys()])
  return new Map([...found].map(([id, name]) => [now.get(id) ?? id, name]))
}

async function termsIn({ read }: Store, text: string, agentId: string): Promise<Map<string, number>> {
  const asked = new Set<string>()
  for (const [term] of text.toLowerCase().matchAll(TERM)) {
    const plain = term.replace(/[.-]+$/, '')
    if (plain.length >= LEAST_NAME && !STOP_WORDS.has(plain) && !WEAK_WORDS.has(plain)) asked.add(plain)
  }
  let units = read.selectFrom('discussions').select((eb) => eb.fn.countAll<number>().as('count'))
  if (agentId !== 'all') units = units.where('agent_id', '=', agentId)
  const { count } = await units.executeTakeFirstOrThrow()
  const most = Math.max(LEAST_HOLDERS, Math.floor(count * MOST_HOLDERS))
  const found = new Map<string, number>()
  const all = [...asked]
  for (let from = 0; from < all.length; from += AT_ONCE) {
    let query = read
      .selectFrom('discussion_terms as t')
      .innerJoin('discussions as d', 'd.unit', 't.unit')
      .select((eb) => ['t.term', eb.fn.countAll<number>().as('holders')])
      .where('t.term', 'in', all.slice(from, from + AT_ONCE))
    if (agentId !== 'all') query = query.where('d.agent_id', '=', agentId)
    for (const { term, holders } of await query.groupBy('t.term').execute())
      if (holders <= most) found.set(term, Math.log(1 + count / holders))
  }
  return found
}
