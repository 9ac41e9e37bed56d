/** Reads parameters by name, so unknown tools work too. Pure. */
import { isRecord } from './json.ts'
import { patchedFiles } from './patch.ts'
import { type FileAction, type FileDeed, plainPath } from './path.ts'
import type { CallResult } from './result.ts'
import type { ToolKind } from './tools.ts'

export interface NamedDeeds {
  readonly commands: string[]
  readonly files: FileDeed[]
  readonly patterns: string[]
  readonly urls: string[]
  readonly folder: string | undefined
}

const COMMAND = new Set('command cmd commandline script shellcommand cmdline'.split(' '))
const FILE = new Set(
  'filepath path file filename notebookpath targetfile relativeworkspacepath absolutepath absolutefilepath targetpath filepaths paths files targetfiles relativepath uri'.split(
    ' ',
  ),
)
const PATTERN = new Set(
  'pattern patterns query queries regex glob globpattern searchterm searchterms search q includepattern filepattern keywords'.split(' '),
)
const URL = new Set('url urls uri href link'.split(' '))
const FOLDER = new Set('workdir cwd workingdirectory directory'.split(' '))
const OLD = new Set('oldpath source sourcepath from src srcpath'.split(' '))
const NEW = new Set('newpath destination destinationpath to dest destpath movepath targetpath'.split(' '))
const ACTIONS: Readonly<Partial<Record<ToolKind, FileAction>>> = { read: 'read', edit: 'edit', create: 'create', delete: 'delete' }
/** Subcommands of Anthropic's text editor tool. */
const EDITOR: Readonly<Record<string, FileAction>> = {
  view: 'read',
  create: 'create',
  str_replace: 'edit',
  insert: 'edit',
  undo_edit: 'edit',
}
const SHELLS = /^(?:.{0,200}[\\/])?(?:ba|z|da|k|fi)?sh(?:\.exe)?$|^(?:.{0,200}[\\/])?(?:pwsh|powershell|cmd)(?:\.exe)?$/
const DEEPEST = 4
const MOST = 200

interface At {
  readonly kind: ToolKind
  readonly action: FileAction | undefined
  readonly folder: string | undefined
  readonly deeds: NamedDeeds
}

export function namedDeeds(params: unknown, kind: ToolKind, result: CallResult): NamedDeeds {
  const folder = isRecord(params) ? folderOf(params) : undefined
  const deeds: NamedDeeds = { commands: [], files: [], patterns: [], urls: [], folder }
  if (typeof params === 'string') {
    const patched = patchedFiles(params, folder)
    deeds.files.push(...patched)
    if (patched.length === 0 && kind === 'shell' && params.trim() !== '') deeds.commands.push(params)
    return deeds
  }
  const editor = isRecord(params) && typeof params.command === 'string' ? EDITOR[params.command] : undefined
  const action = editor ?? ACTIONS[kind]
  const settled = action === 'create' && result.existed === true ? 'edit' : action
  const at = { kind: editor === undefined ? kind : (settled ?? kind), action: settled, folder, deeds } as const
  if (editor === undefined) addCommand(params, at)
  collect(params, at, 0)
  return deeds
}

function folderOf(params: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, value] of Object.entries(params).slice(0, MOST))
    if (typeof value === 'string' && FOLDER.has(plain(key))) return plainPath(value)
  return undefined
}

function addCommand(params: unknown, { kind, deeds }: At): void {
  if (!isRecord(params)) return
  for (const [key, value] of Object.entries(params).slice(0, MOST)) {
    if (!COMMAND.has(plain(key)) && !(kind === 'shell' && (key === 'code' || key === 'input'))) continue
    const command = typeof value === 'string' ? value : Array.isArray(value) ? joined(value) : ''
    if (command.trim() !== '') deeds.commands.push(command)
  }
}

/** `["bash", "-lc", "npm test"]` ran `npm test`. */
function joined(words: readonly unknown[]): string {
  const texts = words.slice(0, 1_000).filter((word) => typeof word === 'string')
  const [shell = '', option = ''] = texts
  return SHELLS.test(shell) && /^[-/][a-z]{0,4}c$/i.test(option) ? texts.slice(2).join(' ') : texts.join(' ')
}

function collect(value: unknown, at: At, depth: number): void {
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value).slice(0, MOST)) {
    if (typeof item === 'string') named(plain(key), item, at)
    else if (Array.isArray(item) && item.every((text) => typeof text === 'string')) {
      for (const text of item.slice(0, MOST)) named(plain(key), text, at)
    } else if (plain(key) === 'changes' && isRecord(item)) changes(item, at)
    else collect(item, at, depth + 1)
  }
}

function named(key: string, text: string, { kind, action, folder, deeds }: At): void {
  if (text === '') return
  if (URL.has(key) && /^https?:\/\//i.test(text)) deeds.urls.push(text)
  else if (kind === 'move' && (OLD.has(key) || NEW.has(key))) addFile(deeds, text, folder, OLD.has(key) ? 'delete' : 'create')
  else if (FILE.has(key)) {
    if (action !== undefined) addFile(deeds, text, folder, action)
  } else if (PATTERN.has(key) && (kind === 'search' || kind === 'list' || kind === 'fetch' || kind === 'other')) deeds.patterns.push(text)
  else if (!COMMAND.has(key)) deeds.files.push(...patchedFiles(text, folder))
}

function addFile(deeds: NamedDeeds, text: string, folder: string | undefined, action: FileAction): void {
  const path = plainPath(text, folder)
  if (path !== undefined) deeds.files.push({ path, action })
}

/** Codex lists changes by file name. */
function changes(item: Readonly<Record<string, unknown>>, { deeds, folder }: At): void {
  for (const [path, change] of Object.entries(item).slice(0, MOST)) {
    const type = isRecord(change) ? (change.type ?? Object.keys(change)[0]) : undefined
    addFile(deeds, path, folder, type === 'add' ? 'create' : type === 'delete' ? 'delete' : 'edit')
    const moved = isRecord(change) ? change.move_path : undefined
    if (typeof moved === 'string') addFile(deeds, moved, folder, 'create')
  }
}

const plainKeys = new Map<string, string>()

function plain(key: string): string {
  let name = plainKeys.get(key)
  if (name === undefined) {
    name = key
      .slice(0, 100)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
    if (plainKeys.size < 2_000) plainKeys.set(key, name)
  }
  return name
}
