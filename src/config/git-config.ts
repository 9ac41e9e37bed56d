/** Parses git's configuration files itself: on a Mac without developer tools, starting git opens a dialog. */
import { readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expandHome } from './paths.ts'

export interface GitUser {
  readonly name?: string
  readonly email?: string
}

const MAX_INCLUDES = 10

/** Reads the user's global files only, never a repository's. */
export function readGitUser(env: NodeJS.ProcessEnv, homedir: string): GitUser {
  const user: { name?: string; email?: string } = {}
  for (const file of globalFiles(env, homedir)) collect(file, { user, homedir, depth: 0 })
  return user
}

function globalFiles(env: NodeJS.ProcessEnv, homedir: string): string[] {
  if (env.GIT_CONFIG_GLOBAL) return [env.GIT_CONFIG_GLOBAL]
  return [join(env.XDG_CONFIG_HOME || join(homedir, '.config'), 'git', 'config'), join(homedir, '.gitconfig')]
}

interface Collecting {
  readonly user: { name?: string; email?: string }
  readonly homedir: string
  readonly depth: number
}

function collect(file: string, into: Collecting): void {
  for (const { section, name, key, value } of gitEntries(smallText(file))) {
    if (name !== undefined) continue
    if (section === 'user' && key === 'name') into.user.name = value
    if (section === 'user' && key === 'email') into.user.email = value
    if (section === 'include' && key === 'path' && into.depth < MAX_INCLUDES) {
      collect(resolve(dirname(file), expandHome(value, into.homedir)), { ...into, depth: into.depth + 1 })
    }
  }
}

const MOST_BYTES = 1024 * 1024

/** Returns '' if the file is unreadable or too large: its content is only a guess, never a setting. */
export function smallText(file: string): string {
  try {
    const stat = statSync(file)
    return stat.isFile() && stat.size <= MOST_BYTES ? readFileSync(file, 'utf8') : ''
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return ''
  }
}

export interface GitEntry {
  readonly section: string
  readonly name: string | undefined
  readonly key: string
  readonly value: string
}

/** Later entries override earlier ones. Includes are not followed. */
export function* gitEntries(text: string): Generator<GitEntry> {
  let section = ''
  let name: string | undefined
  for (const line of text.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const header = /^\s*\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line)
    if (header) {
      section = (header[1] ?? '').toLowerCase()
      name = header[2]?.replace(/\\(.)/g, '$1')
    }
    const entry = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)$/.exec(header ? (header[3] ?? '') : line)
    if (entry && section !== '') yield { section, name, key: (entry[1] ?? '').toLowerCase(), value: unquote(entry[2] ?? '') }
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' }

function unquote(raw: string): string {
  let value = ''
  let kept = 0
  let quoted = false
  for (let i = 0; i < raw.length; i++) {
    const character = raw[i] ?? ''
    if (character === '"') quoted = !quoted
    else if (character === '\\') {
      i++
      value += ESCAPES[raw[i] ?? ''] ?? raw[i] ?? ''
    } else if (!quoted && (character === '#' || character === ';')) break
    else value += character
    if (quoted || !/\s/.test(character)) kept = value.length
  }
  return value.slice(0, kept)
}
