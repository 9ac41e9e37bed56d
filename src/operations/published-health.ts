import { parseArtifactPath } from '../artifacts/format/artifact-name.ts'
import { checkPublished } from '../artifacts/repair/check-published.ts'
import type { ArtifactProblem, ProblemKind } from '../artifacts/repair/verify.ts'
import { plural } from '../core/text.ts'
import type { Store } from '../store/store.ts'
import { tombstoneReader } from '../tombstones/tombstones.ts'
import { type Answer, degraded, ok } from './report.ts'

const MOST_NAMED = 3

export async function publishedHealth(store: Store, workspace: string): Promise<Answer> {
  const { checked, problems } = await checkPublished({ store, workspace, tombstones: tombstoneReader() })
  if (problems.length === 0) return ok(checked === 0 ? 'no file is published' : `${plural(checked, 'published file')} as they were written`)
  const message = [...byKind(problems)].map(([kind, paths]) => `${kind}: ${named(paths)}`).join('; ')
  const canRecover = problems.some(
    ({ kind, path }) => kind === 'forgotten' || (kind === 'missing' && parseArtifactPath(path)?.kind === 'manifest'),
  )
  const ways = `${VERIFY}${canRecover ? `; ${RECOVER}` : ''}.`
  return degraded(`${plural(problems.length, 'problem')} in published files: ${message}`, ways)
}

const VERIFY = 'mnemonic memory verify names all of them, and what helps'
const RECOVER = 'mnemonic memory recover removes forgotten files and writes lost manifests'

function byKind(problems: readonly ArtifactProblem[]): Map<ProblemKind, string[]> {
  const kinds = new Map<ProblemKind, string[]>()
  for (const { kind, path } of problems) kinds.set(kind, [...(kinds.get(kind) ?? []), path])
  return kinds
}

function named(paths: readonly string[]): string {
  const more = paths.length - MOST_NAMED
  return paths.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
