/** The owner's own git settings, read from their files. Starts no git (on a Mac without developer tools that opens a dialog), and never reads a repository's settings. */
import { dirname, join, resolve } from 'node:path'
import { expandHome } from './paths.ts'
import { smallText } from './small-text.ts'

export interface GitUser {
  readonly name?: string
  readonly email?: string
}

const MAX_INCLUDES = 10

/** Name and address of `[user]`, as far as they are set. What cannot be read counts as empty: this is a guess, not a setting. */
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
  for (const { section, key, value } of parse(smallText(file))) {
    if (section === 'user' && key === 'name') into.user.name = value
    if (section === 'user' && key === 'email') into.user.email = value
    if (section === 'include' && key === 'path' && into.depth < MAX_INCLUDES) {
      collect(resolve(dirname(file), expandHome(value, into.homedir)), { ...into, depth: into.depth + 1 })
    }
  }
}

interface Entry {
  readonly section: string
  readonly key: string
  readonly value: string
}

/** Sections without a subsection are enough here: `[includeIf "…"]` depends on a repository and is left out. */
function* parse(text: string): Generator<Entry> {
  let section = ''
  for (const line of text.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const header = /^\s*\[\s*([A-Za-z0-9.-]+)\s*("(?:[^"\\]|\\.)*")?\s*\](.*)$/.exec(line)
    if (header) section = header[2] === undefined ? (header[1] ?? '').toLowerCase() : ''
    const entry = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)$/.exec(header ? (header[3] ?? '') : line)
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
