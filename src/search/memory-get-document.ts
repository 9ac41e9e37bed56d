import { MnemonicError } from '../core/error.ts'
import { isPublishedPath } from '../core/ids.ts'
import { redactSensitiveText } from '../core/redact.ts'
import { oneLine } from '../core/text.ts'
import { leastTrusted } from '../core/trust.ts'
import { resolveTurn } from '../ledgers/resolve.ts'
import { episodeIdIn } from './conversations.ts'
import type { DocumentSource, TextDocument } from './text-document.ts'

const TITLE_LENGTH = 200

/** `sessions/<label>/turns/<turn id>.md`. The id still finds the text if the turn has changed. */
export function turnIdOfPath(path: string): string | undefined {
  return /^sessions\/[^/]+\/(?:turns|compactions)\/(.+)\.md$/s.exec(path)?.[1]
}

export async function documentByPath(source: DocumentSource, path: string): Promise<TextDocument> {
  const turnId = turnIdOfPath(path)
  if (turnId !== undefined && (await isMessage(source, turnId))) return documentOfTurn(source, turnId)
  const episodeId = episodeIdIn(path)
  const episode = episodeId === undefined ? undefined : await (await episodes()).documentOfEpisode(source, episodeId)
  return episode ?? (await workspaceDocument(source, path)) ?? (await publishedDocument(source, path)) ?? throwNotFound(path)
}

async function isMessage({ store }: DocumentSource, id: string): Promise<boolean> {
  return (await store.read.selectFrom('agent_messages').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

function episodes() {
  return import('./memory-get-episode.ts')
}

/** An episode or a conversation, else a turn. Throws NOT_FOUND or AMBIGUOUS_ID. */
export async function documentById(source: DocumentSource, id: string): Promise<TextDocument> {
  return (await conversationCalled(source, id)) ?? documentOfTurn(source, id)
}

/** Undefined if the text names a session, a turn or nothing. */
export async function conversationCalled(source: DocumentSource, text: string): Promise<TextDocument | undefined> {
  return mayNameEvents(text) ? (await episodes()).episodeOrThread(source, text) : undefined
}

function mayNameEvents(text: string): boolean {
  return /^e:[0-9a-z]+$|^[0-9a-f]{32}$|^[a-z0-9][a-z0-9_-]*:\S/i.test(text)
}

/** Throws NOT_FOUND or AMBIGUOUS_ID. */
export async function documentOfTurn({ store, buildDocument, agentId }: DocumentSource, id: string): Promise<TextDocument> {
  const turn = await resolveTurn(store, id, agentId === 'all' ? undefined : agentId)
  const session = await store.read
    .selectFrom('agent_sessions')
    .select(['agent_id', 'title', 'status'])
    .where('id', '=', turn.session_id)
    .executeTakeFirst()
  const hidden = session === undefined || session.status === 'deleted' || (agentId !== 'all' && session.agent_id !== agentId)
  const document = hidden ? undefined : await buildDocument(turn.id)
  if (session === undefined || document === undefined) return throwNotFound(id)
  return {
    path: document.path,
    source: 'sessions',
    kind: document.kind,
    sessionId: turn.session_id,
    turnId: turn.id,
    title: session.title === null ? null : oneLine(redactSensitiveText(session.title, { mode: 'tools' }), TITLE_LENGTH),
    timestamp: document.timestamp,
    trust: leastTrusted(document.messages.map(({ trust }) => trust)),
    speakers: [...new Set(document.messages.map(({ speaker }) => speaker))],
    text: document.text,
    messages: document.messages,
  }
}

async function workspaceDocument({ store, agentId }: DocumentSource, path: string): Promise<TextDocument | undefined> {
  const row = await store.read
    .selectFrom('documents as d')
    .innerJoin('index_files as i', 'i.path', 'd.path')
    .leftJoin('index_chunks as c', 'c.file', 'i.id')
    .select(['d.agent_id', 'd.text', 'c.timestamp'])
    .where('d.path', '=', path)
    .where('d.kind', '=', 'document')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined || (agentId !== 'all' && row.agent_id !== agentId)) return undefined
  return {
    path,
    source: 'memory',
    kind: 'document',
    sessionId: '',
    turnId: '',
    title: null,
    timestamp: row.timestamp ?? 0,
    trust: 'owner',
    speakers: ['User'],
    text: row.text,
    messages: [],
  }
}

/** Published files lost who said what: all of it counts as untrusted. */
async function publishedDocument({ openPublished, agentId }: DocumentSource, path: string): Promise<TextDocument | undefined> {
  const file = await openPublished(path, agentId)
  return file && { ...file, source: 'memory', turnId: '', title: null, trust: 'untrusted', speakers: [], messages: [] }
}

/** True even if no such file exists. */
export function namesPublished(path: string): boolean {
  return isPublishedPath(path) || /^(?:MEMORY|memory\/LEDGER|agents\/[^/]+\/(?:MEMORY|LEDGER))\.md$/.test(path)
}

export function ifNotFound(error: unknown): undefined {
  if (error instanceof MnemonicError && error.code === 'NOT_FOUND') return undefined
  throw error
}

function throwNotFound(name: string): never {
  const shown = name.length > 200 ? `${name.slice(0, 200)}…` : name
  throw new MnemonicError('NOT_FOUND', `no document is called ${JSON.stringify(shown)}`, {
    details: { path: shown },
    hint: namesPublished(name)
      ? 'The files of a session: mnemonic memory open SESSION. The lists are written by: mnemonic memory render'
      : 'Give a path, citation or turn id that a search gave. What is new or renamed is known after: mnemonic sync',
  })
}
