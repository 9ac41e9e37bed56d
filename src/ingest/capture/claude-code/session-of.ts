/** Decided by path and fields, never by text. */
import { basename, dirname, join, sep } from 'node:path'
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'
import type { Reading, UnitNames } from './read-state.ts'

export interface SessionOf {
  readonly session: string
  /** A file name or short id, which may not be unique. */
  readonly weak: boolean
  readonly subagent?: { readonly parent?: string; readonly toolCall?: string; readonly description?: string }
}

export interface RecordOfSession {
  readonly record: Fields
  readonly within: SessionOf
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const SIDECHAIN = 'sidechain-'

export function sessionOf(record: Fields, reading: Reading): SessionOf {
  const { names, state } = reading
  const named = textOf(record.sessionId)
  if (record.isSidechain === true) {
    const agent = textOf(record.agentId)
    if (names.agentFile || agent !== undefined) return subagentSession(names.agentFile ? names.stem : `agent-${agent}`, named, reading)
    return sidechainSession(record, reading)
  }
  const session = named ?? state.current ?? names.stem
  return session.startsWith(SIDECHAIN) ? { session, weak: false, subagent: {} } : { session, weak: !UUID.test(session) }
}

function subagentSession(session: string, named: string | undefined, { names, meta }: Reading): SessionOf {
  const folder = names.folderSession
  // Workflows name the session that started them, then themselves.
  const parent = named === undefined || named === session || named.startsWith(`${folder}#`) ? folder : named
  const toolCall = textOf(meta?.toolUseId)
  const description = textOf(meta?.description)
  return {
    session,
    weak: true,
    subagent: {
      ...given({ parent, toolCall, description }),
    },
  }
}

/** Old versions interleaved subagent records with the parent's; each root starts a sidechain. */
function sidechainSession(record: Fields, { names, state }: Reading): SessionOf {
  const uuid = textOf(record.uuid)
  const above = textOf(record.parentUuid)
  const newest = [...state.sidechains.values()].at(-1)
  const known = above === undefined ? undefined : (state.sidechains.get(above) ?? newest)
  const session = known ?? `${SIDECHAIN}${uuid ?? shortHash(16, JSON.stringify(record))}`
  if (uuid !== undefined) state.sidechains.set(uuid, session)
  const text = fieldsOf(record.message)?.content
  const prompt = typeof text === 'string' ? text : firstText(text)
  const toolCall = known === undefined && prompt !== undefined ? state.tasks.get(shortHash(16, prompt)) : undefined
  const parent = textOf(record.sessionId) ?? state.main ?? names.stem
  return { session, weak: false, subagent: { parent, ...given({ toolCall }) } }
}

function firstText(content: unknown): string | undefined {
  const block = Array.isArray(content) ? fieldsOf(content[0]) : undefined
  return textOf(block?.text)
}

const SUBAGENTS = 'subagents'

export function unitNames(path: string): UnitNames {
  const stem = basename(path).replace(/\.jsonl$/i, '')
  const folders = dirname(path).split(sep)
  const at = folders.lastIndexOf(SUBAGENTS)
  const inside = at > 0 && folders[at - 1] !== ''
  return {
    path,
    stem,
    agentFile: stem.startsWith('agent-'),
    folderSession: inside ? folders[at - 1] : undefined,
    sessionFolder: inside ? folders.slice(0, at).join(sep) : join(dirname(path), stem),
  }
}
