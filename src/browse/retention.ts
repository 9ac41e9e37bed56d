/** What a harness deletes of its logs and when, by its settings or default. Only reads settings files. */
import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parse } from 'jsonc-parser'
import type { Retention } from '../core/retention-words.ts'

interface Rule {
  readonly setting: string
  readonly file: string
  readonly days: number
  read(settings: Settings): number | null | undefined
}

type Settings = Readonly<Record<string, unknown>>

const RULES: Readonly<Record<string, Rule>> = {
  'claude-code': {
    ...{ setting: 'cleanupPeriodDays', file: 'settings.json', days: 30 },
    read: ({ cleanupPeriodDays: days }) => (typeof days === 'number' && days >= 0 ? days : undefined),
  },
  'gemini-cli': {
    ...{ setting: 'general.sessionRetention', file: 'settings.json', days: 30 },
    read(settings) {
      const { enabled, maxAge } = within(settings, 'general', 'sessionRetention')
      return enabled === false ? null : daysOf(maxAge)
    },
  },
  openclaw: {
    ...{ setting: 'session.maintenance', file: 'openclaw.json', days: 30 },
    read(settings) {
      const { mode, pruneAfter, pruneDays } = within(settings, 'session', 'maintenance')
      // It then only reports what it would delete.
      return mode === 'warn' ? null : (daysOf(pruneAfter) ?? (typeof pruneDays === 'number' ? pruneDays : undefined))
    },
  },
}

/** These delete nothing unasked. */
const KEEP_ALL: readonly string[] = ['codex', 'cursor', 'opencode', 'pi']

/** Undefined if unknown. With several folders the shortest time counts. */
export async function retentionOf(source: string, folders: readonly string[]): Promise<Retention | undefined> {
  if (KEEP_ALL.includes(source)) return { days: null, setting: null, path: null }
  const rule = RULES[source]
  if (rule === undefined) return undefined
  const found: Retention[] = []
  for (const folder of folders) {
    const path = join(dirname(folder), rule.file)
    const days = rule.read(await settingsIn(path))
    found.push(days === undefined ? { days: rule.days, setting: rule.setting, path: null } : { days, setting: rule.setting, path })
  }
  return found.sort((a, b) => (a.days ?? Number.POSITIVE_INFINITY) - (b.days ?? Number.POSITIVE_INFINITY))[0]
}

const MOST_BYTES = 4_000_000

/** Empty if missing or unreadable: the harness then uses its default, too. */
async function settingsIn(path: string): Promise<Settings> {
  try {
    const { size } = await stat(path)
    const value: unknown = size > MOST_BYTES ? undefined : parse(await readFile(path, 'utf8'))
    return isSettings(value) ? value : {}
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return {}
  }
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function within(settings: Settings, ...names: readonly string[]): Settings {
  let at = settings
  for (const name of names) {
    const next = at[name]
    if (!isSettings(next)) return {}
    at = next
  }
  return at
}

const DAYS: Readonly<Record<string, number>> = { m: 1 / 1440, h: 1 / 24, d: 1, w: 7 }

/** `30d`, `24h`, `4w`; a bare number means days. */
function daysOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  const [, count, unit] = /^\s*(\d+(?:\.\d+)?)\s*([mhdw])?\s*$/i.exec(typeof value === 'string' ? value : '') ?? []
  return count === undefined ? undefined : Number(count) * (DAYS[(unit ?? 'd').toLowerCase()] ?? 1)
}
