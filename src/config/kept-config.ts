/**
 * The configuration as it was read before, for a process that has little time: parser and schema take longer to load than a search takes.
 * Known by what it was made of (the file, the variables, the options, this version), so that nothing stale is ever taken; whatever is wrong
 * with it, the configuration is loaded as always; so it is where another user could have written it. It holds no more than config.yaml itself, and nothing that was refused.
 */
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { homedir as systemHomedir } from 'node:os'
import { join } from 'node:path'
import { readOwnFile, writeOwnFile } from '../core/own-file.ts'
import { packageVersion } from '../core/version.ts'
import { defaultConfig, VARIABLES } from './defaults.ts'
import type { LoadedConfig, LoadOptions } from './load.ts'
import { openConfig } from './open-config.ts'

/** In the folder of what a hook keeps for the next one. */
const FOLDER = 'code'
const NAME = 'config.json'

export async function keptConfig(options: LoadOptions): Promise<LoadedConfig> {
  const made = madeOf(options)
  if (made === undefined) return openConfig(options)
  const file = join(options.paths.home, FOLDER, NAME)
  const kept = read(file, made)
  if (kept !== undefined) return kept
  const loaded = await openConfig(options)
  writeOwnFile(file, JSON.stringify({ made, loaded }))
  return loaded
}

/** Undefined where there is no file to save the time for. */
function madeOf({ paths, env = process.env, overrides = {}, agent, homedir = systemHomedir() }: LoadOptions): string | undefined {
  try {
    const { mode, isFile } = statOf(paths.config)
    if (!isFile) return undefined
    const variables = Object.values(VARIABLES).map((name) => env[name] ?? null)
    const rest = JSON.stringify([packageVersion(), defaultConfig(), paths.config, mode, variables, overrides, agent ?? null, homedir])
    return createHash('sha256').update(rest).update(readFileSync(paths.config)).digest('hex')
  } catch {
    return undefined // loading it says why
  }
}

function statOf(path: string): { mode: number; isFile: boolean } {
  const stat = statSync(path)
  return { mode: stat.mode, isFile: stat.isFile() }
}

function read(file: string, made: string): LoadedConfig | undefined {
  try {
    const kept = JSON.parse(readOwnFile(file)?.toString('utf8') ?? 'null') as { made: string; loaded: LoadedConfig } | null
    return kept?.made === made ? kept.loaded : undefined
  } catch {
    return undefined // half a file
  }
}
