/**
 * Why a line exists: git names its commit, the ledger its edit call and turn. Without git, edit calls alone. Never guesses: an ambiguous
 * line is unknown. Redacted.
 */
import { matchLines } from '../../core/diff-lines.ts'
import { MnemonicError } from '../../core/error.ts'
import { oneLine, plural } from '../../core/text.ts'
import { toIso } from '../../core/time.ts'
import { shortSessionIds } from '../../ledgers/short-ids.ts'
import type { Store } from '../../store/store.ts'
import { redactText } from '../redact-stored.ts'
import { type Attribution, Attributor, info, KeyedVersion, type LineBounds, TELLING } from './attribute.ts'
import { type EditCall, type EditCalls, editCallsOf, sessionsOf } from './edit-calls.ts'
import { committedLines, type FileHistory, historyOf, type WhyCommit } from './history.ts'
import { type CommitMaker, makersOf } from './made-commits.ts'
import { placeOf, slashes, type WhyPlace } from './place.ts'
import { type TurnWanted, turnsOf, type WhyTurn } from './turn.ts'

export interface WhyRequest {
  /** `src/a.ts`, `src/a.ts:12`, `src/a.ts:12-20`, `src/a.ts:12:5`. */
  readonly at: string
  readonly folder?: string
  /** False: edit calls alone. */
  readonly git?: boolean
  readonly agent?: string
}

export type WhyKind = 'edit' | 'commit' | 'unknown' | 'none'

export interface WhyPart {
  readonly ranges: readonly (readonly [number, number])[]
  readonly lines: number
  /**
   * `edit`: an edit call wrote them. `commit`: the session committed them, without a known edit call. `none`: no known session wrote them.
   * `unknown`: see `reason`.
   */
  readonly kind: WhyKind
  readonly reason: string | null
  readonly turn: WhyTurn | null
  readonly candidates: readonly string[]
  /** Absent without git; `uncommitted` has no hash. */
  readonly commit: {
    readonly hash: string | null
    readonly author: string | null
    readonly at: string | null
    readonly subject: string | null
  } | null
  /** First of the lines; null if no session wrote them. */
  readonly text: string | null
}

export interface WhyAnswer {
  readonly file: string
  readonly name: string
  readonly root: string | null
  readonly from: number
  readonly to: number
  readonly total: number
  readonly is_deleted: boolean
  readonly git: { readonly used: boolean; readonly problem: string | null }
  readonly renamed_from: readonly string[]
  readonly parts: readonly WhyPart[]
  readonly counts: Readonly<Record<WhyKind, number>>
}

export interface WhyOptions {
  readonly agentId: string
}

const MOST_LINES = 5000
const MOST_NAMES = 5
/** Lines of context: they attribute lines such as a brace. */
const AROUND = 15
/** Clock differences, and commits that begin before the edit is logged. */
const SLACK_MS = 60_000

export async function why(store: Store, request: WhyRequest, { agentId: own }: WhyOptions): Promise<WhyAnswer> {
  const place = placeOf(request.at, request.folder ?? process.cwd())
  const agentId = request.agent ?? own
  const { root, name } = place
  const useGit = root !== undefined && request.git !== false
  const committed = useGit ? await committedLines(root, name) : { problem: root === undefined ? 'no repository' : 'not asked' }
  const head = 'lines' in committed ? committed.lines : undefined
  const lines = place.lines ?? head
  if (lines === undefined) throw missing(place)
  const [from, to] = rangeOf(place, lines.length)
  const [first, last] = [Math.max(0, from - AROUND), Math.min(lines.length, to + AROUND)]
  const match = head === undefined ? new Int32Array(lines.length).fill(-1) : matchLines(head, lines)
  const ranges = runsOf([...match.subarray(first, last)].filter((at) => at >= 0).sort((a, b) => a - b))
  const asked = head === undefined || root === undefined || ranges.length === 0 ? undefined : await historyOf(root, name, ranges)
  const history = asked !== undefined && 'blamed' in asked ? asked : undefined
  const problem = 'problem' in committed ? committed.problem : asked !== undefined && 'problem' in asked ? asked.problem : null
  const calls = await allEditCalls(store, place, { agentId, names: history?.names ?? [name] })
  const commits = [...(history?.commits.values() ?? [])]
  const makers = calls.isKnown ? await makersOf(store, commits, agentId) : new Map<string, CommitMaker>()
  const around = attributed({ lines, from: first, to: last, match, history, calls, makers, root })
  const found = around.slice(from - first, to - first)
  const turns = await answers(store, found, calls)
  const parts = await partsOf(store, { found, turns, lines, from, history, calls, useGit: head !== undefined })
  const counts = { edit: 0, commit: 0, unknown: 0, none: 0 }
  for (const part of parts) counts[part.kind] += part.lines
  return {
    ...{ file: redactText(place.file), name: redactText(name), root: root === undefined ? null : redactText(root) },
    ...{ from: lines.length === 0 ? 0 : from + 1, to, total: lines.length, is_deleted: place.lines === undefined },
    git: { used: head !== undefined && history !== undefined, problem: problem === null ? null : oneLine(redactText(problem), 200) },
    renamed_from: [...new Set([...(history?.names ?? []), ...calls.movedFrom])].filter((one) => one !== name).map(redactText),
    ...{ parts, counts },
  }
}

