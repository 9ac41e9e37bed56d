/** git's view of lines: commit of each, old versions, and earlier removals of the same text. */
import { runGit } from '../git.ts'

export interface BlamedLine {
  readonly commit: string
  readonly name: string
  /** From 0, in that commit. */
  readonly at: number
}

export interface WhyCommit {
  readonly hash: string
  readonly author: string
  readonly authoredAt: number
  readonly committedAt: number
  readonly subject: string
  readonly message: string
}

export interface FileHistory {
  /** By line of HEAD, from 0. */
  readonly blamed: ReadonlyMap<number, BlamedLine>
  readonly commits: ReadonlyMap<string, WhyCommit>
  /** By `commit:name`. */
  readonly versions: ReadonlyMap<string, readonly string[]>
  /** Line text to times when commits removed it, newest first. */
  readonly removals: ReadonlyMap<string, readonly number[]>
  /** Commit to the time of the previous change of the file. */
  readonly previous: ReadonlyMap<string, number>
  readonly names: readonly string[]
}

const MOST_COMMITS = 400
const MOST_VERSIONS = 60
const LOG_BYTES = 16 << 20
const LOG_MS = 8_000

export type GitText = { readonly lines: readonly string[] } | { readonly problem: string }

export async function committedLines(root: string, name: string): Promise<GitText> {
  if (/[\n\r]/.test(name)) return { problem: 'the file’s name has a line break' }
  const found = (await objects(root, [`HEAD:${name}`])).get(`HEAD:${name}`)
  if (found !== undefined) return { lines: found }
  const { ok, reason } = await runGit({ root, args: ['rev-parse', '--verify', '--quiet', 'HEAD'] })
  return { problem: ok ? 'not committed' : reason === '' ? 'the repository has no commit' : reason }
}

export async function historyOf(
  root: string,
  name: string,
  ranges: readonly (readonly [number, number])[],
): Promise<FileHistory | { readonly problem: string }> {
  const blame = await runGit({
    root,
    args: ['blame', '--porcelain', '--no-textconv', ...ranges.flatMap(([from, to]) => ['-L', `${from + 1},${to + 1}`]), 'HEAD', '--', name],
  })
  if (!blame.ok) return { problem: blame.reason }
  const blamed = blamedLines(blame.out.toString('utf8'))
  const hashes = [...new Set([...blamed.values()].map(({ commit }) => commit))]
  const [commits, log] = await Promise.all([commitsOf(root, hashes), fileLog(root, name)])
  const wanted = [...new Set([...blamed.values()].map(({ commit, name: then }) => `${commit}:${then}`))].slice(0, MOST_VERSIONS)
  const versions = await objects(root, wanted)
  const names = [...new Set([name, ...[...blamed.values()].map(({ name: then }) => then), ...log.names])]
  return { blamed, commits, versions, removals: log.removals, previous: log.previous, names }
}

function blamedLines(text: string): Map<number, BlamedLine> {
  const found = new Map<number, BlamedLine>()
  const names = new Map<string, string>()
  let open: { commit: string; at: number; final: number } | undefined
  for (const line of text.split('\n')) {
    const header = /^([0-9a-f]{40,64}) (\d+) (\d+)(?: \d+)?$/.exec(line)
    if (line.startsWith('\t')) {
      if (open !== undefined) found.set(open.final, { commit: open.commit, name: names.get(open.commit) ?? '', at: open.at })
      open = undefined
    } else if (header !== null) open = { commit: header[1] as string, at: Number(header[2]) - 1, final: Number(header[3]) - 1 }
    else if (open !== undefined && line.startsWith('filename ')) names.set(open.commit, unquoted(line.slice('filename '.length)))
  }
  return found
}

/** git quotes names with control characters. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name
  try {
    return JSON.parse(name) as string
  } catch {
    return name // octal escapes: such names are not looked up
  }
}

async function commitsOf(root: string, hashes: readonly string[]): Promise<Map<string, WhyCommit>> {
  const found = new Map<string, WhyCommit>()
  if (hashes.length === 0) return found
  const format = '%H%x00%an%x00%at%x00%ct%x00%s%x00%B%x01'
  const { out } = await runGit({
    root,
    args: ['log', '--no-walk=unsorted', '--stdin', `--format=${format}`],
    input: `${hashes.join('\n')}\n`,
  })
  for (const row of out.toString('utf8').split('\u0001')) {
    const [hash = '', author = '', authored = '', committed = '', subject = '', message = ''] = row.replace(/^\n/, '').split('\0')
    if (hash !== '')
      found.set(hash, { hash, author, authoredAt: Number(authored) * 1000, committedAt: Number(committed) * 1000, subject, message })
  }
  return found
}

/** Texts removed by commits, through renames. Merges are skipped. */
async function fileLog(root: string, name: string) {
  const { out } = await runGit({
    ...{ root, timeoutMs: LOG_MS, maxBytes: LOG_BYTES },
    args: [
      ...['log', '--follow', '--no-ext-diff', '--no-textconv', '--no-color', '--unified=0', '-M', '-n', String(MOST_COMMITS)],
      ...['--format=%x01%H %at', '-p', 'HEAD', '--', name],
    ],
  })
  const removals = new Map<string, number[]>()
  const names = new Set<string>()
  const previous = new Map<string, number>()
  let later: string | undefined
  for (const commit of out.toString('utf8').split('\u0001').slice(1)) {
    const [head = '', ...body] = commit.split('\n')
    const [hash = '', time] = head.split(' ')
    const at = Number(time) * 1000
    if (later !== undefined) previous.set(later, at)
    later = hash
    const counts = new Map<string, number>()
    let isText = false
    for (const line of body) {
      if (line.startsWith('diff --git ')) isText = false
      else if (line.startsWith('@@')) isText = true
      else if (line.startsWith('rename from ')) names.add(line.slice('rename from '.length))
      else if (isText && line.startsWith('-')) counts.set(line.slice(1).trimEnd(), (counts.get(line.slice(1).trimEnd()) ?? 0) + 1)
      else if (isText && line.startsWith('+')) counts.set(line.slice(1).trimEnd(), (counts.get(line.slice(1).trimEnd()) ?? 0) - 1)
    }
    for (const [text, count] of counts) if (count > 0) removals.set(text, [...(removals.get(text) ?? []), at])
  }
  return { removals, previous, names: [...names] }
}

async function objects(root: string, wanted: readonly string[]): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  const asked = wanted.filter((one) => !/[\n\r]/.test(one))
  if (asked.length === 0) return found
  const { out } = await runGit({ root, args: ['cat-file', '--batch'], input: `${asked.join('\n')}\n` })
  let at = 0
  for (const one of asked) {
    const end = out.indexOf(10, at)
    if (end < 0) break
    const header = out.subarray(at, end).toString('utf8')
    at = end + 1
    const size = / blob (\d+)$/.exec(header)?.[1] ?? / (?:tree|commit|tag) (\d+)$/.exec(header)?.[1]
    if (size === undefined) continue // missing: one line, no body
    const body = out.subarray(at, at + Number(size))
    at += Number(size) + 1
    if (!/ blob \d+$/.test(header) || body.length < Number(size) || body.includes(0)) continue
    const lines = body
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .split(/\r?\n/)
    if (lines.at(-1) === '') lines.pop()
    found.set(one, lines)
  }
  return found
}
