/** Read-only, but removes temporary files of killed processes. */
import { existsSync } from 'node:fs'
import { listSources } from '../browse/sources.ts'
import { loadConfig } from '../config/load.ts'
import { resolveOwner } from '../config/owner.ts'
import type { Paths } from '../config/paths.ts'
import type { Config } from '../config/schema.ts'
import { PERSONAL_SOURCES } from '../config/source-names.ts'
import type { Clock } from '../core/clock.ts'
import { asMnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { oldestWords, retentionWords } from '../core/retention-words.ts'
import { plural } from '../core/text.ts'
import type { EngineInUse } from '../embed/embedding.ts'
import type { Adapter } from '../ingest/adapter.ts'
import type { Store } from '../store/store.ts'
import { diskCheck, fileCheck, folderCheck, gitCheck } from './doctor-files.ts'
import type { DoctorCheck, DoctorReport } from './report.ts'
import type { TimerState } from './timer-state.ts'

export interface DoctorOptions {
  readonly paths: Paths
  /** The caller closes it. A throw becomes a finding. */
  readonly open: () => Promise<Store>
  readonly adapters: readonly Adapter[]
  /** If absent: all are on. */
  readonly enabled?: (adapter: string) => boolean
  readonly engine?: (store: Store) => Promise<readonly DoctorCheck[]>
  /** A throw becomes a finding. */
  readonly embedding?: () => Promise<EngineInUse>
  readonly sweep?: (store: Store) => Promise<number>
  readonly timer?: () => Promise<TimerState>
  readonly agent?: () => Promise<readonly DoctorCheck[]>
  readonly clock?: Clock
  readonly env?: NodeJS.ProcessEnv
  readonly nodeVersion?: string
}

type Step = () => Promise<DoctorCheck | readonly DoctorCheck[]>

const OLDEST_NODE = [20, 19] as const

export async function doctorReport(options: DoctorOptions): Promise<DoctorReport> {
  const { paths, env = process.env } = options
  let store: Store | undefined
  let owner: Config['owner'] | undefined
  const steps: Readonly<Record<string, Step>> = {
    node: async () => nodeCheck(options.nodeVersion ?? process.versions.node),
    home: () => folderCheck('home', paths.home),
    workspace: () => folderCheck('workspace', paths.workspace),
    config: async () => {
      const loaded = loadConfig({ paths, env })
      owner = loaded.config.owner
      return configCheck(paths.config, loaded.warnings)
    },
    owner: async () => ownerCheck(owner, { path: paths.config, env }),
    git: () => gitCheck(env),
    database: async () => {
      store = await options.open()
      return { name: 'database', ok: true, found: store.location }
    },
    database_rights: () => fileCheck('database_rights', paths.database),
    engine: async () => (store === undefined || options.engine === undefined ? [] : options.engine(store)),
    embedding: async () => (options.embedding === undefined ? [] : embeddingCheck(await options.embedding())),
    disk: async () => diskCheck(paths.home, (await store?.file?.size()) ?? 0),
    leftovers: async () => (store === undefined || options.sweep === undefined ? [] : leftoverCheck(await options.sweep(store))),
    agent: async () => (await options.agent?.()) ?? [],
    sources: () => sourceChecks(options, store),
    timer: async () => (options.timer === undefined ? [] : timerCheck(await options.timer())),
  }
  const checks: DoctorCheck[] = []
  for (const [name, step] of Object.entries(steps)) checks.push(...(await answerOf(name, step)))
  return { ok: checks.every((check) => check.ok), checks }
}

async function answerOf(name: string, step: Step): Promise<readonly DoctorCheck[]> {
  try {
    return [await step()].flat()
  } catch (thrown) {
    const error = asMnemonicError(thrown)
    return [{ name, ok: false, found: error.message, ...given({ hint: error.hint }) }]
  }
}

function nodeCheck(version: string): DoctorCheck {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const ok = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
  return { name: 'node', ok, found: version, ...given({ hint: ok ? undefined : `Install Node.js ${OLDEST_NODE.join('.')} or newer.` }) }
}

function configCheck(path: string, warnings: readonly string[]): DoctorCheck {
  const found = existsSync(path) ? path : `${path} (not there: defaults)`
  return warnings.length === 0 ? { name: 'config', ok: true, found } : { name: 'config', ok: false, found, hint: warnings.join('\n') }
}

function ownerCheck(set: Config['owner'] | undefined, { path, env }: { path: string; env: NodeJS.ProcessEnv }): DoctorCheck {
  const { name, emails, timezone } = resolveOwner({ owner: set ?? { phones: [] } }, { env })
  const found = `${name ?? 'no name'}, ${emails.length === 0 ? 'no address' : emails.join(', ')}, ${timezone}`
  const guessed = set?.name === undefined || set.timezone === undefined || set.emails === undefined
  return { name: 'owner', ok: true, found, ...given({ hint: guessed ? `Partly guessed. To be sure, set owner in ${path}.` : undefined }) }
}

function leftoverCheck(removed: number): DoctorCheck[] {
  return removed === 0
    ? []
    : [{ name: 'leftovers', ok: true, found: `${plural(removed, 'half-written file')} of killed processes removed` }]
}

/** A slow engine is no fault. */
function embeddingCheck({ name, model, engine, advice }: EngineInUse): DoctorCheck {
  const found = name === 'minilm' ? `${model} on ${engine}` : `${model} of ${name} (${engine})`
  return { name: 'embedding', ok: true, found, ...given({ hint: advice }) }
}

/** A missing timer is no fault: hooks may replace it. */
function timerCheck({ installed, running, last_sync }: TimerState): DoctorCheck {
  const found = `${running === false ? 'installed, and not running' : installed ? 'sync runs every hour' : 'no sync runs by itself'}; last sync: ${last_sync ?? 'never'}`
  if (running === false) return { name: 'timer', ok: false, found, hint: 'Install it again: mnemonic install timer' }
  return {
    name: 'timer',
    ok: true,
    found,
    ...given({ hint: installed ? undefined : 'To keep what harnesses delete: mnemonic install timer' }),
  }
}

function hintOf(warnings: readonly string[], late: string | undefined): string | undefined {
  const lines = [...warnings.slice(0, 3), ...(late === undefined ? [] : [`${late}: mnemonic sync`])]
  return lines.length === 0 ? undefined : lines.join('\n')
}

async function sourceChecks(
  { adapters, enabled = () => true, clock = Date.now }: Pick<DoctorOptions, 'adapters' | 'enabled' | 'clock'>,
  store: Store | undefined,
): Promise<DoctorCheck[]> {
  const isPersonal = (name: string) => (PERSONAL_SOURCES as readonly string[]).includes(name)
  // Looks for disabled harnesses too, but for personal sources only with consent.
  const sources = await listSources(adapters, { store, enabled: (name) => !isPersonal(name) || enabled(name) })
  return sources.map(({ name, kind, enabled: on, units, waiting, oldest_waiting, retention, places, warnings }) => {
    if (kind === 'personal' && !on) return { name: `source ${name}`, ok: true, found: 'off: not looked at' }
    if (kind === 'derived' && units === 0) return { name: `source ${name}`, ok: true, found: 'reads only what --path names' }
    const there = places.filter(({ exists }) => exists).map(({ path }) => path)
    const where = there.length === 0 ? 'no folder here' : there.join(', ')
    return {
      name: `source ${name}`,
      ok: warnings.length === 0,
      ...(units === 0 && there.length === 0 && warnings.length === 0 ? { absent: true as const } : {}),
      found: `${plural(units, 'unit')}, ${waiting.toLocaleString('en-US')} new or changed: ${where}${retention === null ? '' : `; ${retentionWords(retention)}`}`,
      ...given({ hint: hintOf(warnings, oldestWords({ waiting, oldest_waiting, retention }, clock())) }),
    }
  })
}
