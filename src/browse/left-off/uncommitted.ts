/**
 * Files that a session changed and did not commit, from tool calls. Edits add, commits remove. Printed `git status` and `git diff --stat`
 * win, since people commit by hand between prompts.
 */
import type { Deeds } from '../../ledgers/deeds/deeds.ts'
import { isAbsolute } from '../../ledgers/deeds/path.ts'

/** Commands in a temporary folder or a new repository. */
const ELSEWHERE =
  /\bgit init\b|\bmktemp\b|\bcd ["']?(?:\/private)?\/(?:tmp|var\/folders)\b|\bgit -C ["']?(?:\/private)?\/(?:tmp|var\/folders)\//
const GIT = '\\bgit(?: -[cC] \\S+| --?[a-z][\\w=-]*)*'
const COMMIT = new RegExp(`${GIT} commit\\b`)
const ADD = new RegExp(`${GIT} add((?: [^&|;\\n]+)?)`, 'g')
const STATUS = new RegExp(`${GIT} (?:status|stash pop|stash apply)\\b([^&|;\\n]*)`)
/** A diff against the index or HEAD, without range or path. */
const DIFF_STAT = new RegExp(`${GIT} diff(?: HEAD)?(?: --stat(?:=\\S+)?| --name-only| --name-status)(?: HEAD)?\\s*(?:2>|&&|\\||;|$)`)
const DISCARD = new RegExp(`${GIT} (?:reset --hard|checkout (?:-- )?\\.|restore \\.|stash(?: push| save|\\s*(?:&&|;|$)))`)
const RESTORE = new RegExp(`${GIT} (?:checkout|restore) (?:HEAD |--source\\S* )?(?:-- )?((?:[\\w@.-]*[./][\\w@./-]+ ?)+)`)
const CLEAN = /\bnothing to commit, working tree clean\b|\bSuccessfully rebased and updated\b/
const COMMITTED = /^\[[^\]\n]{1,120} [0-9a-f]{7,40}\] |\bfiles? changed, \d+ (?:insertion|deletion)/m
/** Never committed: plans and settings of harnesses, git's files, temporary files. */
const IGNORED =
  /(?:^|\/)(?:\.git|node_modules)\/|(?:^|\/)\.(?:claude|codex|cursor|gemini)\/(?:plans|todos|projects)\/|^(?:\/private)?\/(?:tmp|var\/folders|var\/tmp)\//
const MOST_FILES = 2_000

export interface ChangedPaths {
  add(deeds: Deeds, result: string, isDone: boolean): void
  files(): string[]
}

