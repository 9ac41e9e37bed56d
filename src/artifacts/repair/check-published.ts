import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { MnemonicError } from '../../core/error.ts'
import { pauseToStop } from '../../core/stopped.ts'
import type { Store } from '../../store/store.ts'
import type { TombstoneReader } from '../../tombstones/tombstones.ts'
import { ARTIFACT_FOLDER, publishedPath } from '../format/artifact-name.ts'
import { isForgotten } from '../format/forgotten-file.ts'
import { isMoved } from '../format/place-of.ts'
import { publishedFiles } from '../format/published-files.ts'
import { readHead } from '../format/read-artifact.ts'
import { listsOfForgotten } from './put-back.ts'
import { type ArtifactProblem, type CheckedArtifact, FORGOTTEN, type Verification, type VerifyOptions, verifyArtifacts } from './verify.ts'

export interface CheckContext {
  readonly store: Store
  readonly workspace: string
  readonly tombstones: TombstoneReader
  readonly signal?: AbortSignal | undefined
}

/** A missing manifest is reported once, as a broken link. */
export async function checkPublished(context: CheckContext): Promise<Verification> {
  const { store, workspace, signal } = context
  const found = await verifyArtifacts(workspace, { isForgotten: await forgottenIn(context), signal })
  const rows = await store.read.selectFrom('artifacts').select(['source_path', 'source_kind']).orderBy('source_path').execute()
  const missing = rows
    .filter(({ source_path }) => !existsSync(join(workspace, source_path)))
    .map(({ source_path: path, source_kind }): ArtifactProblem => ({ path, kind: 'missing', problem: missingAs(path, source_kind) }))
  const notes = notesOf(workspace, found.problems).map((path): ArtifactProblem => ({ path, kind: 'forgotten', problem: FORGOTTEN }))
  const strays = (await strayForgotten(context)).map((path): ArtifactProblem => ({ path, kind: 'forgotten', problem: FORGOTTEN }))
  const lists = (await listsOfForgotten(store, workspace)).map((path): ArtifactProblem => ({ path, kind: 'forgotten', problem: LISTS }))
  return { ...found, problems: [...found.problems, ...notes, ...strays, ...missing, ...lists] }
}

/** Finds placeholders of forgotten archived transcripts. */
export function notesOf(workspace: string, problems: readonly ArtifactProblem[]): string[] {
  const forgotten = problems.filter(({ kind }) => kind === 'forgotten').map(({ path }) => path)
  return forgotten.map(publishedPath).filter((path) => !forgotten.includes(path) && isMoved(workspace, path))
}

const LISTS = 'it names files of something that was forgotten; mnemonic memory recover writes it again'

function missingAs(path: string, kind: string): string {
  const command = kind === 'manifest' ? 'mnemonic memory recover' : `mnemonic memory restore ${path}`
  return `it was published and is not there; ${command} writes it again`
}

/** Recognises renamed copies by their head. */
export async function strayForgotten(context: CheckContext): Promise<string[]> {
  const isGone = await forgottenIn(context)
  const known = new Set(publishedFiles(context.workspace).artifacts)
  const strays: string[] = []
  for (const path of markdownBelow(context.workspace, ARTIFACT_FOLDER)) {
    await pauseToStop(context.signal, 'checking')
    const head = known.has(path) ? undefined : headOf(context.workspace, path)
    if (head !== undefined && (await isGone(head))) strays.push(path)
  }
  return strays
}

function headOf(workspace: string, path: string): CheckedArtifact | undefined {
  try {
    const head = readHead(workspace, path)
    return head && { path, fields: head.fields, headSha256: head.sha256 }
  } catch (error) {
    // Other markdown belongs to people.
    if (error instanceof MnemonicError) return undefined
    throw error
  }
}

/** Never follows symlinks. */
function markdownBelow(workspace: string, folder: string): string[] {
  const place = join(workspace, folder)
  if (!existsSync(place)) return []
  return readdirSync(place, { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return markdownBelow(workspace, path)
      return entry.isFile() && entry.name.endsWith('.md') ? [path] : []
    })
    .sort()
}

/** Without a readable head, compares the token in the name. */
export async function forgottenIn({ store, tombstones: read }: CheckContext): Promise<NonNullable<VerifyOptions['isForgotten']>> {
  const tombstones = await read({ db: store.read })
  if (tombstones === undefined) return async () => false
  const rows = await store.read.selectFrom('tombstones').select('session_token').where('kind', '=', 'session').execute()
  const tokens = new Set(rows.map(({ session_token }) => session_token))
  return async (file) => ('token' in file ? tokens.has(file.token) : isForgotten(store.read, file, tombstones))
}
