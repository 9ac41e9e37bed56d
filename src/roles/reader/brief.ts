/**
 * The start of a session: project state, decisions, open actions, owner rules. Separately: changes since this harness was last here.
 * Unknown projects get only the owner's rules.
 */
import { repetitionWords } from '../../analyze/history/said-again.ts'
import { readsAsCommand } from '../../analyze/memory-sentence-anchors.ts'
import { ordersReader } from '../../analyze/orders-reader.ts'
import { briefCardLines } from '../../analyze/projects/brief-lines.ts'
import { quoted } from '../../analyze/session-summary.ts'
import { leftOpen, standingOf } from '../../artifacts/render/standing.ts'
import { markMemory, NOTICE } from '../../core/marked-text.ts'
import { named, safe } from '../../core/named.ts'
import { AGENT_SAID, statedAs } from '../../core/stated-as.ts'
import { oneLine, plural } from '../../core/text.ts'
import { toIso } from '../../core/time.ts'
import { shortTurnIds } from '../../ledgers/short-ids.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import { tokensOf } from './assemble.ts'
import { type BriefFacts, type BriefSession, briefFacts, type Stated } from './brief-facts.ts'
import { placeAt } from './place.ts'
import type { BriefAnswer, BriefRequest } from './reader.ts'
import type { ReaderOptions } from './reader-options.ts'

const NOTHING: BriefAnswer = { project: null, stable: '', changed: '', tokens: 0, text: '' }
const MOST = 8
const CHANGED = 0.25
const LONGEST = 160
const TITLE = 80
const NAME = 60

export async function brief(
  request: BriefRequest,
  { store: open, clock, settings }: Pick<ReaderOptions, 'store' | 'clock' | 'settings'>,
): Promise<BriefAnswer> {
  const { maxTokens = settings.brief_tokens } = request
  if (!settings.enabled || maxTokens === 0) return NOTHING
  const store = await open()
  const place = await placeAt(store, request.agent, request.folder)
  const scope = place.scope ?? { keys: [''], folders: [], ids: [] }
  // A brief has no prompt that could name people.
  const personal = request.folder === undefined || settings.personal === 'always'
  const facts = await briefFacts(store, { agentId: request.agent, scope, keys: place.keys, own: request.session, personal, now: clock() })
  const name = place.name === null ? null : nameOf(place.name)
  const card = place.scope === undefined ? [] : await cardLines(store, request.agent, place.scope)
  const news = place.scope === undefined ? [] : await changedSince(store, facts, { harness: request.harness, now: clock() })
  const frame = tokensOf(markMemory(OPENING))
  const changed = fitted((most) => changedLines(news, most), Math.floor((maxTokens - frame) * CHANGED))
  const stable = fitted(
    (most) => stableLines(facts, { name, card }, most),
    maxTokens - frame - (changed === '' ? 0 : tokensOf(changed) + 1),
  )
  if (stable === '' && changed === '') return { ...NOTHING, project: name }
  const text = markMemory([OPENING, stable, changed].filter((part) => part !== '').join('\n'))
  return { project: name, stable, changed, tokens: tokensOf(text), text }
}

const OPENING = `${NOTICE} Memory of earlier sessions here. More: mnemonic show ID, mnemonic search WORDS`

function fitted(lines: (most: number) => readonly string[], room: number): string {
  for (let most = MOST; most > 0; most--) {
    const text = lines(most).join('\n')
    if (tokensOf(text) <= room) return text
  }
  return ''
}

async function cardLines(store: Store, agentId: string, scope: ProjectScope): Promise<string[]> {
  const lines = await briefCardLines(store, { agentId, scope })
  const short = await shortTurnIds(
    store,
    lines.flatMap(({ turn }) => turn ?? []),
  )
  return lines.map(({ text, turn }) =>
    `- ${safe(oneLine(text, LONGEST))}${turn === null ? '' : ` ${named(short.get(turn) ?? '')}`}`.trimEnd(),
  )
}

interface Frame {
  readonly name: string | null
  readonly card: readonly string[]
}