function missing({ file, name }: WhyPlace): MnemonicError {
  return new MnemonicError('NOT_FOUND', `there is no file ${name}`, {
    details: { file },
    hint: `Sessions that touched it: mnemonic files ${JSON.stringify(name.split('/').at(-1))}`,
  })
}

/** From 0, end exclusive. */
function rangeOf({ from, to, name }: WhyPlace, total: number): [number, number] {
  if (from === undefined) {
    if (total <= MOST_LINES) return [0, total]
    throw new MnemonicError('USAGE', `${name} has ${plural(total, 'line')}: name at most ${MOST_LINES} of them`, {
      details: { lines: total },
      hint: `mnemonic why ${JSON.stringify(`${name}:1-200`)}`,
    })
  }
  if (from > total)
    throw new MnemonicError('USAGE', `${name} has ${plural(total, 'line')}: there is no line ${from}`, { details: { lines: total, from } })
  return [from - 1, Math.min(to ?? from, total, from - 1 + MOST_LINES)]
}

function runsOf(sorted: readonly number[]): (readonly [number, number])[] {
  const runs: [number, number][] = []
  for (const at of sorted) {
    const last = runs.at(-1)
    if (last !== undefined && at - last[1] <= 20) last[1] = at
    else runs.push([at, at])
  }
  // Many short ranges cost more than the whole file.
  const [first, last] = [runs[0], runs.at(-1)]
  return runs.length > 50 && first !== undefined && last !== undefined ? [[first[0], last[1]]] : runs
}

interface AllCalls extends EditCalls {
  readonly isKnown: boolean
}

async function allEditCalls(
  store: Store,
  { file, root, name }: WhyPlace,
  { agentId, names }: { readonly agentId: string; readonly names: readonly string[] },
): Promise<AllCalls> {
  const edits = new Map<string, EditCall>()
  const refused: EditCalls['refused'][number][] = []
  const sessions = new Map<string, EditCalls['sessions'] extends ReadonlyMap<string, infer S> ? S : never>()
  const waiting = [...new Set([name, ...names])]
  const seen = new Set<string>()
  let isComplete = true
  for (let one = waiting.shift(); one !== undefined && seen.size < MOST_NAMES; one = waiting.shift()) {
    if (seen.has(one)) continue
    seen.add(one)
    const path = one === name ? file : root === undefined ? one : `${slashes(root)}/${one}`
    const found = await editCallsOf(store, { file: path, root, name: one, agentId })
    for (const edit of found.edits) edits.set(`${edit.id} ${edit.hunks.length} ${one}`, edit)
    for (const [id, session] of found.sessions) sessions.set(id, session)
    refused.push(...found.refused)
    isComplete &&= found.isComplete
    waiting.push(...found.movedFrom)
  }
  return {
    ...{ edits: [...edits.values()].sort((a, b) => a.at - b.at), refused, sessions, isComplete },
    ...{ movedFrom: [...seen].filter((one) => one !== name), isKnown: store.work.tools !== 'off' },
  }
}

interface Found {
  readonly attribution: Attribution | { readonly kind: 'commit'; readonly maker: CommitMaker }
  readonly commit: WhyCommit | undefined
}

interface Attributing {
  readonly lines: readonly string[]
  readonly from: number
  readonly to: number
  readonly match: Int32Array
  readonly history: FileHistory | undefined
  readonly calls: AllCalls
  readonly makers: ReadonlyMap<string, CommitMaker>
  readonly root: string | undefined
}

