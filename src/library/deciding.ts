import { MnemonicError } from '../core/error.ts'
import type { DecisionVerdict } from '../ledgers/owner-verdicts.ts'
import type { Mnemonic } from './mnemonic.ts'
import type { Home } from './open-home.ts'

export function deciding(home: Home): Pick<Mnemonic, 'decisions' | 'separateDecisions' | 'joinDecisions'> {
  const agentId = home.config.agent

  async function say(a: string, b: string, says: DecisionVerdict['says']): Promise<DecisionVerdict> {
    const [{ decisionCalled }, { resolveAny }, { putVerdict }, { followDecisions }] = await Promise.all([
      import('../browse/decisions/decision-called.ts'),
      import('../ledgers/resolve.ts'),
      import('../ledgers/owner-verdicts.ts'),
      import('../analyze/history/follow-decisions.ts'),
    ])
    const store = await home.current()
    const turnOf = async (name: string) => (await resolveAny(store, name, agentId === 'all' ? undefined : agentId))?.turn?.id
    const both = [await decisionCalled(store, a, { agentId, turnOf }), await decisionCalled(store, b, { agentId, turnOf })]
    const [earlier, later] = both.toSorted((x, y) => x.made_at - y.made_at || (x.event_id < y.event_id ? -1 : 1))
    if (earlier === undefined || later === undefined || earlier.event_id === later.event_id)
      throw new MnemonicError('USAGE', 'these are one and the same decision', { details: { a, b }, hint: 'Name two: mnemonic decisions' })
    const pair = { earlier: earlier.event_id, later: later.event_id, says }
    await store.write((tx) => putVerdict(tx, pair, { now: home.clock(), agentId: later.agent_id }))
    await followDecisions(store, {})
    return pair
  }

  return {
    async decisions(request = {}) {
      const { listDecisions } = await import('../browse/decisions/decisions.ts')
      return listDecisions(await home.current(), request, { agentId, timezone: home.owner().timezone, clock: home.clock })
    },
    separateDecisions: (a, b) => say(a, b, 'separate'),
    joinDecisions: (a, b) => say(a, b, 'join'),
  }
}
