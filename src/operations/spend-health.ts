import { plural } from '../core/text.ts'
import { toIso } from '../core/time.ts'
import { AGENT_CAP_KEYS } from '../roles/writer/agent/agent-caps.ts'
import { type Budget, type Caps, type Spent, type SpentBy, spentOn, sumOf } from '../store/spend.ts'
import type { Store } from '../store/store.ts'
import { type Answer, degraded, ok, type SpendReport } from './report.ts'

export type SpendCaps = Readonly<Partial<Record<Budget, Caps>>>

export async function spendHealth(store: Store, caps: SpendCaps, now: number): Promise<Answer> {
  const spent = await spentOn(store.read, toIso(now).slice(0, 10))
  for (const [budget, cap] of Object.entries(caps) as [Budget, Caps][]) {
    const reached = reachedCap(sumOf(spent, budget), cap)
    if (reached === undefined) continue
    const key = budget === 'agent' ? AGENT_CAP_KEYS[reached] : `${budget}.${reached}`
    const message = `today's limit is reached: ${key} is ${cap[reached]}; ${described(spent)}`
    return degraded(message, `It continues tomorrow; or raise ${key} in config.yaml.`)
  }
  return ok(spent.length === 0 ? "below today's limits: no model was paid today" : `below today's limits: ${described(spent)}`)
}

export async function spendReport(store: Store, now: number): Promise<SpendReport[]> {
  const spent = await spentOn(store.read, toIso(now).slice(0, 10))
  return spent.map(({ purpose, calls, input, output, usd }) => ({ purpose, calls, input_tokens: input, output_tokens: output, usd }))
}

function reachedCap({ calls, tokens, usd }: Spent, cap: Caps): keyof Caps | undefined {
  if (tokens > 0 && tokens >= cap.daily_tokens) return 'daily_tokens'
  if (usd > 0 && usd >= cap.daily_usd) return 'daily_usd'
  return cap.daily_calls !== undefined && calls > 0 && calls >= cap.daily_calls ? 'daily_calls' : undefined
}

function described(spent: readonly SpentBy[]): string {
  const number = (value: number) => value.toLocaleString('en-US')
  return spent
    .map(({ purpose, calls, input, output, usd }) => {
      const money = usd > 0 ? `, $${usd.toFixed(usd < 0.1 ? 4 : 2)}` : ''
      return `${purpose} ${plural(calls, 'call')}, ${number(input + output)} tokens${money}`
    })
    .join('; ')
}
