/** Syncs once the folders are quiet. Polls missing folders and those that cannot be watched. */
import { existsSync, type FSWatcher, statSync, watch } from 'node:fs'
import { dirname, sep } from 'node:path'
import { asMnemonicError } from '../core/error.ts'
import { throwIfStopped } from '../core/stopped.ts'
import type { SyncReport } from '../ingest/sync-report.ts'
import { chosenSources } from './chosen-sources.ts'
import type { ForgetStages } from './forget.ts'
import type { SyncOptions } from './options.ts'
import { runSync } from './sync.ts'

export interface WatchOptions extends Omit<SyncOptions, 'path' | 'reread'> {
  /** The only way to stop. */
  readonly signal: AbortSignal
  /** After the first sync and each with changes. */
  readonly onSync: (report: SyncReport) => void
  readonly onPlace?: (place: WatchedPlace) => void
  /** Default 1 s. */
  readonly quietMs?: number
  /** Default 30 s. */
  readonly pollMs?: number
}

export interface WatchedPlace {
  readonly path: string
  /** absent: missing, checked periodically. */
  readonly how: 'watched' | 'polled' | 'absent'
  readonly why?: string
}

const QUIET_MS = 1000
const POLL_MS = 30_000
/** Limits the waits: a harness may never be quiet. */
const LONGEST_WAIT = 10

/** Throws INTERRUPTED or a permanent error. */
export async function runWatch(stages: ForgetStages, options: WatchOptions): Promise<never> {
  const { signal, onSync, onPlace, quietMs = QUIET_MS, pollMs = POLL_MS, ...sync } = options
  const roots = [...new Set(chosenSources(stages.adapters, stages.config, sync).flatMap((adapter) => adapter.defaultPaths()))]
  const { home, memory } = stages.paths
  const bell = changeBell(signal)
  const places = watchPlaces(roots, { changed: bell.ring, isOurs: (path) => isBelow(path, home) || isBelow(path, memory), onPlace })
  const timer = setInterval(() => {
    if (places.look()) bell.ring()
  }, pollMs)
  try {
    places.look()
    for (let first = true; ; first = false) {
      throwIfStopped(signal, 'sync --watch')
      bell.answer()
      try {
        const report = await runSync(stages, { ...sync, signal })
        if (first || report.totals.imported + report.totals.removed + report.totals.quarantined + report.published > 0) onSync(report)
      } catch (error) {
        // Another process is busy: retry.
        if (signal.aborted || asMnemonicError(error).code !== 'JOB_RUNNING') throw error
        bell.ring()
      }
      await bell.rung()
      for (let waits = 0; waits < LONGEST_WAIT && (await bell.again(quietMs)); waits++);
    }
  } finally {
    clearInterval(timer)
    places.close()
  }
}

/** Abort also wakes waiters. */
function changeBell(signal: AbortSignal) {
  let isRung = false
  let count = 0
  let wake: () => void = () => undefined
  const ring = () => {
    isRung = true
    count += 1
    wake()
  }
  signal.addEventListener('abort', () => wake(), { once: true })
  const woken = (ms?: number) =>
    new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  return {
    ring,
    answer() {
      isRung = false
    },
    async rung(): Promise<void> {
      if (!isRung && !signal.aborted) await woken()
    },
    /** Whether it rang again within `ms`. */
    async again(ms: number): Promise<boolean> {
      const before = count
      if (!signal.aborted) await woken(ms)
      return count > before && !signal.aborted
    },
  }
}

interface Watching {
  readonly changed: () => void
  readonly isOurs: (path: string) => boolean
  readonly onPlace: WatchOptions['onPlace']
}

function watchPlaces(roots: readonly string[], { changed, isOurs, onPlace }: Watching) {
  const watchers = new Map<string, FSWatcher>()
  const told = new Map<string, WatchedPlace['how']>()
  const polled = new Set<string>()
  const tell = (place: WatchedPlace) => {
    if (told.get(place.path) === place.how) return
    told.set(place.path, place.how)
    onPlace?.(place)
  }
  const poll = (root: string, error: unknown) => {
    watchers.get(root)?.close()
    watchers.delete(root)
    polled.add(root)
    tell({ path: root, how: 'polled', why: (error as NodeJS.ErrnoException).code ?? 'it cannot be watched' })
  }
  const start = (root: string) => {
    try {
      // A database changes in files beside it.
      const isFile = statSync(root).isFile()
      const folder = isFile ? dirname(root) : root
      const watcher = watch(folder, { recursive: !isFile, persistent: true }, (_, name) => {
        const path = name === null ? folder : `${folder}${sep}${name}`
        if (isFile ? path.startsWith(root) : !isOurs(path)) changed()
      })
      watcher.on('error', (error) => poll(root, error))
      watchers.set(root, watcher)
      tell({ path: root, how: 'watched' })
    } catch (error) {
      poll(root, error)
    }
  }
  return {
    /** Returns whether to sync. */
    look(): boolean {
      let came = false
      for (const root of roots) {
        if (!existsSync(root)) {
          watchers.get(root)?.close()
          watchers.delete(root)
          polled.delete(root)
          tell({ path: root, how: 'absent' })
        } else if (!watchers.has(root) && !polled.has(root)) {
          start(root)
          came = true
        }
      }
      return came || polled.size > 0
    },
    close() {
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep)
}
