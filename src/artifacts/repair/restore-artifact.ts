import { existsSync, renameSync, rmSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { readText } from '../../core/atomic-file.ts'
import { MnemonicError } from '../../core/error.ts'
import { toIso } from '../../core/time.ts'
import {
  type ArtifactName,
  archivedPath,
  artifactPath,
  type ContentKind,
  nameIn,
  parseArtifactName,
  parseArtifactPath,
} from '../format/artifact-name.ts'
import { contentSha256, normalizeBody } from '../format/body-normalized.ts'
import { isManifest, NO_PATHS, parseArtifact } from '../format/frontmatter.ts'
import type { ContentFrontmatter } from '../format/frontmatter-schema.ts'
import { findManifest, nameManifest } from '../format/open-session.ts'
import { isMoved, placeOf } from '../format/place-of.ts'
import { isSound, readManifest, soundHead } from '../format/read-artifact.ts'
import { sanitizeTranscriptV6 } from '../format/sanitize-transcript.ts'
import { setPath } from '../format/session-set.ts'
import { sessionToken } from '../format/session-token.ts'
import { type ContentFile, putRows, whileItHolds, writeContent } from '../publish/content-file.ts'
import { untilSettled } from '../publish/forgotten-meanwhile.ts'
import { type LoadedSession, loadCompactions, loadSession } from '../publish/load-set.ts'
import { changeManifest } from '../publish/manifest-file.ts'
import { pointToCompaction, pointToSet, withSets } from '../publish/point-manifest.ts'
import { compactionFile, withMoments, withSentence } from '../publish/publish-compaction.ts'
import type { PublishContext } from '../publish/publish-context.ts'
import { setFiles, setMoment } from '../publish/set-files.ts'
import { rowFloor } from '../render/ledger-row.ts'
import { putAside } from './put-aside.ts'
import { nameProblem } from './verify.ts'

/** Accepts an absolute path, a relative path or a bare name. */
export function workspaceRelative(workspace: string, path: string): string {
  if (parseArtifactName(path) !== undefined) return placeOf(workspace, `memory/${path}`)
  const given = (isAbsolute(path) ? relative(resolve(workspace), path) : path.replace(/^\.[/\\]/, '')).replaceAll('\\', '/')
  if (parseArtifactPath(given) === undefined) return given
  return existsSync(join(workspace, given)) && !isMoved(workspace, given) ? given : placeOf(workspace, given)
}

/** Keeps the current file as `….replaced-<time>`. Throws if the ledger lost that state. */
export async function restoreArtifact(context: PublishContext, given: string): Promise<{ path: string; kept: string | undefined }> {
  const name = contentName(given)
  const path = await listedAs(context, given)
  const sessionId = await sessionOf(context, path, name)
  return untilSettled(async () => {
    const found = await loadSession(context.store, sessionId)
    const loaded = found && { ...found, capturedAt: await momentFor(context, found, name) }
    const file = loaded && (await ledgerFile(context, loaded, name))
    if (loaded === undefined || file === undefined) throw otherMoment(path)
    const kept = putAside(context, path)
    try {
      await writeContent(context.workspace, { ...file, path }, whileItHolds(context, loaded))
    } catch (error) {
      if (kept !== undefined && !existsSync(join(context.workspace, path))) renameSync(kept, join(context.workspace, path))
      throw error
    }
    const manifest = file.fields.manifest_path
    if (name.kind === 'compaction') await pointToCompaction(context, loaded, { path, manifest })
    else await pointToSet(context, loaded, manifest)
    await putRows(context, [path])
    await context.project(file.fields.agent_id)
    return { path, kept }
  })
}

async function listedAs({ store, workspace }: PublishContext, path: string): Promise<string> {
  if (existsSync(join(workspace, path)) && !isMoved(workspace, path)) return path
  const archived = archivedPath(path)
  const row = await store.read.selectFrom('artifacts').select('source_path').where('source_path', '=', archived).executeTakeFirst()
  return row?.source_path ?? path
}

/** The last set's time, if the artifact belongs to it and the head turn is unchanged; else the first set's time. */
async function momentFor({ store, workspace }: PublishContext, loaded: LoadedSession, { capturedAt, kind }: ArtifactName): Promise<number> {
  const { facts: session } = loaded
  const path = kind === 'compaction' ? undefined : await findManifest({ db: store.read, workspace }, session)
  const manifest = path === undefined ? undefined : readManifest(workspace, path)
  const set = { session, capturedAt }
  const [summary, transcript] = [setPath(set, 'summary'), placeOf(workspace, setPath(set, 'transcript'))]
  const isLast = manifest?.summary_path === summary && nameIn(manifest.transcript_path ?? '') === nameIn(transcript)
  const made = isLast ? (soundHead(workspace, transcript) ?? soundHead(workspace, summary)) : undefined
  return made !== undefined && made.source_node_id === session.headTurnId ? capturedAt : setMoment(workspace, loaded)
}

async function ledgerFile(context: PublishContext, loaded: LoadedSession, name: ArtifactName): Promise<ContentFile | undefined> {
  const manifest = await nameManifest({ db: context.store.read, workspace: context.workspace }, loaded.facts, name.capturedAt)
  if (name.kind === 'compaction') {
    const all = await loadCompactions(context.store, loaded.facts.sessionId)
    const compacted = withMoments(context.workspace, loaded, all).find(({ capturedAt }) => capturedAt === name.capturedAt)
    if (compacted === undefined) return undefined
    const plan = await withSentence(context, loaded, { plan: { manifest }, path: artifactPath(name) })
    return compactionFile(loaded, compacted, plan)
  }
  if (loaded.capturedAt !== name.capturedAt) return undefined
  const files = setFiles(context, loaded)
  const plan = await files.sentence({ manifest })
  return name.kind === 'summary' ? files.summary(plan) : files.transcript(plan)
}

async function sessionOf({ store, workspace }: PublishContext, path: string, { token }: ArtifactName): Promise<string> {
  const row = await store.read.selectFrom('artifacts').select('session_id').where('session_token', '=', token).executeTakeFirst()
  const known = row?.session_id ?? soundHead(workspace, path)?.session_id
  if (known !== undefined) return known
  const sessions = await store.read.selectFrom('agent_sessions').select(['id', 'agent_id', 'session_key']).execute()
  const found = sessions.find((one) => sessionToken({ agentId: one.agent_id, sessionKey: one.session_key, sessionId: one.id }) === token)
  if (found !== undefined) return found.id
  throw new MnemonicError('NOT_FOUND', `the session of ${path} is not known`, {
    details: { file: path },
    hint: 'Run mnemonic memory reindex first.',
  })
}

/** Publishes the edit under a later time. */
export async function acceptArtifact(context: PublishContext, path: string): Promise<{ path: string; from: string; restored: boolean }> {
  const name = contentName(path)
  const { workspace, store, clock } = context
  const text = readText(join(workspace, path))
  if (text === undefined) throw new MnemonicError('NOT_FOUND', `there is no ${path}`, { details: { file: path } })
  const { frontmatter, body } = parseArtifact(text, path)
  if (isManifest(frontmatter)) throw notContent(path)
  if (contentSha256(body) === frontmatter.content_sha256) {
    throw new MnemonicError('USAGE', `${path} is as it was published: there is nothing to accept`, { details: { file: path } })
  }
  checkHead(path, frontmatter)
  const tombstones = await context.tombstones({ db: store.read })
  if (tombstones?.holds('session', frontmatter.session_id)) throw forgotten(path)
  const edited = normalizeBody(sanitizeTranscriptV6(body))
  const sum = contentSha256(edited)
  const capturedAt = freeMoment(workspace, name, sum)
  const accepted = artifactPath({ ...name, capturedAt })
  const fields = { ...frontmatter, captured_at: toIso(capturedAt), content_sha256: sum }
  await writeContent(workspace, { path: accepted, fields, body: () => [edited] })
  const key = `${name.kind as ContentKind}_path` as const
  await changeManifest({ store, workspace, now: clock() }, frontmatter.manifest_path, (current) => {
    if (current === undefined || [current, ...current.previous].some((set) => set[key] === accepted)) return undefined
    // An edit of an earlier set must not replace newer ones.
    const earlier = { ...NO_PATHS, captured_at: toIso(capturedAt), [key]: accepted }
    if (nameIn(current[key] ?? '') > nameIn(accepted)) return { ...current, previous: withSets(current.previous, [earlier]) }
    const { captured_at, summary_path, transcript_path, compaction_path } = current
    const before = { ...NO_PATHS, captured_at, [key]: current[key] }
    const newest = toIso(capturedAt) > captured_at ? toIso(capturedAt) : captured_at
    const whole = { summary_path, transcript_path, compaction_path, [key]: accepted }
    return { ...current, ...whole, captured_at: newest, previous: current[key] === null ? current.previous : [before, ...current.previous] }
  })
  await putRows(context, [accepted])
  await context.project(frontmatter.agent_id)
  return { path: accepted, from: path, restored: await giveBack(context, path) }
}

/** An edited head could name another session or an unfit sentence. */
function checkHead(path: string, fields: ContentFrontmatter): void {
  const problem = nameProblem(path, fields)?.problem
  const against = rowFloor(fields.memory_sentence)
  if (problem === undefined && against.length === 0) return
  const why = problem ?? `its memory_sentence is below the floor (${against.join(', ')})`
  throw new MnemonicError('VALIDATION_ERROR', `${path} cannot be published: ${why}`, {
    details: { file: path },
    hint: 'Mend its head, or write it again from the ledger: mnemonic memory restore PATH.',
  })
}

/** The first later time that is free or already has this text. */
function freeMoment(workspace: string, name: ArtifactName, sum: string): number {
  for (let at = name.capturedAt + 1; ; at++) {
    const path = placeOf(workspace, artifactPath({ ...name, capturedAt: at }))
    const head = soundHead(workspace, path)
    const isFree = head === undefined && !existsSync(join(workspace, path))
    if (isFree || head?.content_sha256 === sum) return at
  }
}

/** The new file has the edit now, so the old one can be restored. */
async function giveBack(context: PublishContext, path: string): Promise<boolean> {
  try {
    const { kept } = await restoreArtifact(context, path)
    if (kept !== undefined) rmSync(kept, { force: true })
    return isSound(context.workspace, path)
  } catch (error) {
    if (error instanceof MnemonicError && error.code === 'NOT_FOUND') return false
    throw error
  }
}

function forgotten(path: string): MnemonicError {
  return new MnemonicError('NOT_FOUND', `${path} cannot be published: its session was forgotten`, { details: { file: path } })
}

function contentName(path: string): ArtifactName {
  const name = parseArtifactPath(path)
  if (name === undefined || name.kind === 'manifest') throw notContent(path)
  return name
}

function notContent(path: string): MnemonicError {
  return new MnemonicError('USAGE', `${path} is not the path of a summary, transcript or compaction`, {
    details: { path },
    hint: 'Give it relative to the workspace root, as `mnemonic memory verify` prints it.',
  })
}

function otherMoment(path: string): MnemonicError {
  return new MnemonicError('NOT_FOUND', `${path} cannot be written again: the ledger does not hold the session as it was then`, {
    details: { file: path },
    hint: 'Keep the edited text: mnemonic memory accept PATH. Publish what the ledger has now: mnemonic memory publish --session ID.',
  })
}
