/** Must never contain messages, keys or tokens. */
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { type SessionRecord, TITLE_RANK, type TitleRecord } from '../../../ledgers/agent-record.ts'
import { type Fields, fieldsOf, numberOf, textOf } from '../fields.ts'
import { pruned } from './attached.ts'
import type { BubbleList } from './bubble-list.ts'
import type { Folder } from './folder-uri.ts'
import { listOf, textsOf } from './row-value.ts'

export interface ComposerFacts {
  readonly session: string
  readonly composer: Fields
  readonly folder: Folder | undefined
  readonly list: BubbleList
  readonly family: Family
}

/** A subagent, or one of several attempts at a task. */
export interface Family {
  readonly parent: string | undefined
  readonly subagent: boolean
  readonly bestOfN: boolean
}

/** Messages, file contents, unsent input, window and server state. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...['conversation', 'conversationMap', 'fullConversationHeadersOnly', 'codeBlockData', 'originalFileStates', 'originalModelLines'],
  ...['text', 'richText', 'context', 'latestConversationSummary', 'conversationState', 'inlineDiffIdMap', 'generatingBubbleIds'],
  ...['tabs', 'selectedTabIndex', 'gitGraphFileSuggestions', 'queuedAddedFiles', 'capabilities', 'hasChangedContext', 'todos'],
])
const SECRET = /key$|secret|credential|password|auth|token$|state$|cookie/i
/** Longer fields are content. */
const LONGEST = 2000

export function sessionRecord({ session, composer, folder, list, family }: ComposerFacts): SessionRecord {
  const info = fieldsOf(composer.subagentInfo)
  const mode = textOf(composer.forceMode) ?? textOf(composer.unifiedMode)
  const project = folder?.path
  return given({
    type: 'session' as const,
    session,
    firstHash: shortHash(16, session),
    project,
    workspacePath: project,
    model: textOf(fieldsOf(composer.modelConfig)?.modelName),
    isSubagent: family.subagent || undefined,
    parentSession: family.parent,
    toolCall: textOf(info?.toolCallId),
    taskDescription: textOf(info?.description) ?? textOf(info?.subagentTypeName),
    taskStatus: family.subagent ? textOf(composer.status) : undefined,
    contextTokenLimit: numberOf(composer.contextTokenLimit),
    contextTokensUsed: numberOf(composer.contextTokensUsed),
    isAgentic: agentic(composer, mode),
    forceMode: mode,
    context: contextOf({ composer, folder, list, family }),
    raw: headerOf(composer),
  })
}

function agentic(composer: Fields, mode: string | undefined): boolean | undefined {
  if (typeof composer.isAgentic === 'boolean') return composer.isAgentic
  return mode === undefined ? undefined : mode === 'agent'
}

function contextOf({ composer, folder, list, family }: Omit<ComposerFacts, 'session'>): Fields {
  const names = Object.keys(fieldsOf(composer.codeBlockData) ?? {})
  return given({
    status: textOf(composer.status),
    mode: textOf(composer.unifiedMode),
    remote: folder?.remote,
    subtitle: textOf(composer.subtitle),
    branch: textOf(composer.createdOnBranch),
    archived: composer.isArchived === true || undefined,
    best_of_n: family.bestOfN || undefined,
    tries: textsOf(composer.subComposerIds).length > 0 ? textsOf(composer.subComposerIds) : undefined,
    subagents: textsOf(composer.subagentComposerIds).length > 0 ? textsOf(composer.subagentComposerIds) : undefined,
    code_blocks: names.length > 0 ? names.slice(0, 200) : undefined,
    todos: pruned(listOf(composer.todos), 0),
    orphan_bubbles: list.orphans > 0 ? list.orphans : undefined,
    missing_bubbles: list.missing.length > 0 ? list.missing.length : undefined,
    repeated_bubbles: list.repeated > 0 ? list.repeated : undefined,
  })
}

function headerOf(composer: Fields): Fields | undefined {
  const kept = Object.entries(composer).filter(([key]) => !ELSEWHERE.has(key))
  const small = kept.filter(([, value]) => value !== false && JSON.stringify(value ?? null).length <= LONGEST)
  return fieldsOf(pruned(withoutSecrets(Object.fromEntries(small)), 0))
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  const fields = fieldsOf(value)
  if (fields === undefined) return value
  const open = Object.entries(fields).filter(([key]) => !SECRET.test(key))
  return Object.fromEntries(open.map(([key, inner]) => [key, withoutSecrets(inner)]))
}

export function titleRecord(session: string, name: unknown): TitleRecord | undefined {
  const title = textOf(name)?.trim()
  return title === undefined || title === '' ? undefined : { type: 'title', session, title, rank: TITLE_RANK.generated }
}
