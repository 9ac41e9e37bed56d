/** Fields are written in this order; unknown ones fail. */
import { z } from 'zod'
import { parseTimestamp, toIso } from '../../core/time.ts'
import { type ArtifactKind, CONTENT_KINDS, parseArtifactPath } from './artifact-name.ts'
import { HASH_SCOPE } from './body-normalized.ts'
import { fileOfRef } from './memory-paths.ts'
import { workspacePathProblem } from './wikilink.ts'

const text = z.string({ error: 'must be a text' })
const id = text.min(1, 'must not be empty')
const time = text.refine(isTime, 'must be a time such as 2026-03-28T22:34:06.792Z')
const sha256 = text.regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits')
const version = text.regex(/^[a-z][a-z0-9_]*_v\d+$/, 'must be a name and version such as memory_sentence_v1')
const pathOf = (kind: ArtifactKind) =>
  text.refine((path) => parseArtifactPath(path)?.kind === kind, `must be the path of a ${kind} below the workspace root`)
const count = z.number({ error: 'must be a number' }).int('must be a whole number').min(1, 'must be at least 1')

const session = {
  agent_id: id,
  session_id: id,
  session_key: id.nullable(),
  project: id.nullable(),
  harness: id,
  captured_at: time,
}

export const contentFrontmatterSchema = z
  .strictObject({
    kind: z.enum(CONTENT_KINDS, { error: `must be one of ${CONTENT_KINDS.join(', ')}` }),
    ...session,
    started_at: time.nullable(),
    ended_at: time.nullable(),
    manifest_path: pathOf('manifest'),
    source_node_id: id.nullable(),
    content_sha256: sha256,
    hash_scope: z.literal(HASH_SCOPE, { error: `must be ${HASH_SCOPE}` }),
    sanitizer_version: version.optional(),
    memory_sentence: id.refine((sentence) => !/[\r\n]/.test(sentence), 'must be one line'),
    memory_sentence_version: version,
    memory_sentence_quality: z.enum(['ok', 'fallback'], { error: 'must be ok or fallback' }),
    memory_sentence_generated_at: time,
  })
  .refine((fields) => fields.kind !== 'transcript' || fields.sanitizer_version !== undefined, {
    path: ['sanitizer_version'],
    message: 'is required in a transcript',
  })

const olderSet = z.strictObject({
  captured_at: time,
  summary_path: pathOf('summary').nullable(),
  transcript_path: pathOf('transcript').nullable(),
  compaction_path: pathOf('compaction').nullable(),
})

export const manifestFrontmatterSchema = z.strictObject({
  kind: z.literal('manifest', { error: 'must be manifest' }),
  ...session,
  /** Null if a compaction came before the session's end. */
  summary_path: pathOf('summary').nullable(),
  transcript_path: pathOf('transcript').nullable(),
  compaction_path: pathOf('compaction').nullable(),
  /** Newest first. */
  previous: z.array(olderSet, { error: 'must be a list' }),
  memory_md_refs: z.array(
    text.refine((ref) => workspacePathProblem(fileOfRef(ref)) === undefined, 'must be paths below the workspace root'),
    { error: 'must be a list' },
  ),
  /** For compare-and-swap. */
  revision: count,
  updated_at: time,
})

export type ContentFrontmatter = z.infer<typeof contentFrontmatterSchema>
export type ManifestFrontmatter = z.infer<typeof manifestFrontmatterSchema>
export type Frontmatter = ContentFrontmatter | ManifestFrontmatter
export type PreviousSet = z.infer<typeof olderSet>
export type SetPaths = Pick<PreviousSet, 'summary_path' | 'transcript_path' | 'compaction_path'>

function isTime(value: string): boolean {
  const ms = parseTimestamp(value)
  return ms !== undefined && toIso(ms) === value
}
