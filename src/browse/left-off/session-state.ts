/** State of a session at its end: last deeds, next steps, uncommitted files, failures. */
import type { EpisodeCall } from '../../analyze/analyzer.ts'
import { type Made, madeBy } from '../../analyze/outcome/made.ts'
import { needsResult } from '../../analyze/outcome/needs-result.ts'
import { askedIn, reportsIn } from '../../analyze/outcome/reports.ts'
import { isOfTheWork } from '../../analyze/outcome/telling-lines.ts'
import { runsTests } from '../../analyze/outcome/test-run.ts'
import { todoList } from '../../analyze/outcome/todo-list.ts'
import { plainLine } from '../../analyze/plain-line.ts'
import { answerTo } from '../../analyze/statements/answers.ts'
import { padded } from '../../core/padded.ts'
import { isTrust, type Trust } from '../../core/trust.ts'
import { deedsOf } from '../../ledgers/deeds/deeds.ts'
import { parsed } from '../../ledgers/deeds/json.ts'
import { resultOf } from '../../ledgers/deeds/result.ts'
import { toolKind } from '../../ledgers/deeds/tools.ts'
import type { DoneLine, LeftOffState } from '../../search/left-off-answer.ts'
import type { Store } from '../../store/store.ts'
import { redactText } from '../redact-stored.ts'
import { askedLast, saidNext } from './said-next.ts'
import { changedPaths } from './uncommitted.ts'

/** From tool calls alone; git's answer is added later. */
export interface SessionState extends Omit<LeftOffState, 'uncommitted' | 'turn' | 'turn_id'> {
  readonly uncommitted: readonly string[]
  readonly turn: string | null
}

