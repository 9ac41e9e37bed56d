/** What a person can do about an artifact whose text is not its own any more: write it again from the ledger, or publish the edited text. */
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { MnemonicError } from '../core/error.ts'
import { toIso } from '../core/time.ts'
import { parseArtifactPath } from './artifact-name.ts'
import { contentSha256, normalizeBody } from './body-normalized.ts'
import { bodySha256, readContentHead, writeContent } from './content-file.ts'
import { isManifest, parseArtifact } from './frontmatter.ts'
import { changeManifest } from './manifest-file.ts'
import { publishCompactions } from './publish-compaction.ts'
import type { PublishContext } from './publish-context.ts'
import { publishSession, putRows } from './publish-session.ts'
import { sessionToken } from './session-token.ts'

/** The path as given on a command line, relative to the workspace root. */
export function workspaceRelative(workspace: string, path: string): string {
  return path.startsWith(workspace)
    ? path
        .slice(workspace.length)
        .replace(/^[/\\]+/, '')
        .replaceAll('\\', '/')
    : path
}

/**
 * Writes a content artifact again as the ledger has it. What stood there is kept beside it (`….replaced-<time>`). Refused where the ledger
 * no longer holds the session, or holds more of it than the artifact covered.
 */
export async function restoreArtifact(context: PublishContext, path: string): Promise<{ path: string; kept: string | undefined }> {
  const name = parseArtifactPath(path)
  if (name === undefined || name.kind === 'manifest') throw notContent(path)
  const { store, workspace, clock } = context
  const row = await store.read.selectFrom('artifacts').select('session_id').where('session_token', '=', name.token).executeTakeFirst()
  const session = row?.session_id ?? readContentHeadOrUndefined(workspace, path)?.session_id
  if (session === undefined) throw unknownSession(path)
  const file = join(workspace, path)
  const kept = existsSync(file) ? `${file}.replaced-${clock()}` : undefined
  if (kept !== undefined) renameSync(file, kept)
  await store.write(async (tx) => void (await tx.db.deleteFrom('artifacts').where('source_path', '=', path).execute()))
  if (name.kind === 'compaction') await publishCompactions(context, session)
  else await publishSession(context, session, { again: true })
  if (existsSync(file)) return { path, kept }
  if (kept !== undefined) renameSync(kept, file)
  throw new MnemonicError('NOT_FOUND', `${path} cannot be written again: the ledger holds the session at another moment`, {
    details: { file: path },
    hint: 'Publish what the ledger has now: mnemonic memory publish --session ID',
  })
}

function readContentHeadOrUndefined(workspace: string, path: string) {
  try {
    return readContentHead(workspace, path)?.fields
  } catch (error) {
    if (error instanceof MnemonicError) return undefined // broken: that is why it is restored
    throw error
  }
}

/** Publishes the text of an edited summary or compaction as a new set, a millisecond later, and gives the edited file its old text back where the ledger has it. */
export async function acceptArtifact(context: PublishContext, path: string): Promise<{ path: string; from: string }> {
  const name = parseArtifactPath(path)
  if (name === undefined || name.kind === 'manifest') throw notContent(path)
  const { workspace, store, clock } = context
  const { frontmatter, body } = parseArtifact(readFileSync(join(workspace, path), 'utf8'), path)
  if (isManifest(frontmatter)) throw notContent(path)
  if ((await bodySha256(workspace, path)) === frontmatter.content_sha256) {
    throw new MnemonicError('USAGE', `${path} is as it was published: there is nothing to accept`, { details: { file: path } })
  }
  const capturedAt = name.capturedAt + 1
  const accepted = path.replace(/\/[^/]*$/, `/${toIso(capturedAt).replaceAll(':', '-')}--${name.token}--${name.kind}.md`)
  const text = normalizeBody(body)
  const fields = { ...frontmatter, captured_at: toIso(capturedAt), content_sha256: contentSha256(text) }
  await writeContent(workspace, { path: accepted, fields, body: () => [text] })
  const key = { summary: 'summary_path', transcript: 'transcript_path', compaction: 'compaction_path' } as const
  await changeManifest({ store, workspace, now: clock() }, frontmatter.manifest_path, (current) => {
    if (current === undefined || current[key[name.kind as keyof typeof key]] === accepted) return undefined
    const { revision: _, updated_at: __, ...rest } = current
    const { captured_at, summary_path, transcript_path, compaction_path } = current
    const previous = [{ captured_at, summary_path, transcript_path, compaction_path }, ...current.previous]
    return { ...rest, captured_at: toIso(capturedAt), [key[name.kind as keyof typeof key]]: accepted, previous }
  })
  await putRows(context, [accepted])
  await context.project(frontmatter.agent_id)
  return { path: accepted, from: path }
}

function notContent(path: string): MnemonicError {
  return new MnemonicError('USAGE', `${path} is not the path of a summary, transcript or compaction`, {
    details: { path },
    hint: 'Give it relative to the workspace root, as `mnemonic memory verify` prints it.',
  })
}

function unknownSession(path: string): MnemonicError {
  return new MnemonicError('NOT_FOUND', `nobody knows the session of ${path}`, {
    details: { file: path },
    hint: 'Run mnemonic memory reindex first.',
  })
}

/** The token of a session, for those who have only its row. */
export function tokenOf(row: { agent_id: string; session_key: string | null; id: string }): string {
  return sessionToken({ agentId: row.agent_id, sessionKey: row.session_key, sessionId: row.id })
}