function stableLines(
  { sessions, count, decisions, actions, preferences, owner }: BriefFacts,
  { name, card }: Frame,
  most: number,
): string[] {
  const open = leftOpen(sessions.slice(0, 1).map((session) => rowOf(session))).map(({ text, at }) => ({
    text,
    at,
    rule: null,
    about: null,
  }))
  return [
    ...(sessions.length === 0 ? [] : [`## ${name ?? 'This project'} (${plural(count, 'session')}, last ${dayOf(sessions[0]?.at ?? 0)})`]),
    ...sessions.slice(0, Math.ceil(most / 2)).map(sessionLine),
    ...(card.length === 0 ? [] : ['## How to work here', ...card]),
    ...section('Decisions that hold', decisions, most),
    ...section('Open actions', [...open, ...actions], Math.ceil(most / 2)),
    ...section('Rules and preferences of the owner', preferences, most),
    ...(owner.length === 0 ? [] : ['## The owner', ...owner.slice(0, most).map((line) => `- ${line}`)]),
  ]
}

function sessionLine(session: BriefSession): string {
  const [standing] = standingOf([rowOf(session)])
  const title = session.title === '' || ordersReader(session.title) ? '' : quoted(oneLine(session.title, TITLE))
  const said = standing === undefined ? title : safe(oneLine(standing.text, LONGEST))
  return `- ${dayOf(session.at)} ${named(session.short)} ${said || 'a session without a title'}`
}

function rowOf({ id, at, summary }: BriefSession): Parameters<typeof standingOf>[0][number] {
  const paths = { summaryPath: null, transcriptPath: null, compactionPath: null, manifestPath: '' }
  return { row: { ...paths, membershipTs: at, sessionId: id, project: null, sentence: '' }, name: 'here', summary }
}

function section(heading: string, all: readonly Stated[], most: number): string[] {
  if (all.length === 0) return []
  return [`## ${heading}`, ...all.slice(0, most).map((one) => `- ${dayOf(one.at)} ${wordsOf(one)}`)]
}

function wordsOf(one: Stated): string {
  const { text, rule, about, isReported } = one
  const quote = (said: string) => quoted(oneLine(said, LONGEST))
  return `${statedAs({ text, rule, about }, quote) ?? quote(text)}${repetitionWords(one)}${isReported === true ? AGENT_SAID : ''}`
}

interface News {
  readonly since: number
  readonly sessions: readonly BriefSession[]
  readonly decisions: readonly Stated[]
  readonly commits: readonly string[]
}

/** Work of other sessions since this harness last ended one; empty on its first visit. */
async function changedSince(
  store: Store,
  facts: BriefFacts,
  { harness, now }: { harness: string | undefined; now: number },
): Promise<News[]> {
  const last = facts.sessions.find((session) => session.harness === harness)
  if (last === undefined) return []
  const sessions = facts.sessions.filter(({ at, id }) => at > last.at && id !== last.id)
  const { commitsOf } = await import('../../browse/timeline/commits.ts')
  const made = await commitsOf(
    store.read,
    sessions.map(({ id }) => id),
    { from: last.at, to: now } as Parameters<typeof commitsOf>[2],
  )
  const commits = [...made.values()].flat().map(({ hash, subject }) => `${hash.slice(0, 7)} ${quoted(oneLine(subject, TITLE))}`)
  const decisions = facts.decisions.filter(({ at }) => at > last.at)
  return sessions.length + decisions.length === 0 ? [] : [{ since: last.at, sessions, decisions, commits }]
}

function changedLines(news: readonly News[], most: number): string[] {
  return news.flatMap(({ since, sessions, decisions, commits }) => [
    `## Changed since you were last here (${dayOf(since)})`,
    ...sessions.slice(0, most).map((session) => `${sessionLine(session)} [${safe(session.harness)}]`),
    ...commits.slice(-most).map((commit) => `- commit ${commit}`),
    ...decisions.slice(0, most).map((one) => `- decided ${dayOf(one.at)} ${wordsOf(one)}`),
  ])
}

/** Omits a foreign name that reads as an instruction. */
function nameOf(name: string): string | null {
  return readsAsCommand(name) ? null : safe(oneLine(name, NAME))
}

function dayOf(at: number): string {
  return toIso(at).slice(0, 10)
}
