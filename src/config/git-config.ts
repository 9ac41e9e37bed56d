/** What git's configuration files say, read without git: on a Mac without developer tools starting it opens a dialog. */
import { dirname, join, resolve } from 'node:path'
import { expandHome } from './paths.ts'
import { smallText } from './small-text.ts'

export interface GitUser {
  readonly name?: string
  readonly email?: string
}

const MAX_INCLUDES = 10

/** Name and address of `[user]` in the owner's own files. What cannot be read counts as empty: this is a guess, not a setting. */
export function readGitUser(env: NodeJS.ProcessEnv, homedir: string): GitUser {
  const user: { name?: string; email?: string } = {}
  for (const file of globalFiles(env, homedir)) collect(file, { user, homedir, depth: 0 })
  return user
}

/** In git's order: the later one wins. */
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
  for (const { section, key, value } of gitEntries(smallText(file))) {
    if (section === 'user' && key === 'name') into.user.name = value
    if (section === 'user' && key === 'email') into.user.email = value
    if (section === 'include' && key === 'path' && into.depth < MAX_INCLUDES) {
      collect(resolve(dirname(file), expandHome(value, into.homedir)), { ...into, depth: into.depth + 1 })
    }
  }
}

export interface GitEntry {
  /** In lower case, with its subsection as it is written: `user`, `remote.origin`. */
  readonly section: string
  /** In lower case. */
  readonly key: string
  readonly value: string
}

/** The settings of one file, in order. Includes are not followed. */
export function* gitEntries(text: string): Generator<GitEntry> {
  let section = ''
  for (const line of text.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const header = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line)
    if (header) {
      const name = (header[1] ?? '').toLowerCase()
      section = header[2] === undefined ? name : `${name}.${header[2].replace(/\\(.)/g, '$1')}`
    }
    const entry = /^\s*([A-Za-z][\w-]*)\s*=\s*(.*)$/.exec(header ? (header[3] ?? '') : line)
    if (entry && section !== '') yield { section, key: (entry[1] ?? '').toLowerCase(), value: unquote(entry[2] ?? '') }
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' }

/** Quotes dropped, escapes resolved, a comment outside quotes and the space before it cut off. */
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
