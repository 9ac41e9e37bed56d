/** Workspace storage until early 2026: chat tabs, inline composers, bare prompts. */
import { given } from '../../../core/given.ts'
import { sha256, shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { AgentRecord } from '../../../ledgers/agent-record.ts'
import type { SourceDatabase } from '../../../store/source-database.ts'
import type { ReadItem } from '../../adapter.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'
import { bubbleMessage, timeOf } from './bubble.ts'
import { bubbleList } from './bubble-list.ts'
import { composerItems } from './composer.ts'
import { titleRecord } from './composer-session.ts'
import type { Folder } from './folder-uri.ts'
import { isUuid, textHash, textNames } from './names.ts'
import { listOf, parsedJson, type RowValue, rowText } from './row-value.ts'
import type { Signatures } from './signatures.ts'

/** Only these keys of ItemTable may be read. */
export const OLD_KEYS = {
  chats: 'workbench.panel.aichat.view.aichat.chatdata',
  composers: 'composer.composerData',
  prompts: 'aiService.prompts',
  generations: 'aiService.generations',
} as const

export interface OldChats {
  readonly database: SourceDatabase
  readonly seen: Signatures
  readonly addTexts: (session: string, names: readonly string[]) => void
  readonly bytes: () => number
  readonly folder: Folder | undefined
  readonly name: string
  /** Every prompt is then also in a conversation. */
  readonly hasComposers: boolean
}

const ALONE = { parent: undefined, subagent: false, bestOfN: false } as const

export function* readOldChats(of: OldChats): Generator<ReadItem, void, undefined> {
  const said = new Set<string>()
  const tabs = listOf(fieldsOf(item(of, OLD_KEYS.chats))?.tabs).map(fieldsOf)
  for (const tab of tabs) if (tab !== undefined) yield* changed(of, textOf(tab.tabId), tab, () => chatItems(tab, of, said))
  const all = fieldsOf(item(of, OLD_KEYS.composers))
  const composers = listOf(all?.allComposers)
    .map(fieldsOf)
    .filter((one) => one !== undefined)
  composers.sort((a, b) => Number(a.createdAt ?? 0) - Number(b.createdAt ?? 0))
  for (const composer of composers) {
    const name = textOf(composer.composerId)
    for (const bubble of listOf(composer.conversation)) note(fieldsOf(bubble), said)
    if (listOf(composer.conversation).length > 0) yield* changed(of, name, composer, () => oldComposer(name ?? '', composer, of))
  }
  // A list without bodies: the global database holds them, with their prompts.
  const elsewhere =
    of.hasComposers || all?.hasMigratedComposerData === true || composers.some((one) => listOf(one.conversation).length === 0)
  if (!elsewhere) yield* promptItems(of, said)
}

function item({ database }: OldChats, key: string): unknown {
  const row = database.first<{ value: RowValue }>('select value from ItemTable where key = ?', key)
  return parsedJson(rowText(row?.value))
}

function record(value: AgentRecord): ReadItem {
  return { type: 'record', record: value }
}

function* changed(
  of: OldChats,
  name: string | undefined,
  value: Fields,
  items: () => Iterable<ReadItem>,
): Generator<ReadItem, void, undefined> {
  if (name === undefined) {
    yield { type: 'unknown', name: 'a conversation without a name' }
    return
  }
  const signature = sha256(JSON.stringify(value))
  if (of.seen.isKnown(`old ${name}`, signature)) return
  yield* items()
  of.seen.note(`old ${name}`, signature)
  yield { type: 'checkpoint', offset: of.bytes(), carry: of.seen.carry() }
}

function note(bubble: Fields | undefined, said: Set<string>): void {
  if (bubble !== undefined && (bubble.type === 1 || bubble.type === 'user')) said.add(textHash('user', textOf(bubble.text) ?? ''))
}

function* oldComposer(session: string, composer: Fields, of: OldChats): Generator<ReadItem, void, undefined> {
  const list = bubbleList(composer, session)
  const addTexts = (names: readonly string[]) => of.addTexts(session, names)
  yield* composerItems({ session, composer, list, folder: of.folder, family: ALONE, stored: undefined, row: 0, addTexts })
}

/** Bubbles have no times; the tab's last one is the only one. */
function* chatItems(tab: Fields, of: OldChats, said: Set<string>): Generator<ReadItem, void, undefined> {
  const session = textOf(tab.tabId) ?? ''
  const bubbles = listOf(tab.bubbles).map(fieldsOf)
  // The last bubble is the unsent input box.
  const sent = bubbles.filter((one) => one !== undefined && (one.type !== 'user' || (textOf(one.text) ?? '') !== ''))
  const alias = textNames(session)
  const time = parseTimestamp(tab.lastSendTime)
  let last: string | undefined
  for (const [n, bubble] of sent.entries()) {
    if (bubble === undefined) continue
    note(bubble, said)
    if (last === undefined) yield* opening(session, tab, of)
    const id = textOf(bubble.id) ?? textOf(bubble.bubbleId) ?? `${session}#${n}`
    const before = timeOf(bubble, undefined) ?? time
    const at = { session, id, parent: last, subagent: false, header: undefined, request: undefined, before, alias }
    const message = bubbleMessage(bubble, at)
    if (message === undefined) {
      yield { type: 'unknown', name: `chat bubble type ${JSON.stringify(bubble.type ?? null)}` }
      continue
    }
    last = id
    of.addTexts(session, message.aliases ?? [])
    yield record(message)
  }
}

function* opening(session: string, tab: Fields, { folder }: OldChats): Generator<ReadItem, void, undefined> {
  const project = folder?.path
  const context = given({ mode: 'chat', tab_state: textOf(tab.tabState), remote: folder?.remote })
  const firstHash = shortHash(16, session)
  yield record(given({ type: 'session' as const, session, firstHash, project, workspacePath: project, forceMode: 'chat', context }))
  const title = titleRecord(session, tab.chatTitle)
  if (title !== undefined) yield record(title)
}

/** Prompts of lost conversations, without answers. */
function* promptItems(of: OldChats, said: ReadonlySet<string>): Generator<ReadItem, void, undefined> {
  const prompts = listOf(item(of, OLD_KEYS.prompts)).map(fieldsOf)
  const made = listOf(item(of, OLD_KEYS.generations)).map(fieldsOf)
  const all = prompts.length > 0 ? prompts : made.map((one): Fields | undefined => one && { ...one, text: one.textDescription })
  const left = all.filter((one) => textOf(one?.text) !== undefined && !said.has(textHash('user', textOf(one?.text) ?? '')))
  const [first] = left
  if (first === undefined) return
  const signature = sha256(JSON.stringify(left))
  const session = `prompts-${isHash(of.name) ? of.name : shortHash(16, textOf(first.text) ?? '')}`
  if (of.seen.isKnown(session, signature)) return
  const project = of.folder?.path
  const opening = { type: 'session' as const, session, firstHash: shortHash(16, session), project, workspacePath: project }
  yield record(given({ ...opening, context: { only_prompts: true } }))
  const times = new Map(made.map((one) => [textOf(one?.textDescription) ?? '', one]))
  const seen = new Map<string, number>()
  for (const prompt of left) {
    const text = textOf(prompt?.text) ?? ''
    const hash = textHash('user', text)
    const n = seen.get(hash) ?? 0
    seen.set(hash, n + 1)
    const generation = times.get(text)
    yield record(
      given({
        type: 'message' as const,
        session,
        id: `${session}-${hash}-${n}`,
        hash,
        role: 'user' as const,
        kind: 'prompt' as const,
        text,
        timestamp: parseTimestamp(generation?.unixMs),
        trust: 'owner' as const,
        metadata: given({ command_type: prompt?.commandType ?? undefined, generation: textOf(generation?.generationUUID) }),
      }),
    )
  }
  of.seen.note(session, signature)
}

function isHash(name: string): boolean {
  return /^[0-9a-f]{32}$/i.test(name) || isUuid(name)
}
