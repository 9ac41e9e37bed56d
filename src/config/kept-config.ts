/**
 * Config cache for short-lived hooks: loading parser and schema takes longer than a search. The key hashes every input. Ignored if another
 * user could have written the file.
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

function madeOf({ paths, env = process.env, overrides = {}, agent, homedir = systemHomedir() }: LoadOptions): string | undefined {
  try {
    const { mode, isFile } = statOf(paths.config)
    if (!isFile) return undefined
    const variables = Object.values(VARIABLES).map((name) => env[name] ?? null)
    const rest = JSON.stringify([packageVersion(), defaultConfig(), paths.config, mode, variables, overrides, agent ?? null, homedir])
    return createHash('sha256').update(rest).update(readFileSync(paths.config)).digest('hex')
  } catch {
    return undefined
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
    return undefined
  }
}
