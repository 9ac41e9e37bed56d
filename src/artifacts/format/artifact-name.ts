/** File names: `{captured_at_iso_fs}--{session_token}--{kind}.md`. No I/O. */
import { MnemonicError } from '../../core/error.ts'
import { parseTimestamp, toIso } from '../../core/time.ts'
import { isSessionToken } from './session-token.ts'

/** Immutable once written. */
export const CONTENT_KINDS = ['summary', 'transcript', 'compaction'] as const
export const ARTIFACT_KINDS = [...CONTENT_KINDS, 'manifest'] as const

export type ContentKind = (typeof CONTENT_KINDS)[number]
export type ArtifactKind = (typeof ARTIFACT_KINDS)[number]

export const ARTIFACT_FOLDER = 'memory'
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

export function artifactPath(name: ArtifactName): string {
  return `${ARTIFACT_FOLDER}/${artifactName(name)}`
}

export function parseArtifactName(name: string): ArtifactName | undefined {
  const [, date = '', hour = '', minute = '', rest = '', token = '', word = ''] = NAME.exec(name) ?? []
  const kind = ARTIFACT_KINDS.find((known) => known === word)
  const iso = `${date}${hour}:${minute}:${rest}`
  const capturedAt = parseTimestamp(iso)
  // Rejects impossible dates and foreign time formats.
  if (kind === undefined || capturedAt === undefined || toIso(capturedAt) !== iso) return undefined
  return { capturedAt, token, kind }
}

export function parseArtifactPath(path: string): ArtifactName | undefined {
  const name = parseArtifactName(nameIn(path))
  if (path === `${ARTIFACT_FOLDER}/${nameIn(path)}`) return name
  return path === archivedPath(path) && name?.kind === 'transcript' ? name : undefined
}

/** Names start with their time, so they sort across folders. */
export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function archivedPath(path: string): string {
  return `${ARCHIVE_FOLDER}/${nameIn(path)}`
}

/** Published texts keep linking to this path after archiving. */
export function publishedPath(path: string): string {
  return path === archivedPath(path) ? `${ARTIFACT_FOLDER}/${nameIn(path)}` : path
}

function badName(field: string, value: string): MnemonicError {
  return new MnemonicError('VALIDATION_ERROR', `an artifact cannot have the ${field} ${JSON.stringify(value.slice(0, 100))}`, {
    details: { field },
  })
}
