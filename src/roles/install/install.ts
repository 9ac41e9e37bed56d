/** Plans everything before the first write. The files alone say what is installed: there is no separate record. */
import { rmdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { MnemonicError } from '../../core/error.ts'
import { redactVisible } from '../../core/redact.ts'
import { backupOf, ChangedMeanwhile, dropBackup, type Found, readBackup, readPart, requireWritable, writePart } from './change-text.ts'
import type { Harness, Told, When } from './harness.ts'
import { lineDiff } from './line-diff.ts'
import { type Machine, mustRun, run } from './machine.ts'
import type { ConfigPart } from './part.ts'
import type { Program } from './program.ts'

/** snake_case: this is the JSON of `install` and `uninstall NAME`. */
export interface InstallReport {
  readonly name: string
  readonly title: string
  readonly dry_run: boolean
  readonly changed: boolean
  readonly files: readonly InstalledFile[]
  readonly commands: readonly string[]
  readonly notes: readonly string[]
}

export interface InstalledFile {
  readonly path: string
  readonly what: string
  readonly change: 'created' | 'changed' | 'unchanged' | 'removed'
  readonly backup: string | null
  readonly diff: string | null
}

export interface InstallContext {
  readonly machine: Machine
  readonly program: Program
}

export interface InstallOptions {
  readonly dryRun?: boolean | undefined
}

interface Planned {
  readonly part: ConfigPart
  readonly found: Found
  readonly text: string | undefined
  readonly backup: boolean
}

export function install(harness: Harness, { machine, program }: InstallContext, options: InstallOptions = {}): InstallReport {
  const { dryRun = false } = options
  const parts = harness.parts(machine, program)
  if (parts.length === 0) throw nowhere(harness)
  const isThere = harness.detect(machine)
  const plan = parts.map((part) => planAdding(part))
  const changes = plan.filter(({ found, text }) => found.text !== text)
  const told = changes.length > 0 ? (harness.commands?.(machine, 'installed') ?? []) : []
  if (!dryRun) {
    for (const { part } of changes) requireWritable(part)
    const written: Planned[] = []
    try {
      for (const one of changes) written.push(writeAgain(one, planAdding))
      tell(machine, told)
    } catch (error) {
      for (const one of written.reverse()) undo(one)
      throw error
    }
  }
  const absent = isThere ? [] : [`Nothing of ${harness.title} was found on this machine. It is ready for when it comes.`]
  return {
    ...reportOf(harness, dryRun, plan, told),
    notes: [...absent, ...program.notes, ...(harness.notes?.(machine) ?? [])],
  }
}

export function uninstall(harness: Harness, { machine, program }: InstallContext, options: InstallOptions = {}): InstallReport {
  const { dryRun = false } = options
  const parts = harness.leftovers?.(machine, program) ?? harness.parts(machine, program)
  const plan = parts.map((part) => planRemoving(part))
  const changes = plan.filter(({ found, text }) => found.text !== text)
  const commands = (when: When) => (changes.length > 0 ? (harness.commands?.(machine, when) ?? []) : [])
  const before = commands('before-removal')
  const after = commands('removed')
  if (!dryRun) {
    for (const { part } of changes) requireWritable(part)
    tell(machine, before)
    // In reverse order: references go before what they name.
    for (const one of changes.toReversed()) {
      writeAgain(one, planRemoving)
      dropBackup(one.part)
      if (one.text === undefined && one.part.place === undefined) removeOwnFolder(one.part.path)
    }
    tell(machine, after)
  }
  return { ...reportOf(harness, dryRun, plan, [...before, ...after]), notes: [] }
}

export interface Registered {
  readonly name: string
  readonly found: readonly { readonly path: string; readonly what: string }[]
  readonly warnings: readonly string[]
}

export function registeredIn(harness: Harness, { machine, program }: InstallContext): Registered {
  const found: { path: string; what: string }[] = []
  const warnings: string[] = []
  for (const part of harness.leftovers?.(machine, program) ?? harness.parts(machine, program)) {
    try {
      const { text } = readPart(part)
      if (text !== undefined && text.trim() !== '' && part.holds(text)) found.push({ path: part.path, what: part.what })
    } catch (error) {
      if (!(error instanceof MnemonicError)) throw error
      warnings.push(error.message)
    }
  }
  return { name: harness.name, found, warnings }
}

function planAdding(part: ConfigPart): Planned {
  const found = readPart(part)
  const held = found.text !== undefined && found.text.trim() !== '' && part.holds(found.text)
  return { part, found, text: part.add(found.text), backup: found.text !== undefined && !held }
}

function planRemoving(part: ConfigPart): Planned {
  const found = readPart(part)
  const text = found.text === undefined || found.text.trim() === '' ? found.text : part.remove(found.text, readBackup(part))
  return { part, found, text, backup: false }
}

const TRIES = 5

/** Harnesses write these files too: replans on the newer content. */
function writeAgain(first: Planned, planAgain: (part: ConfigPart) => Planned): Planned {
  let planned = first
  for (let i = 0; i < TRIES; i++) {
    try {
      if (planned.found.text !== planned.text) writePart(planned.part, planned)
      return planned
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error
      planned = planAgain(first.part)
    }
  }
  throw new MnemonicError('STORAGE_ERROR', `${first.part.path} is being written by another program`, {
    details: { path: first.part.path },
    hint: 'Close the harness, then run it again.',
  })
}

function undo({ part, found, text }: Planned): void {
  writePart(part, { found: { ...found, text }, text: found.text, backup: false })
  dropBackup(part)
}

function tell(machine: Machine, commands: readonly Told[]): void {
  for (const { words, mayFail = false } of commands) {
    const [command, ...args] = words
    if (mayFail) run(machine, command, args)
    else mustRun(machine, command, args)
  }
}

const PLUGIN_FOLDERS = ['mnemonic', 'plugins', 'extensions']

function removeOwnFolder(path: string): void {
  try {
    for (let folder = dirname(path); PLUGIN_FOLDERS.includes(basename(folder)); folder = dirname(folder)) rmdirSync(folder)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

function reportOf(harness: Harness, dryRun: boolean, plan: readonly Planned[], told: readonly Told[]): Omit<InstallReport, 'notes'> {
  const files = plan.map(({ part, found, text, backup }): InstalledFile => {
    const change = found.text === text ? 'unchanged' : found.text === undefined ? 'created' : text === undefined ? 'removed' : 'changed'
    return {
      path: part.path,
      what: part.what,
      change,
      backup: change === 'changed' && backup && part.place === undefined ? backupOf(part) : null,
      diff: dryRun && change !== 'unchanged' ? redactVisible(lineDiff(part.path, found.text, text)) : null,
    }
  })
  const changed = files.some(({ change }) => change !== 'unchanged')
  return { name: harness.name, title: harness.title, dry_run: dryRun, changed, files, commands: told.map(({ words }) => words.join(' ')) }
}

function nowhere(harness: Harness): MnemonicError {
  return new MnemonicError('NOT_SUPPORTED', `${harness.title}: this machine has neither systemd for users, nor launchd, nor crontab`, {
    details: { name: harness.name },
    hint: 'Run "mnemonic sync" by whatever starts programs at times here, or let "mnemonic sync --watch" run.',
  })
}
