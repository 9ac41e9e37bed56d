import { existsSync } from 'node:fs'
import { given } from '../core/given.ts'
import type { JobHooks } from '../jobs/options.ts'
import { META, readMeta } from '../store/meta.ts'
import type { Home } from './open-home.ts'

export async function completeRepair(home: Home, hooks: JobHooks = {}): Promise<void> {
  const options = given({ signal: hooks.signal, onProgress: hooks.onProgress })
  const needs = await readMeta((await home.open(hooks.signal)).read, META.repairPending)
  if (needs === undefined) return
  const stages = await home.stages(hooks.signal)
  if (needs === 'index') await (await import('../jobs/index.ts')).runIndex(stages, { ...options, scope: 'new', embed: false })
  else {
    const parts = await (await import('../jobs/analyze-parts.ts')).analyzeParts(stages)
    await (await import('../jobs/rebuild.ts')).runRebuild(stages, options, parts)
    // Rows about published files come only from the files.
    if (existsSync(home.paths.memory)) await (await import('./artifacts.ts')).artifacts(home).recover(options)
  }
}
