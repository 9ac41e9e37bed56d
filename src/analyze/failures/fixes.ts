/** Follows each error of a session to the next success of the same command. The work in between is its fix, unless the error returns. */
import { redactVisible } from '../../core/redact.ts'
import { purposeOf } from '../projects/purpose.ts'
import { type CommandKey, shownCommand } from './command-key.ts'
import { editTexts, type LineChange, lineChanges, tellingLines } from './edits.ts'
import type { ErrorLine } from './signature.ts'
import type { Trial } from './trial.ts'

export type FailureState =
  /** Work was done, and the command passed. */
  | 'fixed'
  /** Another form of the command passed; this one never did. */
  | 'form'
  /** The same command passed without any work in between. */
  | 'unchanged'
  /** Passed after work that the session does not show, or after too much of it. */
  | 'unclear'
  /** The next run failed alike; a later row continues. */
  | 'again'
  | 'open'

export interface SessionCall extends Trial {
  readonly id: string
  readonly message: string
  readonly turn: number
  readonly at: number
  readonly sequence: number
}

export interface Said {
  readonly message: string
  readonly isOwner: boolean
  readonly text: string
  readonly after: number
}

export interface Fix {
  readonly edits: readonly { readonly file: string; readonly before?: string; readonly after?: string }[]
  readonly did: readonly string[]
  readonly retry?: string
  readonly form?: string
  readonly formKey?: string
  readonly lacked?: readonly string[]
  readonly why?: string
  readonly edited: number
}

export interface Failure {
  readonly call: SessionCall
  readonly error: ErrorLine
  readonly rank: number
  readonly state: FailureState
  readonly fix?: Fix
  readonly solved?: SessionCall
  readonly whyMessage?: string
  readonly calls: number
  readonly turns: number
}

/** Longest distance to the success, in calls. */
export const FARTHEST = 150
const FORM_WITHIN = 6
const MOST_EDITED = 12
const MOST_SHOWN = 3
const LONGEST_WHY = 240
const LONGEST_STEP = 160
/** Shorter prompts ("and?", "yes, please") do not ask for other work. */
const SHORTEST_TASK = 4

/** Reports failures of the first `until` calls; later ones are only looked ahead at. */
export function failuresOf(calls: readonly SessionCall[], said: readonly Said[], until = calls.length): Failure[] {
  return calls.slice(0, until).flatMap((call, i) => {
    if (call.state !== 'failed' || call.errors.length === 0 || call.key === undefined) return []
    const later = calls
      .slice(i + 1, i + 1 + FARTHEST)
      .map((one, k) => ({ one, at: i + 1 + k }))
      .filter(({ one }) => one.message !== call.message && isSameTry(call, one))
    const passedAt = later.find(({ one }) => one.state === 'passed')?.at
    // A line that a passing run prints too is not an error.
    const harmless = passedAt === undefined ? undefined : calls[passedAt]?.printed?.()
    return call.errors
      .filter(({ signature }) => harmless?.has(signature) !== true)
      .map((error, rank) => follow(calls, said, { call, i, error, rank, runs: later, passedAt }))
  })
}

interface Followed {
  readonly call: SessionCall
  readonly i: number
  readonly error: ErrorLine
  readonly rank: number
  readonly runs: readonly { readonly one: SessionCall; readonly at: number }[]
  readonly passedAt: number | undefined
}

function follow(calls: readonly SessionCall[], said: readonly Said[], { call, i, error, rank, runs, passedAt }: Followed): Failure {
  const base = { call, error, rank }
  const until = passedAt ?? calls.length
  const isBack = runs.some(({ one, at }) => at < until && one.errors.some(({ signature }) => signature === error.signature))
  if (isBack) return { ...base, state: 'again', calls: 0, turns: 0 }
  if (passedAt === undefined) return { ...base, ...otherForm(calls, said, i, error) }
  if (PIPED_ERROR.test(error.line)) return { ...base, ...otherPipe(calls, runs, { i, call, passedAt }) }
  // The error may vanish before the command passes: a different error follows.
  const gone = runs.find(({ one, at }) => at < passedAt && one.state === 'failed' && one.errors.length > 0)?.at ?? passedAt
  const solved = calls[passedAt] as SessionCall
  const length = { calls: passedAt - i, turns: turnsIn(calls.slice(i, passedAt + 1)) }
  const between = calls.slice(i + 1, gone)
  const spoken = said.filter(({ after, isOwner }) => isOwner && after > i && after <= gone)
  const isSpoken = spoken.some(({ text }) => text.split(/\s+/, SHORTEST_TASK).length >= SHORTEST_TASK)
  const fix = fixOf(call, calls[gone] as SessionCall, between, { error, isSpoken })
  const why = causeIn(
    said.filter(({ after, isOwner }) => !isOwner && after > i && after <= gone),
    error,
  )
  if (fix === undefined) {
    return { ...base, state: spoken.length > 0 ? 'unclear' : 'unchanged', solved, ...length }
  }
  const isClear = fix.edited <= MOST_EDITED && (fix.edits.length > 0 || fix.did.length > 0 || fix.retry !== undefined)
  return {
    ...base,
    state: isClear ? 'fixed' : 'unclear',
    fix: { ...fix, ...(why === undefined ? {} : { why: why.sentence }) },
    ...(why === undefined ? {} : { whyMessage: why.message }),
    solved,
    ...length,
  }
}

