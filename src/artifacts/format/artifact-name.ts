/** The names of artifact files: `{captured_at_iso_fs}--{session_token}--{kind}.md`. Never looks at a disk. */
import { MnemonicError } from '../../core/error.ts'
import { parseTimestamp, toIso } from '../../core/time.ts'
import { isSessionToken } from './session-token.ts'

/** What a session's history is published as. They never change once written. */
export const CONTENT_KINDS = ['summary', 'transcript', 'compaction'] as const
export const ARTIFACT_KINDS = [...CONTENT_KINDS, 'manifest'] as const

export type ContentKind = (typeof CONTENT_KINDS)[number]
export type ArtifactKind = (typeof ARTIFACT_KINDS)[number]

/** The folder of artifacts below the workspace root. */
export const ARTIFACT_FOLDER = 'memory'
/** Where transcripts go that left the window; nothing else is there. */
export const ARCHIVE_FOLDER = `${ARTIFACT_FOLDER}/archive`

export interface ArtifactName {
  /** Milliseconds UTC. */
  readonly capturedAt: number
  readonly token: string
  readonly kind: ArtifactKind
}

const NAME = /^(\d{4}-\d{2}-\d{2}T)(\d{2})-(\d{2})-(\d{2}\.\d{3}Z)--([a-z2-7]{16})--([a-z]+)\.md$/

export function artifactName({ capturedAt, token, kind }: ArtifactName): string {
  if (parseTimestamp(capturedAt) !== capturedAt) throw badName('captured_at', String(capturedAt))
  if (!isSessionToken(token)) throw badName('session_token', token)
  return `${toIso(capturedAt).replaceAll(':', '-')}--${token}--${kind}.md`
}

/** The same below the workspace root: `memory/…`. */
export function artifactPath(name: ArtifactName): string {
  return `${ARTIFACT_FOLDER}/${artifactName(name)}`
}

/** What a file name says; undefined when it is not the name of an artifact. */
export function parseArtifactName(name: string): ArtifactName | undefined {
  const [, date = '', hour = '', minute = '', rest = '', token = '', word = ''] = NAME.exec(name) ?? []
  const kind = ARTIFACT_KINDS.find((known) => known === word)
  const iso = `${date}${hour}:${minute}:${rest}`
  const capturedAt = parseTimestamp(iso)
  // A day that does not exist, or a spelling of a time that we do not write, is no name of ours.
  if (kind === undefined || capturedAt === undefined || toIso(capturedAt) !== iso) return undefined
  return { capturedAt, token, kind }
}

/** What a path relative to the workspace root says; undefined when nothing of that name belongs there. */
export function parseArtifactPath(path: string): ArtifactName | undefined {
  const name = parseArtifactName(nameIn(path))
  if (path === `${ARTIFACT_FOLDER}/${nameIn(path)}`) return name
  return path === archivedPath(path) && name?.kind === 'transcript' ? name : undefined
}

/** The name alone, by which artifacts of both folders are compared: it begins with their time. */
export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Where a transcript is, or would be, in the archive. */
export function archivedPath(path: string): string {
  return `${ARCHIVE_FOLDER}/${nameIn(path)}`
}

/** What an artifact was published as: links inside published texts name it so, wherever the file is now. */
export function publishedPath(path: string): string {
  return path === archivedPath(path) ? `${ARTIFACT_FOLDER}/${nameIn(path)}` : path
}

function badName(field: string, value: string): MnemonicError {
  return new MnemonicError('VALIDATION_ERROR', `an artifact cannot have the ${field} ${JSON.stringify(value.slice(0, 100))}`, {
    details: { field },
  })
}