/** `roots`: folders of the project, innermost first. Ignores files outside. */
export function changedPaths(roots: readonly string[]): ChangedPaths {
  let changed = new Map<string, { readonly isNew: boolean }>()
  let staged: string[] | undefined

  function touch(path: string, isNew: boolean): void {
    const short = within(path, roots)
    if (short === undefined || IGNORED.test(short)) return
    const before = changed.get(short)
    changed.delete(short)
    if (changed.size < MOST_FILES) changed.set(short, { isNew: before?.isNew ?? isNew })
  }

  function run(command: string, result: string, { failed }: Deeds): void {
    if (!command.includes('git') || ELSEWHERE.test(command)) return
    for (const [, names = ''] of command.matchAll(ADD)) staged = added(staged, names)
    if (!failed && DISCARD.test(command) && !/stash (?:pop|apply)/.test(command)) changed = new Map()
    if (!failed) for (const path of (RESTORE.exec(command)?.[1] ?? '').split(' ')) if (path !== '') drop(path)
    if (COMMIT.test(command) && (COMMITTED.test(result) || (!failed && result.trim() === ''))) {
      // After `git add` of names, only those were committed.
      if (staged === undefined || /commit (?:\S+ )*(?:-a\b|-am\b|--all\b)/.test(command)) changed = new Map()
      else for (const path of staged) drop(path)
      staged = undefined
    }
    if (CLEAN.test(result)) changed = new Map()
    const asked = STATUS.exec(command)
    if (asked !== null) seen(statusIn(result), { isWhole: !/\s[\w./]/.test(asked[1] ?? ''), withNew: true })
    else if (DIFF_STAT.test(command)) seen(statsIn(result, changed.keys()), { isWhole: true, withNew: false })
  }

  function drop(path: string): void {
    const name = path.replace(/^\.\//, '').replace(/\/$/, '')
    for (const known of [...changed.keys()])
      if (known === name || name === '.' || known.endsWith(`/${name}`) || name.endsWith(`/${known}`) || known.startsWith(`${name}/`))
        changed.delete(known)
  }

  /** git's list is complete, except that a diff omits new files. */
  function seen(listed: readonly string[] | undefined, { isWhole, withNew }: { isWhole: boolean; withNew: boolean }): void {
    if (listed === undefined) return
    const before = changed
    const same = (path: string, name: string) =>
      path === name || path.endsWith(`/${name}`) || name.endsWith(`/${path}`) || path.startsWith(name)
    if (isWhole) {
      const kept = [...before].filter(([path, { isNew }]) => (isNew && !withNew) || listed.some((name) => same(path, name)))
      changed = new Map(kept)
    }
    for (const name of listed)
      if (![...changed.keys()].some((path) => same(path, name)) && !IGNORED.test(name)) changed = first(name, changed)
  }

  return {
    add(deeds, result, isDone) {
      for (const { path, action } of deeds.files) if (action !== 'read') touch(path, action === 'create')
      // Without a result, the outcome of a command is unknown.
      if (isDone) for (const command of deeds.commands) run(command, result, deeds)
    },
    files: () => [...changed.keys()].reverse(),
  }
}

/** Files that the session did not touch come last. */
function first(name: string, changed: ReadonlyMap<string, { readonly isNew: boolean }>): Map<string, { readonly isNew: boolean }> {
  return new Map([[name, { isNew: false }], ...changed])
}

/** Undefined: everything is staged. */
function added(before: string[] | undefined, names: string): string[] | undefined {
  const words = names
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '' && !word.startsWith('-'))
  if (words.length === 0 || words.includes('.') || /(?:^|\s)(?:-A|--all|-u)\b/.test(names)) return undefined
  return [...(before ?? []), ...words.map((word) => word.replace(/^["']|["']$/g, ''))]
}

function within(path: string, roots: readonly string[]): string | undefined {
  const plain = path.replaceAll('\\', '/')
  if (!isAbsolute(plain)) return plain.startsWith('..') ? undefined : plain.replace(/^\.\//, '')
  const root = roots.find((one) => plain.startsWith(`${one}/`))
  return root === undefined ? undefined : plain.slice(root.length + 1)
}

const LONG = /^\s+(?:modified|new file|deleted|renamed|both modified|both added|typechange|copied):\s+(?:.+ -> )?(\S.*)$/
const SHORT = /^(?:[ MADRCU?!]{2}) (?:.+ -> )?([\w.@/[\]+ -]*[\w\])/])$/
const MOST_LISTED = 500

/** Paths in `git status`, long or short form. Empty for a clean tree, undefined if it shows neither. */
export function statusIn(text: string): string[] | undefined {
  const lines = text.split('\n', MOST_LISTED)
  const found: string[] = []
  let isUntracked = false
  for (const line of lines) {
    const listed = LONG.exec(line)?.[1] ?? (line.startsWith('!!') ? undefined : SHORT.exec(line)?.[1])
    if (listed !== undefined) found.push(listed.trim())
    else if (/^Untracked files:/.test(line)) isUntracked = true
    else if (isUntracked && /^\t\S/.test(line)) found.push(line.trim())
    else if (line.trim() !== '' && !/^\s*\(/.test(line)) isUntracked = false
  }
  return found.length > 0 || CLEAN.test(text) ? found : undefined
}

const STAT = /^ ?(\S.*?)\s+\|\s+(?:\d+|Bin)\b/

function statsIn(text: string, known: Iterable<string>): string[] | undefined {
  const paths = [...known]
  const found = text.split('\n', MOST_LISTED).flatMap((line) => {
    const path = STAT.exec(line)?.[1]?.replace(/^\.\.\.\/?/, '')
    // git cuts long paths at the beginning.
    return path === undefined ? [] : [paths.find((one) => one === path || one.endsWith(`/${path}`)) ?? path]
  })
  return found.length > 0 ? found : undefined
}
