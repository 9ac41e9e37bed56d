/** Builds all objects from the configuration, lazily: loading everything takes longer than most calls. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Artifacts } from '../artifacts/artifacts.ts'
import { openConfig } from '../config/open-config.ts'
import { type Owner, resolveOwner } from '../config/owner.ts'
import { type Paths, resolvePaths, TOMBSTONE_FILE } from '../config/paths.ts'
import type { Config } from '../config/schema.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { type Embedding, embedding } from '../embed/embedding.ts'
import type { StartedWorker } from '../embed/minilm/started-worker.ts'
import type { ForgetStep } from '../forget/context.ts'
import type { Adapter } from '../ingest/adapter.ts'
import type { ForgetStages } from '../jobs/forget.ts'
import type { JobHooks } from '../jobs/options.ts'
import { interruptible } from '../store/interruptible.ts'
import type { Store } from '../store/store.ts'
import { gatedStore } from '../store/tool-gate.ts'
import type { OpenMnemonicOptions } from './mnemonic.ts'

export interface Home {
  readonly paths: Paths
  readonly config: Config
  readonly warnings: readonly string[]
  readonly clock: Clock
  readonly vectors: Embedding
  owner(): Owner
  adapters(): Promise<Adapter[]>
  /** The database as it is: only for calls that show no text of it. */
  open(signal?: AbortSignal): Promise<Store>
  /** The database without anything forgotten here or in another copy. */
  current(signal?: AbortSignal): Promise<Store>
  stages(signal?: AbortSignal): Promise<ForgetStages>
  unsettledStages(signal?: AbortSignal): Promise<ForgetStages>
  /** `asksModel`: the configured model writes sentences. */
  artifacts(agentId: string, hooks?: JobHooks, more?: { readonly asksModel: boolean }): Promise<Artifacts>
  close(): Promise<void>
}

export interface TestHooks {
  readonly onForgetStep?: (step: ForgetStep) => void | Promise<void>
  /** Least bytes for which a sync uses a second thread. */
  readonly besideFrom?: number
}

export interface HomeOptions extends TestHooks {
  /** For hooks: opens the database as it is or fails at once. Never creates, migrates, settles or waits. */
  readonly asIs?: boolean
  readonly readConfig?: typeof openConfig
  readonly started?: StartedWorker
}

export async function openHome(
  options: OpenMnemonicOptions,
  { onForgetStep: onStep, besideFrom, asIs, readConfig = openConfig, started }: HomeOptions,
): Promise<Home> {
  const { adapters: brought = [] } = options
  const own = brought.length > 0 ? (await import('./own-adapters.ts')).ownAdapters(brought) : []
  const paths = resolvePaths(options)
  const { config, warnings } = await readConfig({ paths, overrides: options.config, agent: options.agent })
  const clock = options.clock ?? systemClock
  let guessed: Owner | undefined
  const owner = () => {
    guessed ??= resolveOwner(config)
    return guessed
  }
  const sqlite = () => import('../store/sqlite/open.ts')
  let isClosed = false
  const opened = once(async (signal?: AbortSignal) => {
    const store = await (await sqlite()).openSqlite({ path: paths.database, clock, signal, onProgress: options.onMigrate, asIs })
    if (store.readOnly) options.onReadOnly?.(store.readOnly)
    return gatedStore(store, config.index.tools)
  })
  const database = {
    ...opened,
    get(signal?: AbortSignal) {
      if (!isClosed) return opened.get(signal)
      return Promise.reject(new MnemonicError('USAGE', 'this memory is closed', { hint: 'Open it again with openMnemonic().' }))
    },
  }
  const vectors = embedding({
    ...{ config: config.embedding, paths, clock, embedder: options.embedder },
    agentId: config.agent === 'all' ? 'main' : config.agent,
    store: (signal) => database.get(signal),
    ...given({ started }),
  })
  // Custom adapters first: the plainest built-in one claims many files.
  const adapters = async () => [...own, ...(await import('../ingest/adapters.ts')).builtInAdapters(config, paths)]

  async function artifacts(agentId: string, hooks: JobHooks = {}, { asksModel } = { asksModel: false }): Promise<Artifacts> {
    const { artifacts: open } = await import('../artifacts/artifacts.ts')
    const { ignoreMatcher } = await import('../config/ignore.ts')
    const { max_lines: maxLines, max_bytes: maxBytes, exclude, quiet_minutes: quiet } = config.memory
    const store = interruptible(await database.get(hooks.signal), hooks.signal)
    const where = { store, workspace: paths.workspace, clock, agentId, quietMs: quiet * 60_000 }
    const asked = { config: config.analyze, store, clock, configFile: paths.config }
    const isAsked = asksModel && config.analyze.provider !== 'rules'
    const writer = isAsked ? (await import('../analyze/llm/write-sentence.ts')).modelSentences(asked) : undefined
    return open({ ...where, budget: { maxLines, maxBytes }, exclude: ignoreMatcher(exclude), ...given({ writer }), ...hooks })
  }

  async function unsettledStages(signal?: AbortSignal): Promise<ForgetStages> {
    const made = await import('../jobs/stages.ts')
    const store = interruptible(await database.get(signal), signal)
    const qmdDir = config.qmd.dir ?? join(paths.home, config.agent === 'main' ? 'qmd' : `qmd-${config.agent}`)
    return {
      ...made.stages({
        store,
        config,
        clock,
        owner: owner(),
        paths,
        adapters: await adapters(),
        embedding: vectors,
        qmdDir,
        configFile: paths.config,
        besideFrom,
      }),
      ...{ paths, timezone: owner().timezone, artifacts },
      openCopy: async (path) => (await sqlite()).openSqlite({ path, clock }),
      ...given({ onStep }),
    }
  }

  async function stages(signal?: AbortSignal): Promise<ForgetStages> {
    const made = await unsettledStages(signal)
    await (await import('../jobs/forget.ts')).settleForgotten(made)
    return made
  }

  return {
    ...{ paths, config, warnings, clock, vectors, owner, adapters, artifacts, stages, unsettledStages },
    open: (signal) => database.get(signal),
    async current(signal) {
      const store = await database.get(signal)
      // Without this file nothing was forgotten here: one check on disk saves seven modules and a query.
      if (existsSync(join(paths.workspace, TOMBSTONE_FILE))) {
        const { isSettled, holdsEveryTombstone } = await import('../tombstones/settled.ts')
        if (store.readOnly && !(await holdsEveryTombstone(store, paths.workspace))) throw unsettled()
        if (!store.readOnly && !(await isSettled(store, paths.workspace))) await (asIs ? Promise.reject(unsettled()) : stages(signal))
      }
      return interruptible(store, signal)
    },
    async close() {
      isClosed = true
      await vectors.close()
      await (await database.made())?.close()
    },
  }
}

/** Records forgotten in another copy must be removed before anything is shown. */
function unsettled(): MnemonicError {
  return new MnemonicError('JOB_RUNNING', 'what was forgotten elsewhere is not yet removed here', { hint: 'mnemonic sync removes it.' })
}

interface Once<T, A extends unknown[] = []> {
  get(...given: A): Promise<T>
  /** Undefined if it was never created. */
  made(): Promise<T | undefined>
}

/** Creates a thing on first use. A failure is not cached: the next call retries. */
export function once<T, A extends unknown[] = []>(make: (...given: A) => Promise<T>): Once<T, A> {
  let made: Promise<T> | undefined
  return {
    get(...given) {
      made ??= make(...given).catch((error: unknown) => {
        made = undefined
        throw error
      })
      return made
    },
    made: async () => made,
  }
}
