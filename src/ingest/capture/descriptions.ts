/** Adapter facts that are needed without loading an adapter. */
import { homedir } from 'node:os'
import { isAbsolute, join, posix, win32 } from 'node:path'
import type { Adapter } from '../adapter.ts'

export type AdapterDescription = Pick<
  Adapter,
  'name' | 'rewritten' | 'readerVersion' | 'isLikely' | 'fillsGaps' | 'addressBook' | 'defaultPaths'
>

export interface SourceOptions {
  readonly paths?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly homedir?: string
  readonly platform?: NodeJS.Platform
}

interface Machine {
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  readonly platform: NodeJS.Platform
}

type Facts = Omit<AdapterDescription, 'name' | 'defaultPaths'> & { readonly paths?: (machine: Machine) => string[] }

/** Exports have no default path. */
const EXPORT: Facts = { readerVersion: 1, rewritten: true, isLikely: (path) => /conversations[^/\\]*\.json$|\.zip$/i.test(path) }

const SOURCES = {
  'claude-code': { paths: claudeCodePaths },
  codex: { readerVersion: 1, paths: codexPaths },
  cursor: { rewritten: true, paths: cursorPaths },
  openclaw: { readerVersion: 1, rewritten: true, paths: openclawPaths },
  pi: { paths: piPaths },
  nexus: { readerVersion: 1, rewritten: true, paths: nexusPaths },
  opencode: { readerVersion: 1, rewritten: true, paths: opencodePaths },
  // `GEMINI_CLI_HOME` replaces the home folder.
  'gemini-cli': { readerVersion: 1, rewritten: true, paths: ({ env, home }) => [join(env.GEMINI_CLI_HOME || home, '.gemini', 'tmp')] },
  chatgpt: EXPORT,
  'claude-ai': EXPORT,
  imessage: { rewritten: true, isLikely: isMessagesFile, paths: messagesPaths },
  calendar: { readerVersion: 1, rewritten: true, isLikely: (path) => /\.(?:ics|ical|icalendar)$|calendar[^/\\]*\.json$/i.test(path) },
  contacts: { readerVersion: 1, rewritten: true, addressBook: true, isLikely: (path) => /\.vcf$/i.test(path) },
  // The usual folder of an unpacked Takeout.
  gmail: { isLikely: (path) => /\.(?:mbox|eml)$|[/\\]mbox$/i.test(path), paths: ({ home }) => [join(home, 'Takeout', 'Mail')] },
  'aix-agents': { readerVersion: 1, rewritten: true, fillsGaps: true },
  jsonl: {},
} satisfies Readonly<Record<string, Facts>>

export type SourceName = keyof typeof SOURCES

/** Built-in names are reserved. */
export function isSourceName(name: string): name is SourceName {
  return Object.hasOwn(SOURCES, name)
}

export function describeSource(name: SourceName, options: SourceOptions = {}): AdapterDescription {
  const { paths = () => [], ...facts }: Facts = SOURCES[name]
  const machine = () => ({
    env: options.env ?? process.env,
    home: options.homedir ?? homedir(),
    platform: options.platform ?? process.platform,
  })
  return { name, ...facts, defaultPaths: () => options.paths ?? paths(machine()) }
}

// Same rule on every platform, except for Cursor.

function claudeCodePaths({ env, home }: Machine): string[] {
  const configured = (env.CLAUDE_CONFIG_DIR ?? '').split(',').map((folder) => folder.trim())
  const folders = configured.filter((folder) => folder !== '')
  const roots = folders.length > 0 ? folders : [join(home, '.claude'), join(home, '.config', 'claude')]
  return roots.map((root) => join(root, 'projects'))
}

function codexPaths({ env, home }: Machine): string[] {
  const root = filled(env.CODEX_HOME) ?? join(home, '.codex')
  return [join(root, 'sessions'), join(root, 'archived_sessions')]
}

const OPENCLAW_NAMES = ['openclaw', 'moltbot', 'clawdbot']

function openclawPaths({ env, home }: Machine): string[] {
  const configured = OPENCLAW_NAMES.map((name) => filled(env[`${name.toUpperCase()}_STATE_DIR`])).filter((folder) => folder !== undefined)
  const profile = filled(env.OPENCLAW_PROFILE)
  const own = profile !== undefined && profile !== 'default' ? [`.openclaw-${profile}`] : []
  const folders = [...own, ...OPENCLAW_NAMES.map((name) => `.${name}`)]
  const roots = configured.length > 0 ? configured : folders.map((folder) => join(home, folder))
  return roots.map((root) => join(root, 'agents'))
}

/** Oh My Pi is a fork with its own folder. */
function piPaths({ env, home }: Machine): string[] {
  const sessions = filled(env.PI_CODING_AGENT_SESSION_DIR)
  if (sessions !== undefined) return [sessions]
  const agent = filled(env.PI_CODING_AGENT_DIR)
  if (agent !== undefined) return [join(agent, 'sessions')]
  return [join(home, '.pi', 'agent', 'sessions'), join(home, '.omp', 'agent', 'sessions')]
}

function nexusPaths({ env, home }: Machine): string[] {
  const state = filled(env.NEXUS_STATE_DIR)
  if (state !== undefined) return [state]
  const root = filled(env.NEXUS_ROOT)
  return root === undefined ? [join(home, 'nexus', 'state'), join(home, '.nexus', 'state')] : [join(root, 'state')]
}

/** OpenCode follows XDG on macOS and Windows too. */
function opencodePaths({ env, home }: Machine): string[] {
  const data = join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode')
  const named = env.OPENCODE_DB
  if (named === undefined || named === '' || named === ':memory:') return [data]
  return [data, isAbsolute(named) ? named : join(data, named)]
}

function cursorPaths(machine: Machine): string[] {
  const { join } = machine.platform === 'win32' ? win32 : posix
  const editor = join(cursorEditor(machine), 'User')
  const paths = [join(editor, 'globalStorage', 'state.vscdb'), join(editor, 'workspaceStorage')]
  for (const root of cursorAgents(machine)) paths.push(join(root, 'chats'), join(root, 'projects'))
  return paths
}

function cursorEditor({ env, home, platform }: Machine): string {
  if (platform === 'win32') return win32.join(filled(env.APPDATA) ?? win32.join(home, 'AppData', 'Roaming'), 'Cursor')
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'Cursor')
  return posix.join(filled(env.XDG_CONFIG_HOME) ?? posix.join(home, '.config'), 'Cursor')
}

/** The editor writes transcripts to `~/.cursor` even if the CLI uses another folder. */
function cursorAgents({ env, home, platform }: Machine): string[] {
  const { join } = platform === 'win32' ? win32 : posix
  const configured = filled(env.CURSOR_CONFIG_DIR)
  const xdg = platform === 'win32' || platform === 'darwin' ? undefined : filled(env.XDG_CONFIG_HOME)
  const shared = join(home, '.cursor')
  const own = configured ?? (xdg === undefined ? shared : join(xdg, 'cursor'))
  return own === shared ? [shared] : [own, shared]
}

/** macOS only; phone backups have no fixed place. */
function messagesPaths({ home, platform }: Machine): string[] {
  return platform === 'darwin' ? [posix.join(home, 'Library', 'Messages', 'chat.db')] : []
}

/** Includes its name in a phone backup. */
export function isMessagesFile(path: string): boolean {
  return /(?:^|[/\\])(?:chat\.db|sms\.db|3d0d7e5fb2ce288813306e4d4636395e047a3d28)$/i.test(path)
}

function filled(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim()
}
