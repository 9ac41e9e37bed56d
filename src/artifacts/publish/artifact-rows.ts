/** Rows derive from files, never the reverse. */
import { join } from 'node:path'
import type { Insertable } from 'kysely'
import { readText } from '../../core/atomic-file.ts'
import { nextRevision } from '../../ingest/documents/documents-writer.ts'
import type { WriteTx } from '../../store/store.ts'
import type { ArtifactsTable } from '../../store/tables.ts'
import { parseArtifactPath } from '../format/artifact-name.ts'
import { manifestBody } from '../format/bodies.ts'
import { contentSha256, normalizeBody } from '../format/body-normalized.ts'
import { isManifest, membershipTime, parseArtifact } from '../format/frontmatter.ts'
import type { Frontmatter, ManifestFrontmatter } from '../format/frontmatter-schema.ts'
import { readHead } from '../format/read-artifact.ts'

export type ArtifactRow = Insertable<ArtifactsTable>

export type ManifestLinks = Pick<
  ManifestFrontmatter,
  'summary_path' | 'transcript_path' | 'compaction_path' | 'memory_md_refs' | 'revision'
> & {
  readonly previous: ManifestFrontmatter['previous']
}

export interface RowOptions {
  readonly path: string
  readonly headSha256: string
  readonly now: number
}

export function artifactRow(fields: Frontmatter, { path, headSha256, now }: RowOptions): ArtifactRow {
  const manifest = isManifest(fields) ? fields : undefined
  const content = isManifest(fields) ? undefined : fields
  return {
    source_path: path,
    source_sha256: content?.content_sha256 ?? contentSha256(manifestBody(manifest as ManifestFrontmatter)),
    source_kind: fields.kind,
    agent_id: fields.agent_id,
    session_id: fields.session_id,
    session_key: fields.session_key,
    session_token: parseArtifactPath(path)?.token ?? '',
    captured_at: Date.parse(fields.captured_at),
    membership_ts: content === undefined ? null : Date.parse(membershipTime(content)),
    project: fields.project,
    memory_sentence: content?.memory_sentence ?? null,
    memory_sentence_quality: content?.memory_sentence_quality ?? null,
    manifest_path: content?.manifest_path ?? null,
    head_sha256: headSha256,
    links_json: manifest === undefined ? null : JSON.stringify(linksOf(manifest)),
    created_at: now,
    updated_at: now,
  }
}

function linksOf({
  summary_path,
  transcript_path,
  compaction_path,
  memory_md_refs,
  revision,
  previous,
}: ManifestFrontmatter): ManifestLinks {
  return { summary_path, transcript_path, compaction_path, memory_md_refs, revision, previous }
}

/** An equal row keeps its times. */
export async function putArtifactRow(tx: WriteTx, row: ArtifactRow): Promise<boolean> {
  const before = await tx.db.selectFrom('artifacts').selectAll().where('source_path', '=', row.source_path).executeTakeFirst()
  const { created_at: _, updated_at: __, ...values } = row
  if (before !== undefined && Object.entries(values).every(([key, value]) => before[key as keyof typeof before] === value)) return false
  await tx.db
    .insertInto('artifacts')
    .values(row)
    .onConflict((conflict) => conflict.column('source_path').doUpdateSet({ ...values, updated_at: row.updated_at }))
    .execute()
  return true
}

/** False if unchanged or missing. */
export async function putRowOf(tx: WriteTx, { workspace, now }: { workspace: string; now: number }, path: string): Promise<boolean> {
  const head = readHead(workspace, path)
  if (head === undefined) return false
  const changed = await putArtifactRow(tx, artifactRow(head.fields, { path, headSha256: head.sha256, now }))
  await mirrorArtifact(tx, { workspace, path }, head.fields)
  return changed
}

/** Mirrors file text for indexing: summaries always, others only if their session left the ledger. */
export async function mirrorArtifact(
  tx: WriteTx,
  { workspace, path }: { workspace: string; path: string },
  fields: Frontmatter,
): Promise<void> {
  const { db } = tx
  if (isManifest(fields)) return
  const { kind, session_id, agent_id, content_sha256: hash } = fields
  const before = await db.selectFrom('documents').select(['hash', 'agent_id']).where('path', '=', path).executeTakeFirst()
  if (before?.hash === hash && before.agent_id === agent_id) return
  const held = await db.selectFrom('agent_sessions').select('id').where('id', '=', session_id).executeTakeFirst()
  const file = kind === 'summary' || held === undefined ? readText(join(workspace, path)) : undefined
  if (file === undefined) return
  const row = {
    ...{ kind, agent_id, session_id, hash, session_token: parseArtifactPath(path)?.token ?? null },
    text: normalizeBody(parseArtifact(file, path).body),
    timestamp: Date.parse(fields.captured_at),
    revision: await nextRevision(tx),
  }
  await db
    .insertInto('documents')
    .values({ path, ...row })
    .onConflict((on) => on.column('path').doUpdateSet(row))
    .execute()
}