function attributed({ lines, from, to, match, history, calls, makers, root }: Attributing): Found[] {
  const attributor = new Attributor(calls.edits)
  const now = new KeyedVersion(lines)
  const versions = new Map<string, KeyedVersion>()
  const treesOf = (sessions: readonly string[]) =>
    new Set(sessions.flatMap((id) => calls.sessions.get(id)?.workspace_path ?? []).map((path) => slashes(path).replace(/\/+$/, '')))
  const ownTrees = new Set(root === undefined ? [''] : [slashes(root)])
  const none = new Set<string>()
  const found: Found[] = []
  for (let i = from; i < to; i++) {
    const blamed = history?.blamed.get(match[i] as number)
    const commit = blamed === undefined ? undefined : history?.commits.get(blamed.commit)
    if (blamed === undefined || commit === undefined) {
      const since = (history?.removals.get((lines[i] as string).trimEnd()) ?? [])[0]
      const bounds: LineBounds = { until: undefined, since, previous: undefined, sessions: none, trees: ownTrees }
      found.push({ attribution: attributor.of(now, i, bounds), commit: undefined })
      continue
    }
    const until = Math.max(commit.authoredAt, commit.committedAt) + SLACK_MS
    const text = (lines[i] as string).trimEnd()
    const since = (history?.removals.get(text) ?? []).find((at) => at < commit.authoredAt)
    const maker = makers.get(commit.hash)
    const sessions = maker === undefined ? none : new Set([maker.session])
    const previous = history?.previous.get(commit.hash)
    const bounds: LineBounds = { until, since, previous, sessions, trees: treesOf([...sessions]) }
    const key = `${blamed.commit}:${blamed.name}`
    const then = history?.versions.get(key)
    let version = versions.get(key)
    if (version === undefined && then !== undefined) {
      version = new KeyedVersion(then)
      versions.set(key, version)
    }
    const isThere = version !== undefined && version.keys[blamed.at] === now.keys[i]
    const attribution = isThere && version !== undefined ? attributor.of(version, blamed.at, bounds) : attributor.of(now, i, bounds)
    found.push({ attribution, commit })
  }
  return byNeighbours(found, lines.slice(from, to)).map(({ attribution, commit }) => {
    const maker = commit === undefined ? undefined : makers.get(commit.hash)
    return attribution.kind === 'none' && maker !== undefined ? { attribution: { kind: 'commit', maker }, commit } : { attribution, commit }
  })
}

/** A trivial line belongs to the edits of the telling lines beside it in the same commit. Else it is unknown. */
function byNeighbours(found: readonly Found[], lines: readonly string[]): Found[] {
  const isTrivial = (i: number) => info(lines[i] as string) < TELLING
  const beside = (i: number, step: 1 | -1) => {
    let at = i + step
    while (at >= 0 && at < found.length && isTrivial(at)) at += step
    const one = found[at]
    return one === undefined || one.commit?.hash !== found[i]?.commit?.hash ? undefined : one.attribution
  }
  const unknown = { kind: 'unknown', reason: 'trivial', sessions: [] } as const
  return found.map((one, i) => {
    const { attribution: own } = one
    if (!isTrivial(i)) return one
    const near = [beside(i, -1), beside(i, 1)].flatMap((attribution) => (attribution?.kind === 'edit' ? [attribution] : []))
    const [first] = near
    const isOne = first !== undefined && near.every(({ event }) => event.session === first.event.session)
    if (own.kind === 'edit') return isOne && own.event.session === first.event.session ? one : { ...one, attribution: unknown }
    return isOne && near.length === 2 ? { ...one, attribution: { ...first, by: 'block' as const } } : { ...one, attribution: unknown }
  })
}

function turnKey({ attribution }: Found, calls: AllCalls): string | undefined {
  if (attribution.kind === 'commit') return `${attribution.maker.session} ${attribution.maker.turn ?? ''}`
  if (attribution.kind !== 'edit') return undefined
  const { call } = callOf(calls, attribution.event.id)
  return `${attribution.event.session} ${call.turn_id ?? ''}`
}

function callOf(calls: AllCalls, id: string): EditCall {
  const found = calls.edits.find((edit) => edit.id === id)
  if (found === undefined) throw new MnemonicError('INTERNAL', 'an edit is not among those that were read')
  return found
}

async function answers(store: Store, found: readonly Found[], calls: AllCalls): Promise<Map<string, WhyTurn>> {
  const wanted = new Map<string, TurnWanted>()
  for (const one of found) {
    const key = turnKey(one, calls)
    if (key === undefined) continue
    const { attribution } = one
    const known = wanted.get(key)
    if (attribution.kind === 'commit') {
      const { session, turn } = attribution.maker
      wanted.set(key, known ?? { session, turn, at: null, message: null, replaced: [] })
    } else if (attribution.kind === 'edit') {
      const { event, hunk } = attribution
      const { call } = callOf(calls, event.id)
      const replaced = earlierForm(event.session, event.at, hunk.old ?? [], calls)
      const message = call.message_id === null ? null : `${call.session_id}/${call.message_id}`
      const fresh = { session: event.session, turn: call.turn_id, at: event.at, message, replaced }
      const isFuller = known === undefined || known.at === null || (known.replaced.length === 0 && replaced.length > 0)
      if (isFuller) wanted.set(key, fresh)
    }
  }
  const keys = [...wanted.keys()]
  const turns = await turnsOf(store, [...wanted.values()], calls.refused)
  return new Map(
    keys
      .flatMap((key) => turns.find(({ session_id, turn_id }) => key === `${session_id} ${turn_id ?? ''}`) ?? [])
      .map((turn) => [`${turn.session_id} ${turn.turn_id ?? ''}`, turn]),
  )
}

