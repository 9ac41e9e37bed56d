/** By remote if known, else by folder. Pure; independent of order. */
import { redactVisible } from '../../core/redact.ts'
import { NO_DECISIONS, type ProjectDecisions, standsFor } from './project-decisions.ts'

export interface Placed {
  readonly id: string
  /** Repository root, or folder. */
  readonly project: string
  /** From the folder or the source. */
  readonly origin: string | undefined
  /** From the session's commands. */
  readonly seen: string | undefined
}

export interface Identity {
  readonly repository: string | null
  readonly project_name: string
}

/** Minimum sessions: one command does not prove that a folder is a clone. */
const ENOUGH = 2
const MOST_OF_THEM = 2 / 3

export interface IdentityEvidence {
  readonly commits?: ReadonlyMap<string, ReadonlySet<string>>
  readonly decisions?: ProjectDecisions
}

export function identities(
  sessions: readonly Placed[],
  { commits = new Map(), decisions = NO_DECISIONS }: IdentityEvidence = {},
): Map<string, Identity> {
  const known = remotes(sessions)
  const joined = clonesByCommits(sessions, known, commits, decisions)
  const baseOf = ({ origin, project }: Placed) => {
    const key = origin ?? known.get(project) ?? joined.get(project) ?? project
    return decisions.isApart(project, key) ? project : key
  }
  // A folder merged before its remote was known now follows the remote.
  const folders = new Map(sessions.map((one) => [one.project, baseOf(one)]))
  const keyOf = (one: Placed) => {
    const { merged } = decisions
    const key = standsFor(merged, merged.has(one.project) ? one.project : baseOf(one))
    return standsFor(merged, folders.get(key) ?? key)
  }
  const keys = new Map(sessions.map((one) => [one.id, keyOf(one)]))
  const names = projectNames([...keys.values()])
  return new Map(
    sessions.map(({ id, project }) => {
      const key = keys.get(id) ?? project
      return [id, { repository: key === project ? null : key, project_name: names.get(key) ?? project }]
    }),
  )
}

export function foldersWithoutRemote(sessions: readonly Placed[]): string[] {
  const known = remotes(sessions)
  const named = new Set(sessions.flatMap(({ project, origin }) => (origin === undefined ? [] : [project])))
  return [...new Set(sessions.map(({ project }) => project))].filter((project) => !known.has(project) && !named.has(project))
}

/** Fewer may be documentation examples or hash prefix collisions. */
const ENOUGH_COMMITS = 3

/**
 * For folders without a remote: the only remote that shares commits, else the largest group of folders that share commits. Forks share
 * commits too, so a folder that fits two remotes stays alone.
 */
function clonesByCommits(
  sessions: readonly Placed[],
  known: ReadonlyMap<string, string>,
  commits: ReadonlyMap<string, ReadonlySet<string>>,
  { isApart }: ProjectDecisions,
): Map<string, string> {
  const found = new Map<string, string>()
  const lone = foldersWithoutRemote(sessions).filter((folder) => (commits.get(folder)?.size ?? 0) > 0)
  if (lone.length === 0) return found
  const ofRemote = new Map<string, Set<string>>()
  for (const { project, origin } of new Map(sessions.map((one) => [one.project, one])).values()) {
    const remote = origin ?? known.get(project)
    if (remote === undefined) continue
    const all = ofRemote.get(remote) ?? new Set<string>()
    for (const hash of commits.get(project) ?? []) all.add(hash)
    ofRemote.set(remote, all)
  }
  const without: string[] = []
  for (const folder of lone) {
    const own = commits.get(folder) ?? NONE
    const fitting = [...ofRemote].filter(([, hashes]) => sharesEnough(own, hashes)).map(([remote]) => remote)
    const [only] = fitting
    if (only === undefined) without.push(folder)
    else if (fitting.length === 1) found.set(folder, only)
  }
  const counts = new Map<string, number>()
  for (const { project } of sessions) counts.set(project, (counts.get(project) ?? 0) + 1)
  const ordered = without.sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1))
  for (const [at, folder] of ordered.entries()) {
    const first = ordered
      .slice(0, at)
      .find(
        (other) => !found.has(other) && !isApart(folder, other) && sharesEnough(commits.get(folder) ?? NONE, commits.get(other) ?? NONE),
      )
    if (first !== undefined) found.set(folder, first)
  }
  return found
}

const NONE: ReadonlySet<string> = new Set()

/** `commitsSeen` gives full hashes only for root commits. */
function isRoot(hash: string): boolean {
  return hash.length === 40
}

function sharesEnough(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  let shared = 0
  for (const hash of some) if (others.has(hash) && (isRoot(hash) || ++shared === ENOUGH_COMMITS)) return true
  return false
}

function remotes(sessions: readonly Placed[]): Map<string, string> {
  const votes = new Map<string, Map<string, number>>()
  for (const { project, origin, seen } of sessions) {
    const remote = origin ?? seen
    const counts = votes.get(project) ?? new Map<string, number>()
    votes.set(project, counts)
    if (remote !== undefined) counts.set(remote, (counts.get(remote) ?? 0) + 1)
  }
  const found = new Map<string, string>()
  for (const [project, counts] of votes) {
    const remote = elected(project, counts)
    if (remote !== undefined) found.set(project, remote)
  }
  // A clone without traces, in a folder named like its remote: …/ada/harbor.
  const all = [...new Set([...found.values(), ...sessions.flatMap(({ origin }) => origin ?? [])])].sort()
  for (const project of votes.keys()) {
    const ending = lastParts(project, 2).toLowerCase()
    const alike = found.has(project) || !ending.includes('/') ? [] : all.filter((one) => lastParts(one, 2).toLowerCase() === ending)
    if (alike.length === 1) found.set(project, alike[0] as string)
  }
  return found
}

function elected(project: string, counts: ReadonlyMap<string, number>): string | undefined {
  const ranked = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  const named = ranked.find(([remote]) => lastParts(remote, 1).toLowerCase() === lastParts(project, 1).toLowerCase())
  if (named !== undefined) return named[0]
  const [first] = ranked
  const sum = ranked.reduce((all, [, n]) => all + n, 0)
  return first !== undefined && first[1] >= ENOUGH && first[1] >= sum * MOST_OF_THEM ? first[0] : undefined
}

/** The shortest unique suffix, at most two parts. */
export function projectNames(keys: readonly string[]): Map<string, string> {
  const distinct = [...new Set(keys)]
  // Redact before shortening: a secret is recognised by its prefix.
  const safe = new Map(distinct.map((key) => [key, redactVisible(key)]))
  const last = (key: string, count: number) => lastParts(safe.get(key) ?? key, count)
  const holders = new Map<string, number>()
  for (const key of distinct) holders.set(last(key, 1).toLowerCase(), (holders.get(last(key, 1).toLowerCase()) ?? 0) + 1)
  return new Map(distinct.map((key) => [key, last(key, holders.get(last(key, 1).toLowerCase()) === 1 ? 1 : 2)]))
}

export function lastParts(path: string, count: number): string {
  const parts = path.split(/[/\\]/).filter((part) => part !== '')
  return parts.slice(-count).join('/') || path
}
