/** Replays the edits of sessions, one repository per clone, and records the author session of each line. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface OwnedLine {
  readonly repository: string
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly text: string
  readonly call: string | undefined
}

interface Edit {
  readonly at: number
  readonly call: string
  readonly path: string
  readonly before: string | undefined
  readonly after: string
}

interface Commit {
  readonly at: number
  readonly folder: string
  readonly subject: string
}

interface FileState {
  lines: readonly string[]
  owners: readonly (string | undefined)[]
}

type Match = (a: readonly string[], b: readonly string[]) => Int32Array

export interface Replayed {
  readonly lines: readonly OwnedLine[]
  readonly repositories: number
  readonly commits: number
  readonly edits: number
}

/** `roots`: folders of the clones; skips edits elsewhere. */
export function replay(logs: string, roots: readonly string[], into: string, match: Match, origin: string): Replayed {
  const { edits, commits } = readLogs(logs)
  const ordered = [...roots].sort((a, b) => b.length - a.length)
  const rootOf = (path: string) => ordered.find((root) => path.startsWith(`${root}/`) || path === root)
  const lines: OwnedLine[] = []
  const made = { repositories: 0, commits: 0, edits: 0 }
  for (const root of ordered) {
    const own = edits.filter(({ path }) => rootOf(path) === root && !path.startsWith(`${root}/.git/`))
    if (own.length === 0) continue
    const repository = join(into, String(made.repositories++).padStart(2, '0'))
    const result = replayOne({
      root,
      repository,
      origin,
      match,
      edits: own,
      commits: commits.filter(({ folder }) => rootOf(folder) === root),
    })
    made.commits += result.commits
    made.edits += own.length
    lines.push(...result.lines)
  }
  return { ...made, lines }
}

interface One {
  readonly root: string
  readonly repository: string
  readonly origin: string
  readonly match: Match
  readonly edits: readonly Edit[]
  readonly commits: readonly Commit[]
}

function replayOne({ root, repository, origin, match, edits, commits }: One): { lines: OwnedLine[]; commits: number } {
  mkdirSync(repository, { recursive: true })
  execFileSync('git', ['init', '-q', '-b', 'main', repository])
  execFileSync('git', ['-C', repository, 'remote', 'add', 'origin', `https://${origin}.git`])
  const files = new Map<string, FileState>()
  const changed = new Set<string>()
  const stream: string[] = []
  let count = 0
  const commit = (at: number, subject: string) => {
    if (changed.size === 0) return
    const time = `${Math.floor(at / 1000)} +0000`
    stream.push(`commit refs/heads/main\ncommitter Ada <ada@example.com> ${time}\ndata ${Buffer.byteLength(subject)}\n${subject}\n`)
    for (const name of changed) {
      const text = textOf(files.get(name) as FileState)
      stream.push(`M 100644 inline ${JSON.stringify(name)}\ndata ${Buffer.byteLength(text)}\n${text}\n`)
    }
    changed.clear()
    count++
  }
  const steps = [...edits.map((edit) => ({ at: edit.at, edit })), ...commits.map((one) => ({ at: one.at, commit: one }))]
  for (const step of steps.sort((a, b) => a.at - b.at)) {
    if ('commit' in step) {
      commit(step.at, step.commit.subject)
      continue
    }
    const { path, before, after, call } = step.edit
    const name = path.slice(root.length + 1)
    const known = files.get(name)
    if (before !== undefined && (known === undefined || textOf(known) !== before)) {
      files.set(name, written(known, before, undefined, match))
      changed.add(name)
      commit(step.at - 1000, 'Changes from outside')
    }
    files.set(name, written(files.get(name), after, call, match))
    changed.add(name)
  }
  const imported = spawnSync('git', ['-C', repository, 'fast-import', '--quiet', '--force'], { input: stream.join(''), maxBuffer: 1 << 28 })
  if (imported.status !== 0) throw new Error(String(imported.stderr))
  if (count > 0) execFileSync('git', ['-C', repository, 'reset', '-q', '--hard', 'main'])
  const lines: OwnedLine[] = []
  for (const [name, state] of files) {
    if (changed.has(name)) {
      mkdirSync(dirname(join(repository, name)), { recursive: true })
      writeFileSync(join(repository, name), textOf(state))
    }
    for (const [i, text] of state.lines.entries())
      if (text.trim() !== '') lines.push({ repository, file: name, line: i + 1, text, call: state.owners[i] })
  }
  return { lines, commits: count }
}

function written(known: FileState | undefined, text: string, call: string | undefined, match: Match): FileState {
  const lines = text.split('\n')
  if (known === undefined) return { lines, owners: lines.map(() => call) }
  const same = match(known.lines, lines)
  return { lines, owners: lines.map((_, i) => ((same[i] as number) >= 0 ? known.owners[same[i] as number] : call)) }
}

function textOf({ lines }: FileState): string {
  return lines.join('\n')
}

function readLogs(folder: string): { edits: Edit[]; commits: Commit[] } {
  const edits = new Map<string, Edit>()
  const commits: Commit[] = []
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((one) => one.endsWith('.jsonl'))
    .sort()) {
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      if (!line.includes('"toolUseResult"')) continue
      const record = JSON.parse(line) as LogRecord
      const { toolUseResult: result, timestamp, cwd = '' } = record
      const call = record.message?.content?.find?.(({ type }) => type === 'tool_result')?.tool_use_id
      const at = Date.parse(timestamp)
      if (call === undefined || typeof result !== 'object' || result === null) continue
      const printed = /(?:^|\n)\[[^\]\n]{1,200} [0-9a-f]{7,40}\] (.*)/.exec(result.stdout ?? '')
      if (printed !== null) commits.push({ at, folder: cwd, subject: printed[1] || 'Commit' })
      const after = afterOf(result)
      if (after === undefined || result.filePath === undefined || edits.has(call)) continue
      edits.set(call, { at, call, path: result.filePath, before: result.originalFile ?? undefined, after })
    }
  }
  return { edits: [...edits.values()], commits }
}

interface LogRecord {
  readonly timestamp: string
  readonly cwd?: string
  readonly message?: { readonly content?: { readonly type: string; readonly tool_use_id?: string }[] }
  readonly toolUseResult?: {
    readonly stdout?: string
    readonly filePath?: string
    readonly originalFile?: string | null
    readonly oldString?: string
    readonly newString?: string
    readonly replaceAll?: boolean
    readonly content?: string
    readonly structuredPatch?: unknown
  }
}

function afterOf({
  structuredPatch,
  originalFile,
  oldString,
  newString,
  replaceAll,
  content,
}: NonNullable<LogRecord['toolUseResult']>): string | undefined {
  if (structuredPatch === undefined) return undefined
  if (oldString === undefined || newString === undefined) return typeof content === 'string' ? content : undefined
  if (oldString === '') return newString
  if (typeof originalFile !== 'string' || !originalFile.includes(oldString)) return undefined
  return replaceAll ? originalFile.split(oldString).join(newString) : originalFile.replace(oldString, () => newString)
}