function turnsIn(calls: readonly SessionCall[]): number {
  return new Set(calls.map(({ turn }) => turn)).size
}

function isSameTry(first: SessionCall, second: SessionCall): boolean {
  const [a, b] = [first.key as CommandKey, second.key]
  if (b === undefined) return false
  if (first.command !== undefined)
    return a.key === b.key || (second.command !== undefined && a.steps.every((step) => b.steps.includes(step)))
  if (a.key !== b.key) return false
  const [one, other] = [editTexts(first.params), editTexts(second.params)]
  return one === undefined || other === undefined || isAlike(one.after, other.after)
}

function isAlike(one: string, other: string): boolean {
  const lines = (text: string) =>
    new Set(
      text
        .slice(0, 20_000)
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line.length > 2),
    )
  const [a, b] = [lines(one), lines(other)]
  if (a.size === 0 || b.size === 0) return one.trim() === other.trim()
  return [...a].filter((line) => b.has(line)).length >= Math.min(a.size, b.size) / 2
}

const READ = 'read the file'
const CHECKS =
  /^(?:go (?:test|build|vet|list|version|env|doc)|golangci-lint|npm (?:test|run|ls|view)|pnpm (?:test|run)|yarn (?:test|run)|bun (?:test|run)|mise (?:run|tasks|ls)|make|just|task|pytest|vitest|jest|cargo (?:test|build|check|clippy)|tsc|eslint|biome|ruff|mypy|git (?:stash|status|diff|log|show|branch|rev-parse|ls-files|fetch|remote|reflog|blame|grep|ls-tree|cat-file|describe)|gh (?:pr (?:view|list|diff|checks|status)|issue (?:view|list)|run (?:view|list|watch)|api|repo view|auth)|node|python3?|bash|sh|zsh|curl|wget|docker (?:ps|logs|images)|kubectl (?:get|logs|describe)|ls|find|fd|test|\[|diff|ps|lsof|stat|file|du|df|jq|for|if|man|xxd)\b/

interface About {
  readonly error: ErrorLine
  /** The owner may have changed the subject in between. */
  readonly isSpoken: boolean
}

function fixOf(call: SessionCall, solved: SessionCall, between: readonly SessionCall[], { error, isSpoken }: About): Fix | undefined {
  const passed = between.filter(({ state }) => state !== 'failed')
  const changes = passed.filter(({ kind }) => kind === 'edit' || kind === 'create').flatMap(lineChanges)
  const retry = call.command === undefined ? retryOf(call, solved) : undefined
  const did = passed.flatMap((one) => {
    if (one.command === undefined) return call.command === undefined && one.kind === 'read' && isOfFile(call, one.files) ? [READ] : []
    if (one.key === undefined) return one.files.some(({ action }) => action !== 'read') ? [shownCommand(one.command)] : []
    return one.state === 'passed' ? changingSteps(one.key) : []
  })
  if (call.command === undefined) {
    // Edits elsewhere, and commands before the file is reread, are other work.
    return did.length === 0 && retry === undefined
      ? undefined
      : { edits: [], did: didOf(did), ...(retry === undefined ? {} : { retry }), edited: 0 }
  }
  // `a && b` may pass because of the added `a`.
  const own = new Set(call.key?.all.map((words) => words.join(' ')))
  const added =
    solved.key === undefined ? [] : changingSteps({ ...solved.key, all: solved.key.all.filter((words) => !own.has(words.join(' '))) })
  const about = relevant(changes, error, isSpoken)
  const names = namesIn(error)
  if (changes.length === 0 && did.length === 0 && added.length === 0) return undefined
  return {
    edits: about.slice(0, MOST_SHOWN).map((change) => ({ file: change.file, ...tellingLines(change, names) })),
    did: once([...(isSpoken ? [] : did), ...added])
      .filter((one) => changes.length === 0 || !isFormat(one))
      .slice(-MOST_SHOWN),
    edited: about.length === 0 ? changes.length : Math.min(changes.length, about.length),
  }
}

function didOf(did: readonly string[]): string[] {
  return did.includes(READ) ? [READ] : once(did).slice(0, MOST_SHOWN)
}

function isFormat(step: string): boolean {
  return purposeOf(step.split(' ')) === 'format'
}

function once(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}

function isOfFile(call: SessionCall, files: SessionCall['files']): boolean {
  const target = call.key?.shown ?? ''
  return files.some(({ path }) => target.endsWith(path))
}

/** Excludes checks and lookups. */
function changingSteps({ all }: CommandKey): string[] {
  return all.flatMap((words) => {
    const text = words.join(' ')
    const purpose = purposeOf(words)
    if (/ (?:--help|--version|-h)$/.test(text)) return []
    const changes = purpose === undefined ? !CHECKS.test(text) : purpose === 'format' || purpose === 'setup' || purpose === 'generate'
    return changes
      ? [
          words
            .map((word) => (/\s/.test(word) ? JSON.stringify(word) : word))
            .join(' ')
            .slice(0, LONGEST_STEP),
        ]
      : []
  })
}

function retryOf(call: SessionCall, solved: SessionCall): string | undefined {
  const [one, other] = [call.params, solved.params]
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return undefined
  const [a, b] = [one as Record<string, unknown>, other as Record<string, unknown>]
  const told: string[] = []
  const [first, second] = [editTexts(one), editTexts(other)]
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [was, is] = [a[name], b[name]]
    if (JSON.stringify(was) === JSON.stringify(is)) continue
    if (typeof is === 'string' && (typeof was === 'string' || was === undefined)) continue
    if (is === undefined) told.push(`without ${name}`)
    else if (typeof is === 'boolean') told.push(`${name}: ${String(is)}`)
    else if (typeof is !== 'object') told.push(was === undefined ? `with ${name}` : `another ${name}`)
  }
  if (first !== undefined && second !== undefined && first.before !== second.before) {
    told.push(second.before.includes(first.before) ? 'a longer old text' : 'another old text')
  }
  return told.length === 0 ? undefined : told.join(', ')
}

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*(?:[.:-][\p{L}_$][\p{L}\p{N}_$]*)*/gu

