/** Fast path: loads neither parser nor schema if nothing is configured. */
import { lstatSync } from 'node:fs'
import { defaultConfig, VARIABLES } from './defaults.ts'
import type { LoadedConfig, LoadOptions } from './load.ts'

export async function openConfig(options: LoadOptions): Promise<LoadedConfig> {
  if (isUnset(options)) return { config: defaultConfig(), warnings: [] }
  const { loadConfig } = await import('./load.ts')
  return loadConfig(options)
}

function isUnset({ paths, env = process.env, overrides = {}, agent }: LoadOptions): boolean {
  if (agent !== undefined || Object.keys(overrides).length > 0) return false
  return Object.values(VARIABLES).every((name) => !env[name]?.trim()) && isAbsent(paths.config)
}

/** Also false if lstat fails: reading the file then reports why. */
function isAbsent(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}
