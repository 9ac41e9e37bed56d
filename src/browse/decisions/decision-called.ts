/** Finds a decision by `d:3f2a1c9d`, by its event, or by a turn that states only one. */
import { MnemonicError } from '../../core/error.ts'
import type { Store } from '../../store/store.ts'

export interface CalledDecision {
  readonly event_id: string
  readonly made_at: number
  readonly agent_id: string
}

const KEY = /^d:([0-9a-f]{6,16})$/i

export async function decisionCalled(
  store: Store,
  name: string,
  options: { readonly agentId: string; turnOf(name: string): Promise<string | undefined> },
): Promise<CalledDecision> {
  let query = store.read.selectFrom('decisions').select(['event_id', 'made_at', 'agent_id'])
  if (options.agentId !== 'all') query = query.where('agent_id', '=', options.agentId)
  const key = KEY.exec(name)?.[1]?.toLowerCase()
  const turn = key === undefined && !name.startsWith('derived:') ? await options.turnOf(name) : undefined
  const rows =
    key !== undefined
      ? await query.where('key', '>=', key).where('key', '<', `${key}g`).limit(2).execute()
      : turn !== undefined
        ? await query.where('turn_id', '=', turn).limit(2).execute()
        : await query.where('event_id', '=', name).execute()
  const [one, another] = rows
  if (one === undefined)
    throw new MnemonicError('NOT_FOUND', `no decision is called ${JSON.stringify(name)}`, {
      details: { id: name },
      hint: 'To see them with their ids: mnemonic decisions',
    })
  if (another !== undefined)
    throw new MnemonicError('AMBIGUOUS_ID', `more than one decision is called ${JSON.stringify(name)}`, {
      details: { id: name },
      hint: 'Name it by its own id, d:…: mnemonic decisions',
    })
  return one
}
