/** Where the rendered files of an agent lie, relative to the workspace root. `main`'s lie at the top. */
import { safeSessionLabel } from '../../core/ids.ts'
import { LEDGER_PATH } from '../render/memory-md.ts'

export function memoryPath(agentId: string): string {
  return agentId === 'main' ? 'MEMORY.md' : `agents/${folderOf(agentId)}/MEMORY.md`
}

export function ledgerPath(agentId: string): string {
  return agentId === 'main' ? LEDGER_PATH : `agents/${folderOf(agentId)}/LEDGER.md`
}

/** Where ours lies while a file of somebody else has that name: `MEMORY.mnemonic.md`. */
export function besidePath(path: string): string {
  return path.replace(/\.md$/, '.mnemonic.md')
}

/** A source names its agents as it likes; a folder is one name below `agents/`. */
function folderOf(agentId: string): string {
  return /^\.*$/.test(agentId) ? `agent-${agentId.length}` : safeSessionLabel(agentId)
}