/** Earlier text of the same session that this edit removed. */
function earlierForm(session: string, before: number, old: readonly string[], calls: AllCalls): { at: number; text: string }[] {
  const gone = old.filter((line) => info(line) >= 8)
  if (gone.length === 0) return []
  const found: { at: number; text: string }[] = []
  for (const edit of calls.edits) {
    if (edit.session !== session || edit.at >= before) continue
    const written = new Set(edit.hunks.flatMap(({ new: fresh, old: was }) => fresh.filter((line) => !(was ?? []).includes(line))))
    const both = gone.filter((line) => written.has(line))
    if (both.length > 0)
      found.push({
        at: edit.at,
        text: both
          .slice(0, 3)
          .map((line) => line.trim())
          .join(' / '),
      })
  }
  return found.slice(-3)
}

interface Shown {
  readonly found: readonly Found[]
  readonly turns: ReadonlyMap<string, WhyTurn>
  readonly lines: readonly string[]
  readonly from: number
  readonly history: FileHistory | undefined
  readonly calls: AllCalls
  readonly useGit: boolean
}

async function partsOf(store: Store, { found, turns, lines, from, calls, useGit }: Shown): Promise<WhyPart[]> {
  const groups = new Map<string, { first: Found; at: number[] }>()
  for (const [i, one] of found.entries()) {
    const { attribution } = one
    const who = turnKey(one, calls) ?? (attribution.kind === 'unknown' ? `${attribution.reason} ${attribution.sessions.join(' ')}` : '')
    const key = `${attribution.kind} ${who} ${one.commit?.hash ?? ''}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { first: one, at: [i] })
    else group.at.push(i)
  }
  const named = new Map(
    [...(await shortSessionIds(store, await sessionsOf(store, [...calls.sessions.keys()])))].map(([id, short]) => [id, short]),
  )
  return [...groups.values()].map(({ first, at }) => {
    const { attribution, commit } = first
    const isKnown = attribution.kind === 'none' ? calls.isComplete : true
    const kind: WhyKind = isKnown ? attribution.kind : 'unknown'
    const isOurs = attribution.kind === 'edit' || attribution.kind === 'commit'
    return {
      ranges: rangesOf(at.map((i) => from + i + 1)),
      ...{ lines: at.length, kind, reason: isKnown ? reasonOf(attribution) : NOT_ALL },
      turn: turns.get(turnKey(first, calls) ?? '') ?? null,
      candidates: attribution.kind === 'unknown' ? attribution.sessions.slice(0, 5).map((id) => named.get(id) ?? id) : [],
      commit: useGit ? shownCommit(commit) : null,
      text: isOurs ? telling(at.map((i) => lines[from + i] as string)) : null,
    }
  })
}

const NOT_ALL = 'not all edit calls of this file are indexed'
const REASONS = {
  ambiguous: 'edits of several sessions, or of several places, fit',
  replaced: 'a session wrote this text, and it was taken out again before',
  later: 'a session wrote this text, but after this commit',
  trivial: 'the line says too little to tell who wrote it',
} as const

function reasonOf(attribution: Found['attribution']): string | null {
  return attribution.kind === 'unknown' ? REASONS[attribution.reason] : null
}

function shownCommit(commit: WhyCommit | undefined): WhyPart['commit'] {
  if (commit === undefined) return { hash: null, author: null, at: null, subject: null }
  const { hash, author, authoredAt, subject } = commit
  return {
    hash: hash.slice(0, 10),
    author: oneLine(redactText(author), 100),
    at: toIso(authoredAt),
    subject: oneLine(redactText(subject), 200),
  }
}

function telling(lines: readonly string[]): string | null {
  const first = lines.find((line) => info(line) >= 8) ?? lines[0]
  return first === undefined ? null : oneLine(redactText(first), 200)
}

function rangesOf(numbers: readonly number[]): (readonly [number, number])[] {
  const ranges: [number, number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges
}
