/**
 * Which sessions belong to one project: those of one repository, by its remote, wherever they ran; else those of one folder. And what people
 * call it: the repository's name, with its owner's where two have one name. Pure; the same for the same sessions in any order.
 */
import { redactVisible } from '../../core/redact.ts'

export interface Placed {
  readonly id: string
  /** The root of the repository, or the folder. */
  readonly project: string
  /** The remote that the folder has, or that the source names. */
  readonly origin: string | undefined
  /** The remote that the session's own commands spoke of. */
  readonly seen: string | undefined
}

export interface Identity {
  readonly repository: string | null
  readonly project_name: string
}

/** Of so many sessions: a folder of another name than the repository's is not taken for its clone because of one command. */
const ENOUGH = 2
const MOST_OF_THEM = 2 / 3

export function identities(sessions: readonly Placed[]): Map<string, Identity> {
  const known = remotes(sessions)
  const repositoryOf = ({ origin, project }: Placed) => origin ?? known.get(project)
  const names = projectNames(sessions.map((one) => repositoryOf(one) ?? one.project))
  return new Map(
    sessions.map((one) => {
      const repository = repositoryOf(one)
      return [one.id, { repository: repository ?? null, project_name: names.get(repository ?? one.project) ?? one.project }]
    }),
  )
}

/** The remote of each folder, where its sessions agree on one. */
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
  // A clone that nobody pushed from, in a folder that is called as its remote: …/ada/harbor.
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

/** The shortest ending of each key that no other key has, at most two parts long. */
export function projectNames(keys: readonly string[]): Map<string, string> {
  const distinct = [...new Set(keys)]
  // A secret in a path is known by what stands before it, which its last parts no longer have.
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
