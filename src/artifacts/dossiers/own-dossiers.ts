import { dossierFiles } from './dossier-files.ts'
import { headOf } from './render-dossier.ts'

export interface OwnDossier {
  /** Without `.md`. */
  readonly name: string
  readonly path: string
  readonly kind: string
  readonly text: string
}

export function ownDossiers(workspace: string, agentId: string): OwnDossier[] {
  return dossierFiles(workspace).flatMap(({ path, text }) => {
    const head = headOf(text)
    if (head === undefined || (agentId !== 'all' && head.agent !== agentId)) return []
    return [{ name: path.slice(path.indexOf('/') + 1, -'.md'.length), path, kind: head.kind, text }]
  })
}