function namesIn({ line }: ErrorLine): string[] {
  const missing = /\bundefined: (?:\w+\.)?(\w{2,80})/.exec(line)?.[1]
  if (missing !== undefined) return [missing]
  return [...new Set([...line.matchAll(NAME)].map(([name]) => name.split(/[.:]/).at(-1) as string))].filter(
    (name) => name.length > 3 && /[a-z][A-Z]|_|^[A-Z][a-z]+[A-Z]/.test(name),
  )
}

/** Edits of the file that the error names, or of a name in it. A lone edit always counts, unless the owner spoke. */
function relevant(changes: readonly LineChange[], error: ErrorLine, isSpoken: boolean): LineChange[] {
  if (changes.length <= 1 && !isSpoken) return [...changes]
  const [, file, column] = /^(?:\[[\w:.-]{1,40}\] )?(?:[^\s:(]*\/)?([^\s:(/]+\.\w{1,8})[:(]\d+([:,]\d)?/.exec(error.line) ?? []
  // A failing test's location is not the fault's.
  const isAssertion = (column === undefined && file !== undefined && isTest(file)) || /^(?:--- FAIL|FAIL\b|✗|✘|×|not ok)/.test(error.line)
  const names = namesIn(error)
  const scored = changes.map((change) => {
    const inFile = (file !== undefined && change.file.endsWith(file)) || (isAssertion && !isSpoken && !isTest(change.file))
    const named = names.some((name) => [...change.removed, ...change.added].some((line) => line.includes(name)))
    return { change, score: (inFile ? 2 : 0) + (named ? 2 : 0) }
  })
  const best = Math.max(0, ...scored.map(({ score }) => score))
  if (best === 0) return changes.length <= MOST_SHOWN && !isSpoken ? [...changes] : []
  return scored.filter(({ score }) => score >= (isAssertion ? 2 : best)).map(({ change }) => change)
}

function isTest(file: string): boolean {
  return /[_.-](?:test|spec)\.\w+$|(?:^|[\\/])test_[^\\/]*$/.test(file)
}

const PIPED_ERROR = /^(?:jq|sed|g?awk|e?grep|rg|sort|cut|tr|xargs|head|tail|wc|column): /

function otherPipe(
  calls: readonly SessionCall[],
  runs: Followed['runs'],
  { i, call, passedAt }: { i: number; call: SessionCall; passedAt: number },
): Pick<Failure, 'state' | 'fix' | 'solved' | 'calls' | 'turns'> {
  const length = { calls: passedAt - i, turns: turnsIn(calls.slice(i, passedAt + 1)) }
  const solved = calls[passedAt] as SessionCall
  const next = runs.find(({ one }) => one.state !== 'failed' && one.key?.shown !== call.key?.shown)?.one
  if (next?.key === undefined) return { state: 'unclear', solved, ...length }
  return { state: 'form', fix: { edits: [], did: [], form: next.key.shown, lacked: [], edited: 0 }, solved, ...length }
}

const FOLDER_ERROR = /^(?:\S+: )?(?:\(eval\):|line \d+: )?(?:cd|pushd)(?:\b|:)/

function otherForm(
  calls: readonly SessionCall[],
  said: readonly Said[],
  i: number,
  { line }: ErrorLine,
): Pick<Failure, 'state' | 'fix' | 'solved' | 'calls' | 'turns'> {
  const call = calls[i] as SessionCall
  const open = { state: 'open', calls: 0, turns: 0 } as const
  // The folder was missing, so the command never ran.
  if (FOLDER_ERROR.test(line)) return open
  if (call.command === undefined || call.key === undefined || call.key.steps.length > 1 || call.key.words.length === 0) return open
  for (let at = i + 1; at < Math.min(calls.length, i + 1 + FORM_WITHIN); at += 1) {
    const one = calls[at] as SessionCall
    if (one.kind === 'edit' || one.kind === 'create' || said.some(({ isOwner, after }) => isOwner && after === at)) return open
    if (one.command === undefined || one.key === undefined || one.key.program !== call.key.program || one.key.steps.length > 1) continue
    if (one.state !== 'passed' || !isForm(call.key.words, one.key.words)) continue
    const lacked = one.key.words.filter((word) => !call.key?.words.includes(word))
    return {
      state: 'form',
      fix: { edits: [], did: [], form: one.key.shown, formKey: one.key.key, lacked: lacked.slice(0, 8), edited: 0 },
      ...{ solved: one, calls: at - i, turns: turnsIn(calls.slice(i, at + 1)) },
    }
  }
  return open
}

function isForm(failing: readonly string[], passing: readonly string[]): boolean {
  // Another subcommand is another command.
  const subcommand = failing[1]
  if (subcommand !== undefined && /^[a-z][\w-]*$/i.test(subcommand) && !passing.includes(subcommand)) return false
  const same = passing.filter((word) => failing.includes(word)).length
  return same >= Math.max(failing.length, passing.length) / 2
}

const CAUSE =
  /\b(?:because|the (?:issue|problem|cause|reason|error|bug) (?:is|was)|root cause|caused by|due to|turns out|need(?:s|ed)? to|missing|isn't|doesn't|wasn't|should (?:be|have)|requires?|must)\b/i

const PLAN = /^(?:now|let me|let's|i'll|perfect|good|i (?:also )?need to (?:look|check|see|read|make sure|understand|update))\b/i

function causeIn(said: readonly Said[], { line }: ErrorLine): { sentence: string; message: string } | undefined {
  const words = new Set([...line.matchAll(NAME)].map(([name]) => name.toLowerCase()).filter((name) => name.length > 4))
  let best: { sentence: string; message: string; score: number } | undefined
  for (const { text, message } of said)
    for (const raw of firstPart(text).split(/(?<=[.!?:])\s+|\n+/)) {
      const sentence = raw.trim()
      if (sentence.length < 20 || sentence.length > LONGEST_WHY || !CAUSE.test(sentence) || PLAN.test(sentence) || isCut(sentence)) continue
      const shared = [...sentence.matchAll(NAME)].filter(([name]) => words.has(name.toLowerCase())).length
      const score =
        Math.min(shared, 3) + (/\b(?:because|root cause|caused by|the (?:issue|problem|cause|reason))\b/i.test(sentence) ? 2 : 0)
      if (score > (best?.score ?? 0)) best = { sentence, message, score }
    }
  return best
}

function isCut(sentence: string): boolean {
  return sentence.split('`').length % 2 === 0
}

const LONGEST_SAID = 4_000

function firstPart(text: string): string {
  return redactVisible(text.length > LONGEST_SAID ? text.slice(0, Math.max(0, text.lastIndexOf(' ', LONGEST_SAID))) : text)
}
