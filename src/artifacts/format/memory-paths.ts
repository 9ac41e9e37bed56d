/** MEMORY.md and LEDGER.md as other files name them: their paths relative to the workspace root (`main`'s are at the top), the line by which they are ours, and the entry that a manifest refers to. */
import { safeSessionLabel } from '../../core/ids.ts'
import { toIso } from '../../core/time.ts'

export const LEDGER_PATH = 'memory/LEDGER.md'
/** By this beginning of its first line a file is known as ours; any other MEMORY.md is never overwritten. */
export const MEMORY_MARKER = '<!-- mnemonic:memory v1'

/** True for a file that Mnemonic rendered. */
export function isOurMemory(text: string): boolean {
  return text.startsWith(MEMORY_MARKER) || text.startsWith(`\ufeff${MEMORY_MARKER}`)
}

export function memoryPath(agentId: string): string {
  return agentId === 'main' ? 'MEMORY.md' : `agents/${folderOf(agentId)}/MEMORY.md`
}

export function ledgerPath(agentId: string): string {
  return agentId === 'main' ? LEDGER_PATH : `agents/${folderOf(agentId)}/LEDGER.md`
}

/** The agent of a rendered file; for one whose id is no folder name, the folder. Both lead to the same paths. */
export function agentOfList(path: string): string {
  return /^agents\/([^/]+)\//.exec(path)?.[1] ?? 'main'
}

/** The path of ours while a file that is not ours has that name: `MEMORY.mnemonic.md`. */
export function besidePath(path: string): string {
  return path.replace(/\.md$/, '.mnemonic.md')
}

/** A source names its agents as it likes; a folder is one name below `agents/`. */
function folderOf(agentId: string): string {
  return /^\.*$/.test(agentId) ? `agent-${agentId.length}` : safeSessionLabel(agentId)
}

/** An entry of MEMORY.md by the file and the time with which its row begins: `MEMORY.md#2026-03-28T22:34:06.792Z`. */
export function entryRef(path: string, membershipTs: number): string {
  return `${path}#${toIso(membershipTs)}`
}

/** Older manifests name the file alone. */
export function fileOfRef(ref: string): string {
  return ref.split('#', 1)[0] as string
}

/** The entry in one file; undefined where there is none. */
export function refIn(refs: readonly string[] | undefined, path: string): string | undefined {
  return refs?.find((ref) => fileOfRef(ref) === path)
}

/** The time of the row, empty where only the file is named. */
export function entryOf(ref: string): string {
  return ref.slice(fileOfRef(ref).length + 1)
}
