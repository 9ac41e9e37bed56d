/** The rows of artifact files: made from their heads, never the other way round. */
import type { Insertable } from 'kysely'
import type { WriteTx } from '../../store/store.ts'
import type { ArtifactsTable } from '../../store/tables.ts'
import { parseArtifactPath } from '../format/artifact-name.ts'
import { manifestBody } from '../format/bodies.ts'
import { contentSha256 } from '../format/body-normalized.ts'
import { isManifest, membershipTime } from '../format/frontmatter.ts'
import type { Frontmatter, ManifestFrontmatter } from '../format/frontmatter-schema.ts'
import { readHead } from '../format/read-artifact.ts'

export type ArtifactRow = Insertable<ArtifactsTable>

/** What a manifest points to, as its row keeps it. */
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

/** A row that agrees already keeps its times: the same file twice changes nothing. */
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

/** The row of a file as its head says it now. False where it said so already, or there is no such file. */
export async function putRowOf(tx: WriteTx, { workspace, now }: { workspace: string; now: number }, path: string): Promise<boolean> {
  const head = readHead(workspace, path)
  return head !== undefined && putArtifactRow(tx, artifactRow(head.fields, { path, headSha256: head.sha256, now }))
}
