/**
 * The configuration as it was read before, for a process that has little time: parser and schema take longer to load than a search takes.
 * Known by what it was made of (the file, the variables, the options, this version), so that nothing stale is ever taken; whatever is wrong
 * with it, the configuration is loaded as always. It holds no more than config.yaml itself, and nothing that was refused.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir as systemHomedir } from 'node:os'
import { join } from 'node:path'
import { dropFile } from '../core/drop-file.ts'
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
  write(file, { made, loaded })
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
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { made: string; loaded: LoadedConfig }
    return kept.made === made ? kept.loaded : undefined
  } catch {
    return undefined // none yet, or half a file
  }
}

function write(file: string, kept: { readonly made: string; readonly loaded: LoadedConfig }): void {
  const temporary = `${file}.${process.pid}`
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, JSON.stringify(kept), { mode: 0o600 })
    renameSync(temporary, file)
  } catch {
    dropFile(temporary) // a full or read-only disk: the next process loads it again
  }
}
