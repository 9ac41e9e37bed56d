/** Opens only artifacts, MEMORY.md and LEDGER.md. Never follows symlinks. */
import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { notDone } from '../../core/atomic-file.ts'
import { redactVisible } from '../../core/redact.ts'
import type { Store } from '../../store/store.ts'
import { tombstonesOf } from '../../tombstones/tombstones.ts'
import { parseArtifactPath } from './artifact-name.ts'
import { isForgotten } from './forgotten-file.ts'
import { parseArtifact } from './frontmatter.ts'
import { besidePath, isOurMemory, ledgerPath, memoryPath } from './memory-paths.ts'
import { placeOf } from './place-of.ts'

export interface OpenedFile {
  /** Relative to the workspace root. */
  readonly path: string
  readonly kind: 'summary' | 'transcript' | 'compaction' | 'manifest' | 'memory' | 'ledger'
  /** Empty for the lists. */
  readonly sessionId: string
  /** 0 for the lists. */
  readonly timestamp: number
  /** Redacted. */
  readonly text: string
}

export interface PublishedOf {
  readonly store: Store
  readonly workspace: string
  readonly agentId: string
}

/** Undefined if missing or not to be shown. */
export async function openPublished({ store, workspace, agentId }: PublishedOf, named: string): Promise<OpenedFile | undefined> {
  const isArtifact = parseArtifactPath(named) !== undefined
  const path = isArtifact ? placeOf(workspace, named) : named
  const list = isArtifact ? undefined : listOf(path, agentId)
  const text = isArtifact || list ? readBelow(workspace, path) : undefined
  if (text === undefined) return undefined
  const safe = redactVisible(text)
  if (list !== undefined) return isOurMemory(text) ? { path, kind: list, sessionId: '', timestamp: 0, text: safe } : undefined
  const { frontmatter: fields } = parseArtifact(text, path)
  if (agentId !== 'all' && fields.agent_id !== agentId) return undefined
  if (await isForgotten(store.read, { path, fields }, await tombstonesOf({ db: store.read }))) return undefined
  return { path, kind: fields.kind, sessionId: fields.session_id, timestamp: Date.parse(fields.captured_at), text: safe }
}

function listOf(path: string, agentId: string): 'memory' | 'ledger' | undefined {
  const isAgents = agentId === 'all' && /^agents\/[^/\\]+\/(?:MEMORY|LEDGER)(?:\.mnemonic)?\.md$/.test(path) && !/^agents\/\.+\//.test(path)
  const main = agentId === 'all' ? 'main' : agentId
  for (const [kind, own] of [
    ['memory', memoryPath(main)],
    ['ledger', ledgerPath(main)],
  ] as const) {
    if (path === own || path === besidePath(own)) return kind
  }
  return isAgents ? (path.includes('/MEMORY.') ? 'memory' : 'ledger') : undefined
}

function readBelow(workspace: string, path: string): string | undefined {
  const file = join(workspace, path)
  try {
    if (!lstatSync(file).isFile() || realpathSync(file) !== join(realpathSync(workspace), path)) return undefined
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw notDone('read', path, error)
  }
}
