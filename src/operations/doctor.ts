/** Is the machine fit for Mnemonic? Looks at program, folders, settings, sources and database. Repairs nothing by itself. */
import { existsSync } from 'node:fs'
import { listSources } from '../browse/sources.ts'
import { loadConfig } from '../config/load.ts'
import { resolveOwner } from '../config/owner.ts'
import type { Paths } from '../config/paths.ts'
import type { Config } from '../config/schema.ts'
import { PERSONAL_SOURCES } from '../config/source-names.ts'
import { asMnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { plural } from '../core/text.ts'
import type { EngineInUse } from '../embed/embedding.ts'
import type { Adapter } from '../ingest/adapter.ts'
import type { Store } from '../store/store.ts'
import { diskCheck, fileCheck, folderCheck, gitCheck } from './doctor-files.ts'
import type { DoctorCheck, DoctorReport } from './report.ts'

export interface DoctorOptions {
  readonly paths: Paths
  /** Gives the store, and the caller closes it; when it throws, doctor reports that and continues. */
  readonly open: () => Promise<Store>
  readonly adapters: readonly Adapter[]
  /** Which of them are on; all, where it is left out. */
  readonly enabled?: (adapter: string) => boolean
  /** What only the engine can say of itself: versions, extensions, integrity. */
  readonly engine?: (store: Store) => Promise<readonly DoctorCheck[]>
  /** What runs the embedding model; when it throws, doctor says so. */
  readonly embedding?: () => Promise<EngineInUse>
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
    sources: () => sourceChecks(options, store),
  }
  const checks: DoctorCheck[] = []
  for (const [name, step] of Object.entries(steps)) checks.push(...(await answerOf(name, step)))
  return { ok: checks.every((check) => check.ok), checks }
}

/** A check that fails must not keep the others from running. */
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

/** Without a valid configuration, what would be guessed. */
function ownerCheck(set: Config['owner'] | undefined, { path, env }: { path: string; env: NodeJS.ProcessEnv }): DoctorCheck {
  const { name, emails, timezone } = resolveOwner({ owner: set ?? { phones: [] } }, { env })
  const found = `${name ?? 'no name'}, ${emails.length === 0 ? 'no address' : emails.join(', ')}, ${timezone}`
  const guessed = set?.name === undefined || set.timezone === undefined || set.emails === undefined
  return { name: 'owner', ok: true, found, ...given({ hint: guessed ? `Partly guessed. To be sure, set owner in ${path}.` : undefined }) }
}

/** A slow engine is no fault; how to get the faster one is worth knowing. */
function embeddingCheck({ name, model, engine, advice }: EngineInUse): DoctorCheck {
  const found = name === 'minilm' ? `${model} on ${engine}` : `${model} of ${name} (${engine})`
  return { name: 'embedding', ok: true, found, ...given({ hint: advice }) }
}

async function sourceChecks(
  { adapters, enabled = () => true }: Pick<DoctorOptions, 'adapters' | 'enabled'>,
  store: Store | undefined,
): Promise<DoctorCheck[]> {
  const isPersonal = (name: string) => (PERSONAL_SOURCES as readonly string[]).includes(name)
  // A disabled harness is looked for too; a personal source only with consent, so nothing is said about it.
  const sources = await listSources(adapters, { store, enabled: (name) => !isPersonal(name) || enabled(name) })
  return sources.map(({ name, kind, enabled: on, units, waiting, places, warnings }) => {
    if (kind === 'personal' && !on) return { name: `source ${name}`, ok: true, found: 'off: not looked at' }
    if (kind === 'derived' && units === 0) return { name: `source ${name}`, ok: true, found: 'reads only what --path names' }
    const there = places.filter(({ exists }) => exists).map(({ path }) => path)
    const where = there.length === 0 ? 'no folder here' : there.join(', ')
    return {
      name: `source ${name}`,
      ok: warnings.length === 0,
      ...(units === 0 && there.length === 0 && warnings.length === 0 ? { absent: true as const } : {}),
      found: `${plural(units, 'unit')}, ${waiting.toLocaleString('en-US')} new or changed: ${where}`,
      ...given({ hint: warnings.length === 0 ? undefined : warnings.slice(0, 3).join('\n') }),
    }
  })
}
