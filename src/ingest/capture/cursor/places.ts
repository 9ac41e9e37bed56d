/** Where Cursor keeps its conversations on this machine: the editor's own storage, and the folder it shares with the CLI. Pure. */
import { posix, win32 } from 'node:path'

export interface PlacesOptions {
  readonly env: NodeJS.ProcessEnv
  readonly homedir: string
  readonly platform: NodeJS.Platform
}

export function defaultPlaces(options: PlacesOptions): string[] {
  const { join } = options.platform === 'win32' ? win32 : posix
  const editor = join(editorRoot(options), 'User')
  const places = [join(editor, 'globalStorage', 'state.vscdb'), join(editor, 'workspaceStorage')]
  for (const root of agentRoots(options)) places.push(join(root, 'chats'), join(root, 'projects'))
  return places
}

function editorRoot({ env, homedir, platform }: PlacesOptions): string {
  if (platform === 'win32') return win32.join(given(env.APPDATA) ?? win32.join(homedir, 'AppData', 'Roaming'), 'Cursor')
  if (platform === 'darwin') return posix.join(homedir, 'Library', 'Application Support', 'Cursor')
  return posix.join(given(env.XDG_CONFIG_HOME) ?? posix.join(homedir, '.config'), 'Cursor')
}

/** The editor writes its transcripts to `~/.cursor` even where the CLI is told to use another folder. */
function agentRoots({ env, homedir, platform }: PlacesOptions): string[] {
  const { join } = platform === 'win32' ? win32 : posix
  const configured = given(env.CURSOR_CONFIG_DIR)
  const xdg = platform === 'win32' || platform === 'darwin' ? undefined : given(env.XDG_CONFIG_HOME)
  const shared = join(homedir, '.cursor')
  const own = configured ?? (xdg === undefined ? shared : join(xdg, 'cursor'))
  return own === shared ? [shared] : [own, shared]
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim()
}
