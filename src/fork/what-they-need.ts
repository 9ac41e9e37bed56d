import { askedTerms } from '../analyze/history/terms.ts'
import { given } from '../core/given.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import type { TurnRow } from '../store/agent-rows.ts'
import type { Store } from '../store/store.ts'
import type { ChosenTurn } from './chosen-turn.ts'

interface Need {
  readonly id: string
  readonly how: string
  readonly messages: readonly string[]
}

/** Prompts that need context: assents, choices, very short ones. */
const ASSENT =
  /^\s*(?:y|yes|yep|yeah|yup|ok|okay|sure|right|correct|exactly|agreed|perfect|great|good|fine|nice|please|continue|proceed|go|do|let'?s|sounds|looks|both|neither|all of|option|[a-d1-9][).]?$|the (?:first|second|third|last|latter|former)|that one|this one|ja|genau|mach|weiter|oui|si|sí)\b/i
const FEW_WORDS = 14
const FEWEST_WORDS = 4
/** Limit of consecutive prompts followed back. */
const FURTHEST = 3
/** Largest share of dependencies; best turns first. */
const SHARE = 0.25

/** Dependencies follow their turn, without duplicates. Drops the worst turns first. */
export async function withNeeds(
  store: Store,
  chosen: readonly ChosenTurn[],
  { most, asked, agentId }: { readonly most: number; readonly asked: readonly string[]; readonly agentId: string },
): Promise<ChosenTurn[]> {
  const all = new Map<string, ChosenTurn>()
  const wanted = new Set(chosen.slice(0, most).map(({ id }) => id))
  const mostNeeded = Math.max(1, Math.floor(most * SHARE))
  let added = 0
  for (const turn of chosen) {
    if (all.size >= most) break
    all.set(turn.id, joined(all.get(turn.id), turn))
    const needs = added >= mostNeeded ? [] : await needsOf(store, turn.id, { asked, agentId })
    const cites = needs.length === 0 ? undefined : await shortTurnIds(store, [turn.id])
    for (const { id, how, messages } of needs) {
      if (all.size >= most || added >= mostNeeded || all.has(id) || wanted.has(id)) continue
      all.set(id, { id, messages, why: `needed by ${cites?.get(turn.id) ?? turn.id}: ${how}` })
      added += 1
    }
  }
  return [...all.values()]
}

function joined(known: ChosenTurn | undefined, turn: ChosenTurn): ChosenTurn {
  if (known === undefined) return turn
  const why = known.why.includes(turn.why) ? known.why : `${known.why}; ${turn.why}`
  const decides = known.decides ?? turn.decides
  return { ...known, why, messages: [...new Set([...known.messages, ...turn.messages])], ...given({ decides }) }
}

interface About {
  readonly asked: readonly string[]
  readonly agentId: string
}

async function needsOf(store: Store, id: string, about: About): Promise<Need[]> {
  const turn = await turnOf(store, id, about)
  if (turn === undefined) return []
  const needs: Need[] = []
  let at = turn
  for (let steps = 0; steps < FURTHEST && at.parent_turn_id !== null; steps++) {
    const prompt = await promptOf(store, at)
    const parent = await turnOf(store, at.parent_turn_id, about)
    if (parent === undefined) break
    if (parent.turn_type === 'compaction') needs.push({ id: parent.id, how: 'the summary that it continues from', messages: [] })
    else if (prompt !== undefined && leansBack(prompt)) needs.push({ id: parent.id, how: 'what its prompt answers', messages: [] })
    else break
    at = parent
  }
  const decision = await decisionBefore(store, turn, about)
  return decision === undefined ? needs : [...needs, decision]
}

function leansBack(prompt: string): boolean {
  const count = prompt.trim().split(/\s+/).length
  return count <= FEWEST_WORDS || (count <= FEW_WORDS && ASSENT.test(prompt))
}

/** Same agent only: a session may continue another agent's. */
function turnOf(store: Store, id: string, { agentId }: About): Promise<TurnRow | undefined> {
  const query = store.read
    .selectFrom('agent_turns as t')
    .innerJoin('agent_sessions as s', 's.id', 't.session_id')
    .selectAll('t')
    .where('t.id', '=', id)
  return (agentId === 'all' ? query : query.where('s.agent_id', '=', agentId)).executeTakeFirst()
}

async function promptOf(store: Store, turn: TurnRow): Promise<string | undefined> {
  const [first] = JSON.parse(turn.query_message_ids) as string[]
  if (first === undefined) return undefined
  const row = await store.read.selectFrom('agent_messages').select('content').where('id', '=', first).executeTakeFirst()
  return row?.content ?? undefined
}

async function decisionBefore(store: Store, turn: TurnRow, { asked, agentId }: About): Promise<Need | undefined> {
  const terms = [...new Set(asked.flatMap((query) => askedTerms(query)))]
  if (terms.length === 0 || turn.timestamp === null) return undefined
  const query = store.read
    .selectFrom('decisions as d')
    .innerJoin('decision_terms as t', 't.event_id', 'd.event_id')
    .select(['d.turn_id', 'd.message', 'd.made_at', (eb) => eb.fn.countAll<number>().as('hits')])
    .where('d.session_id', '=', turn.session_id)
    .where('d.type', '=', 'decision')
    .where('d.trust', 'in', ['owner', 'agent'])
    .where('d.made_at', '<', turn.timestamp)
    .where('d.turn_id', 'is not', null)
    .where('d.turn_id', '!=', turn.id)
    .where('t.term', 'in', terms)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('decision_links as l').select('l.earlier_id').whereRef('l.earlier_id', '=', 'd.event_id'))),
    )
    .groupBy(['d.event_id', 'd.turn_id', 'd.message', 'd.made_at'])
  const rows = await (agentId === 'all' ? query : query.where('d.agent_id', '=', agentId)).execute()
  // A single shared word is chance.
  const about = rows.filter(({ hits }) => Number(hits) >= Math.min(2, terms.length))
  const best = about.toSorted((a, b) => Number(b.hits) - Number(a.hits) || b.made_at - a.made_at || (a.message < b.message ? -1 : 1))[0]
  return best?.turn_id == null ? undefined : { id: best.turn_id, how: 'the decision that it follows', messages: [best.message] }
}
