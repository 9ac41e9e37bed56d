/** Lists the home's files, ours by name. Read-only. */
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { QMD_MARKER } from '../core/qmd-marker.ts'
import { readManifest } from './qmd-manifest.ts'

export interface HomeFile {
  readonly path: string
  /** Undefined: not ours. */
  readonly what: string | undefined
  readonly bytes: number
}

const FILES: readonly [RegExp, string][] = [
  [/^mnemonic\.db(-wal|-shm|-journal)?$/, 'the database'],
  [/^mnemonic\.db\.before-restore-[\w.-]+$/, 'the database that a restore kept aside'],
  [/^mnemonic\.db\.restoring-\d+(-wal|-shm|-journal)?$/, 'what a restore that was stopped left'],
  [/^config\.yaml$/, 'the configuration'],
  [/^hook-failures\.json(\.\d+)?$/, 'what hooks could not do'],
  [/^\.mnemonic-/, 'what a process that was stopped left'],
]

const FOLDERS: readonly [RegExp, RegExp, string][] = [
  [/^models$/, /\.onnx(\.tmp|\.proved(\.\d+)?)?$/, 'the embedding model'],
  [/^code$/, /^(?:(?:prompt|tool|others)-[0-9a-f]{16}\.bin|(?:config|gate)\.json)(\.\d+)?$/, 'what hooks keep for the next one'],
  [/^hook-traces$/, /^[0-9a-f]{32}\.json(\.\d+)?$/, 'what hooks could not queue'],
  [/^logs$/, /\.(log|jsonl)$/, 'logs'],
  [/^answers$/, /^[0-9a-f]{24}\.json$|^\.mnemonic-tmp-/, 'the numbers of the last answers'],
  [
    /^claude-code-plugin$/,
    /^(?:\.claude-plugin\/marketplace|plugins\/mnemonic\/(?:\.claude-plugin\/plugin|\.mcp|hooks\/hooks))\.json$|^plugins\/mnemonic\/commands\/recall\.md$/,
    'the plugin for Claude Code',
  ],
  [/^receipts$/, /\.(json|md|txt)$/, 'receipts of what was forgotten'],
]

export async function homeFiles(home: string): Promise<HomeFile[]> {
  if (!existsSync(home)) return []
  const found: HomeFile[] = []
  for (const name of readdirSync(home).sort()) {
    const path = join(home, name)
    if (lstatSync(path).isDirectory()) found.push(...(await folderFiles(path)))
    else found.push(file(path, FILES.find(([pattern]) => pattern.test(name))?.[1]))
  }
  return found
}

async function folderFiles(folder: string): Promise<HomeFile[]> {
  const known = FOLDERS.find(([pattern]) => pattern.test(basename(folder)))
  // A QMD export may have any name.
  const exported = existsSync(join(folder, QMD_MARKER)) ? await readManifest(folder) : undefined
  // A foreign folder may be large: not walked.
  if (known === undefined && exported === undefined) return [file(folder, undefined)]
  return filesBelow(folder).map((path) => {
    const within = path.slice(folder.length + 1)
    if (exported !== undefined && (within === QMD_MARKER || exported.has(within.replaceAll('\\', '/'))))
      return file(path, 'the export for QMD')
    return file(path, known?.[1].test(within) ? known[2] : undefined)
  })
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)]))
}

function file(path: string, what: string | undefined): HomeFile {
  return { path, what, bytes: lstatSync(path).size }
}
