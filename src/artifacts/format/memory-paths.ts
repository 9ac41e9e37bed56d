/** Paths are relative to the workspace root. `main` uses the top level. */
import { safeSessionLabel } from '../../core/ids.ts'
import { toIso } from '../../core/time.ts'

export const LEDGER_PATH = 'memory/LEDGER.md'
/** A MEMORY.md without this mark is never overwritten. */
export const MEMORY_MARKER = '<!-- mnemonic:memory v1'

export function isOurMemory(text: string): boolean {
  return text.startsWith(MEMORY_MARKER) || text.startsWith(`\ufeff${MEMORY_MARKER}`)
}

export function memoryPath(agentId: string): string {
  return agentId === 'main' ? 'MEMORY.md' : `agents/${folderOf(agentId)}/MEMORY.md`
}

export function ledgerPath(agentId: string): string {
  return agentId === 'main' ? LEDGER_PATH : `agents/${folderOf(agentId)}/LEDGER.md`
}

/** May be the folder name instead of the id; both give the same paths. */
export function agentOfList(path: string): string {
  return /^agents\/([^/]+)\//.exec(path)?.[1] ?? 'main'
}

/** Used if a foreign file has our name: `MEMORY.mnemonic.md`. */
export function besidePath(path: string): string {
  return path.replace(/\.md$/, '.mnemonic.md')
}

/** Ids come from sources and may be no valid folder name. */
function folderOf(agentId: string): string {
  return /^\.*$/.test(agentId) ? `agent-${agentId.length}` : safeSessionLabel(agentId)
}

/** `MEMORY.md#2026-03-28T22:34:06.792Z` */
export function entryRef(path: string, membershipTs: number): string {
  return `${path}#${toIso(membershipTs)}`
}

export function fileOfRef(ref: string): string {
  return ref.split('#', 1)[0] as string
}

export function refIn(refs: readonly string[] | undefined, path: string): string | undefined {
  return refs?.find((ref) => fileOfRef(ref) === path)
}

/** Empty if the reference names only the file (older manifests). */
export function entryOf(ref: string): string {
  return ref.slice(fileOfRef(ref).length + 1)
}
