/** The largest `budget_ms` in config.yaml. Used until the configuration is loaded, which takes part of the budget itself. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The default of `agents.defaults.memory.read.budget_ms`. */
export const DEFAULT_BUDGET_MS = 400

export function expectedBudget(home: string | undefined): number {
  try {
    const text = home === undefined ? '' : readFileSync(join(home, 'config.yaml'), 'utf8')
    return Math.max(DEFAULT_BUDGET_MS, ...[...text.matchAll(/\bbudget_ms["']?\s*:\s*(\d{1,6})/g)].map(([, ms]) => Number(ms)))
  } catch {
    return DEFAULT_BUDGET_MS // loading the configuration reports the reason
  }
}
