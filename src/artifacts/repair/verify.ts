import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MnemonicError } from '../../core/error.ts'
import { pauseToStop } from '../../core/stopped.ts'
import { parseArtifactPath } from '../format/artifact-name.ts'
import { isManifest, pathsOf } from '../format/frontmatter.ts'
import type { Frontmatter, ManifestFrontmatter } from '../format/frontmatter-schema.ts'
import { artifactPaths } from '../format/published-files.ts'
import { bodySha256, parseHead, readRawHead } from '../format/read-artifact.ts'
import { sessionToken } from '../format/session-token.ts'

/** missing: row without file; forgotten: the file came back. */
export type ProblemKind = 'invalid' | 'tampered' | 'orphaned' | 'broken-link' | 'misnamed' | 'missing' | 'forgotten'

export interface ArtifactProblem {
  /** Relative to the workspace root. */
  readonly path: string
  readonly kind: ProblemKind
  readonly problem: string
}

export interface CheckedArtifact {
  readonly path: string
  readonly fields: Frontmatter
  readonly headSha256: string
}

export interface Verification {
  readonly checked: number
  readonly sound: readonly CheckedArtifact[]
  readonly problems: readonly ArtifactProblem[]
}

export interface VerifyOptions {
  /** False skips checksums. */
  readonly bodies?: boolean
  readonly isForgotten?: (file: CheckedArtifact | { readonly path: string; readonly token: string }) => Promise<boolean>
  readonly signal?: AbortSignal | undefined
}

export async function verifyArtifacts(
  workspace: string,
  { bodies = true, isForgotten, signal }: VerifyOptions = {},
): Promise<Verification> {
  const problems: ArtifactProblem[] = []
  const read: CheckedArtifact[] = []
  const paths = artifactPaths(workspace)
  for (const path of paths) {
    await pauseToStop(signal, 'checking')
    const checked = readOne(workspace, path)
    const file = 'problem' in checked ? { path, token: parseArtifactPath(path)?.token ?? '' } : checked
    if (await isForgotten?.(file)) problems.push({ path, kind: 'forgotten', problem: FORGOTTEN })
    else if ('problem' in checked) problems.push(checked)
    else read.push(checked)
  }
  problems.push(...doubleManifests(read))
  const manifests = new Map(read.flatMap(({ path, fields }) => (isManifest(fields) ? [[path, fields] as const] : [])))
  const sound: CheckedArtifact[] = []
  for (const artifact of read) {
    await pauseToStop(signal, 'checking')
    const found = [...linkProblems(workspace, artifact, manifests), ...(bodies ? await bodyProblems(workspace, artifact) : [])]
    problems.push(...found)
    if (found.every(({ kind }) => kind !== 'tampered')) sound.push(artifact)
  }
  return { checked: paths.length, sound, problems }
}

export const FORGOTTEN = 'it is of something that was forgotten; mnemonic memory recover removes it'

function readOne(workspace: string, path: string): CheckedArtifact | ArtifactProblem {
  try {
    const head = readRawHead(workspace, path)
    if (head === undefined) return { path, kind: 'invalid', problem: 'it was removed while it was being checked' }
    const fields = parseHead(head, path)
    const problem = nameProblem(path, fields)
    return problem ?? { path, fields, headSha256: head.sha256 }
  } catch (error) {
    if (!(error instanceof MnemonicError)) throw error
    return { path, kind: 'invalid', problem: error.message }
  }
}

/** A manifest keeps its first set's name. */
export function nameProblem(path: string, fields: Frontmatter): ArtifactProblem | undefined {
  const name = parseArtifactPath(path)
  const token = sessionToken({ agentId: fields.agent_id, sessionKey: fields.session_key, sessionId: fields.session_id })
  const wrong =
    name?.kind !== fields.kind
      ? 'kind'
      : name.token !== token
        ? 'session'
        : !isManifest(fields) && name.capturedAt !== Date.parse(fields.captured_at)
          ? 'captured_at'
          : undefined
  return wrong === undefined ? undefined : { path, kind: 'misnamed', problem: `its name and its head do not agree on the ${wrong}` }
}

async function bodyProblems(workspace: string, { path, fields }: CheckedArtifact): Promise<ArtifactProblem[]> {
  if (isManifest(fields)) return []
  const sum = await bodySha256(workspace, path)
  if (sum === fields.content_sha256) return []
  const ways = `mnemonic memory restore ${path} writes the original again, mnemonic memory accept ${path} publishes the edit`
  return [{ path, kind: 'tampered', problem: `its text is not the one its checksum was made of; ${ways}` }]
}

function linkProblems(
  workspace: string,
  { path, fields }: CheckedArtifact,
  manifests: ReadonlyMap<string, ManifestFrontmatter>,
): ArtifactProblem[] {
  if (isManifest(fields)) {
    return targets(fields).flatMap((target) => {
      const problem = !existsSync(join(workspace, target))
        ? `it points to ${target}, which is not there; mnemonic memory restore ${target} writes it again`
        : parseArtifactPath(target)?.token !== parseArtifactPath(path)?.token
          ? `it points to ${target}, which is of another session`
          : undefined
      return problem === undefined ? [] : [{ path, kind: 'broken-link' as const, problem }]
    })
  }
  const manifest = manifests.get(fields.manifest_path)
  if (manifest === undefined) return [{ path, kind: 'broken-link', problem: `its manifest ${fields.manifest_path} is not there` }]
  return targets(manifest).includes(path) ? [] : [{ path, kind: 'orphaned', problem: 'its manifest does not list it' }]
}

/** A session has one manifest: later ones are surplus. */
function doubleManifests(read: readonly CheckedArtifact[]): ArtifactProblem[] {
  const first = new Map<string, string>()
  return read.flatMap(({ path, fields }) => {
    if (!isManifest(fields)) return []
    const token = sessionToken({ agentId: fields.agent_id, sessionKey: fields.session_key, sessionId: fields.session_id })
    const other = first.get(token)
    first.set(token, other ?? path)
    return other === undefined ? [] : [{ path, kind: 'orphaned' as const, problem: `its session has a manifest already: ${other}` }]
  })
}

function targets(manifest: ManifestFrontmatter): string[] {
  return [manifest, ...manifest.previous].flatMap(pathsOf)
}