const MESSAGES = 600
const CALLS = 1_500
const AT_ONCE = 200
const LONGEST_RESULT = 60_000
const LONGEST = 200
/** Turns to look back for deeds, and answers of each. */
const TURNS = 12
const ANSWERS = 5
const MOST_NEXT = 4
const CHECKS =
  /(?:^|[\s;&|(])(?:mise run (?:lint|build|typecheck|ci)\S*|(?:npm|pnpm|yarn|bun)(?: run)? (?:lint|build|check|typecheck|tsc)\S*|make(?: (?:lint|build|all|check))?(?=\s|$)|golangci-lint run|go (?:build|vet)|tsc\b|cargo (?:build|check|clippy)|eslint|biome (?:check|ci|lint)|ruff check|mypy|pyright|gradlew? (?:\S+ )*build|dotnet build|swift build|xcodebuild)/
const LOOKS_AT_GIT = /\bgit\b/
const INTERRUPTED = /^\[Request interrupted/

interface Message {
  readonly id: string
  readonly turn_id: string | null
  readonly role: string
  readonly kind: string
  readonly content: string
  readonly trust: Trust
  readonly sequence: number
}

export async function sessionState(store: Store, session: string, roots: readonly string[]): Promise<SessionState> {
  const messages = await messagesOf(store, session)
  const calls = await callsOf(store, session)
  const { uncommitted, failing, made, open } = followCalls(calls, roots)
  const end = endOf(
    messages,
    calls.filter((call) => call.session_id === session),
  )
  const answer = end.answer
  return {
    done: doneIn(messages, { made, edits: editedTurns(calls) }),
    next: [...new Set([...(answer === undefined ? [] : saidNext(answer)), ...open])].slice(0, MOST_NEXT),
    question: answer === undefined || end.interrupted !== null ? null : (askedLast(answer) ?? null),
    ...{ interrupted: end.interrupted, uncommitted, failing },
    turn: messages.findLast(({ turn_id }) => turn_id !== null)?.turn_id ?? null,
  }
}

/** Skips compactions, notices and text of others. */
async function messagesOf({ read }: Store, session: string): Promise<Message[]> {
  const rows = await read
    .selectFrom('agent_messages as m')
    .leftJoin('agent_turns as t', 't.id', 'm.turn_id')
    .select(['m.id', 'm.turn_id', 'm.role', 'm.kind', 'm.content', 'm.trust', 'm.sequence'])
    .where('m.session_id', '=', session)
    .where('m.kind', 'in', ['prompt', 'reply', 'notice'])
    .where('m.content', '<>', '')
    .where((eb) => eb.or([eb('t.status', 'is', null), eb('t.status', '<>', 'superseded')]))
    .orderBy('m.sequence', 'desc')
    .limit(MESSAGES)
    .execute()
  return rows.reverse().flatMap(({ content, trust, ...row }) => {
    const known = isTrust(trust) ? trust : 'untrusted'
    return content === null || (known !== 'owner' && known !== 'agent') ? [] : [{ ...row, content, trust: known }]
  })
}

interface Call extends EpisodeCall {
  readonly session_id: string
  readonly sequence: number
}

/** Includes subagents. Loads results only if they are needed. */
async function callsOf({ read }: Store, session: string): Promise<Call[]> {
  const rows = await read
    .selectFrom('agent_tool_calls as c')
    .innerJoin('agent_messages as m', 'm.id', 'c.message_id')
    .innerJoin('agent_sessions as s', 's.id', 'c.session_id')
    .leftJoin('agent_turns as t', 't.id', 'm.turn_id')
    .select([
      'c.id',
      'c.tool_name',
      'c.params_json',
      'c.status',
      'c.started_at',
      'c.session_id',
      'm.id as message',
      'm.turn_id as turn',
      'm.sequence',
    ])
    .where((eb) => eb.or([eb('s.id', '=', session), eb.and([eb('s.parent_session_id', '=', session), eb('s.is_subagent', '=', 1)])]))
    .where((eb) => eb.or([eb('t.status', 'is', null), eb('t.status', '<>', 'superseded')]))
    .orderBy('c.started_at', 'desc')
    .orderBy('m.sequence', 'desc')
    .orderBy('c.tool_number', 'desc')
    .limit(CALLS)
    .execute()
  const kept = rows.reverse().filter(({ tool_name }) => !LOOKS.has(toolKind(tool_name)))
  const wanted = kept.filter(
    (call) => needsResult(call) || toolKind(call.tool_name) === 'create' || LOOKS_AT_GIT.test(call.params_json ?? ''),
  )
  const results = new Map<string, string | null>()
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const some = await read
      .selectFrom('agent_tool_calls')
      .select(['id', 'result_json'])
      .where('id', 'in', padded(wanted.slice(at, at + AT_ONCE).map(({ id }) => id)))
      .where((eb) => eb(eb.fn<number>('length', ['result_json']), '<', LONGEST_RESULT))
      .execute()
    for (const { id, result_json } of some) results.set(id, result_json)
  }
  return kept.map((call) => ({ ...call, result_json: results.get(call.id) ?? null }))
}

const LOOKS: ReadonlySet<string> = new Set(['read', 'search', 'list', 'fetch'])

interface Followed extends Pick<SessionState, 'uncommitted' | 'failing'> {
  readonly made: readonly Made[]
  readonly open: readonly string[]
}

function followCalls(calls: readonly Call[], roots: readonly string[]): Followed {
  const changed = changedPaths(roots)
  const todos = todoList()
  const made: Made[] = []
  let failing: SessionState['failing'] = null
  for (const [at, call] of calls.entries()) {
    const params = parsed(call.params_json)
    const result = parsed(call.result_json)
    const deeds = deedsOf(call, { params, result })
    const { text, refused } = resultOf(call, result)
    const isDone = call.status !== 'pending' && !refused
    changed.add(deeds, text, isDone)
    if (isDone) todos.read(call.tool_name, params, at, () => text)
    for (const one of isDone ? madeBy(call.tool_name, params, deeds) : []) {
      if (one.kind === 'commit' && one.amends && made.at(-1)?.kind === 'commit') made.pop()
      made.push(one)
    }
    const command = deeds.commands.find((one) => runsTests(one) || CHECKS.test(one))
    if (command !== undefined && isDone)
      failing = deeds.failed ? { command: line(command), line: deeds.lines.map(line).find((one) => one !== '') ?? null } : null
  }
  const open = todos.entries().flatMap(({ text, status }) => (status === 'open' ? [line(text)] : []))
  return { uncommitted: changed.files().filter((path) => redactText(path) === path), failing, made, open }
}

function editedTurns(calls: readonly Call[]): ReadonlySet<string> {
  const kinds = new Set(['edit', 'create', 'delete', 'move'])
  return new Set(
    calls.flatMap(({ tool_name, turn, status }) => (turn !== null && status !== 'pending' && kinds.has(toolKind(tool_name)) ? [turn] : [])),
  )
}

interface End {
  readonly answer: string | undefined
  readonly interrupted: string | null
}

function endOf(messages: readonly Message[], calls: readonly Call[]): End {
  const at = messages.findLastIndex(({ kind, role }) => kind === 'reply' && role === 'assistant')
  const answer = messages[at]
  const after = messages.slice(at + 1)
  const prompt = after.findLast(({ kind }) => kind === 'prompt')
  const last = calls.at(-1)
  const isStopped = after.some(({ kind, content }) => kind === 'notice' && INTERRUPTED.test(content))
  // In a long turn every sentence is an answer; a later call shows that it went on.
  const said = answer?.sequence ?? -1
  const isBehind = last !== undefined && (last.sequence > said || (last.sequence === said && last.status === 'pending'))
  const went = isBehind ? last : undefined
  const plan = went !== undefined && /plan/i.test(went.tool_name ?? '') && (resultOf(went).refused || went.status === 'pending')
  const title = plan ? planTitleOf(went) : undefined
  const interrupted = plan
    ? `a plan was shown and not approved${title === undefined ? '' : `: “${title}”`}`
    : prompt !== undefined
      ? `it was asked “${line(askedIn(prompt.content)?.text ?? prompt.content)}” and did not answer`
      : went?.status === 'pending'
        ? `in a call without a result: ${called(went)}`
        : isStopped
          ? 'the person stopped it'
          : null
  return { answer: answer?.content, interrupted }
}

function planTitleOf(call: Call): string | undefined {
  const params = parsed(call.params_json) as { readonly plan?: unknown } | undefined
  const text = typeof params?.plan === 'string' ? params.plan : ''
  const first = text.split('\n').find((one) => /\p{L}/u.test(one))
  return first === undefined ? undefined : line(first.replace(/^#+\s*/, ''))
}

function called(call: Call): string {
  const [command] = deedsOf(call, { params: parsed(call.params_json), result: undefined }).commands
  return command === undefined ? line(call.tool_name ?? 'a tool') : line(command)
}

interface Done {
  readonly made: readonly Made[]
  readonly edits: ReadonlySet<string>
}

function doneIn(messages: readonly Message[], { made, edits }: Done): DoneLine[] {
  const turns = turnsIn(messages)
  const chosen: { readonly asked: string | null; readonly told: string | null }[] = []
  let work = 0
  for (let at = turns.length - 1; at >= 0 && chosen.length < 2 && turns.length - at <= TURNS; at--) {
    const { id, prompt, answers } = turns[at] as Turn
    const isWork = id !== null && edits.has(id)
    // After the last turn takes the last that changed files, else the one before.
    if (chosen.length === 1 && work === 0 && !isWork && hasWork(turns.slice(0, at), edits)) continue
    const asked = prompt === null ? null : line(askedIn(prompt)?.text ?? pickedBy(prompt, turns[at - 1]) ?? '') || null
    const told = toldIn(answers)
    if (asked === null && told === null) continue
    chosen.push({ asked, told })
    if (isWork) work++
  }
  const commits = made.filter(({ kind, text }) => kind === 'commit' && text !== '').slice(-2)
  const pull = made.findLast(({ kind }) => kind === 'pull')
  const deeds = [...commits, ...(pull === undefined ? [] : [pull])].map(madeWords)
  return [...chosen.map((one) => ({ ...one, deed: null })), ...deeds.reverse().map((deed) => ({ asked: null, told: null, deed }))]
}

function madeWords(one: Made): string {
  const text = line(one.text)
  const name = text === '' ? '' : `“${text}”`
  if (one.kind !== 'pull') return `committed ${name}`
  return [one.action, one.number ?? 'a pull request', name].filter(Boolean).join(' ')
}

/** "2", "yes": the answer before states the option. */
function pickedBy(prompt: string, before: Turn | undefined): string | undefined {
  const answer = before?.answers.at(-1)
  return answer === undefined || prompt.length > LONGEST ? undefined : answerTo(answer, prompt)?.about
}

function hasWork(turns: readonly Turn[], edits: ReadonlySet<string>): boolean {
  return turns.slice(-TURNS).some(({ id }) => id !== null && edits.has(id))
}

interface Turn {
  readonly id: string | null
  readonly prompt: string | null
  readonly answers: readonly string[]
}

function turnsIn(messages: readonly Message[]): Turn[] {
  const turns: { id: string | null; prompt: string | null; answers: string[] }[] = []
  for (const { kind, role, content, turn_id } of messages) {
    const turn = turns.at(-1)
    if (kind === 'prompt') turns.push({ id: turn_id, prompt: content, answers: [] })
    else if (kind !== 'reply' || role !== 'assistant') continue
    else if (turn === undefined) turns.push({ id: turn_id, prompt: null, answers: [content] })
    else {
      turn.answers.push(content)
      turn.id = turn_id ?? turn.id
    }
  }
  return turns
}

/** The last answer reports the outcome. If it only reports checks, takes an earlier one. */
function toldIn(answers: readonly string[]): string | null {
  let fallback: string | null = null
  for (const answer of answers.slice(-ANSWERS).reverse()) {
    const lines = reportsIn(answer).filter(({ text }) => !isOfTheWork(text) && !CHECKED.test(text))
    if (lines.length === 0) continue
    const told = line(lines.map(({ text }) => text).join(' '))
    if (lines.some(({ tells }) => tells)) return told
    fallback ??= told
  }
  return fallback
}

/** "Lint clean, tests pass": tool calls tell this better. */
const CHECKED =
  /^\W*(?:(?:lint|tests?|build|fmt|all|everything|both)\b[\s\w/]{0,30}(?:clean|pass(?:es|ed|ing)?|green|ok)\b[\s,.&–-]*(?:and )?)+$/i

function line(text: string): string {
  return plainLine(redactText(text).replace(LINK, '$1'), LONGEST)
}

const LINK = /\[([^\]\n]{1,200})\]\((?:https?:|\/|#)[^)\s]{0,500}\)/g
