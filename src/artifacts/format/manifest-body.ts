/** The body of a manifest: its head's links for people. Made from the head alone, so that it never says anything else. */
import { bodyHead } from './body-head.ts'
import { normalizeBody } from './body-normalized.ts'
import type { ManifestFrontmatter } from './frontmatter-schema.ts'
import { entryOf, fileOfRef } from './memory-ref.ts'
import { wikilink } from './wikilink.ts'

export function manifestBody(fields: ManifestFrontmatter): string {
  const head = bodyHead('manifest', {
    session: {
      agentId: fields.agent_id,
      sessionId: fields.session_id,
      sessionKey: fields.session_key,
      title: null,
      project: fields.project,
      harness: fields.harness,
      startedAt: null,
      endedAt: null,
      headTurnId: null,
      trust: 'agent',
    },
    capturedAt: Date.parse(fields.captured_at),
  })
  const refs = fields.memory_md_refs.map((ref) => [wikilink(fileOfRef(ref)), entryOf(ref)].filter((part) => part !== '').join(' '))
  const sections = [
    `${head}\n- Revision: ${fields.revision}`,
    `## Current\n\n${links(fields)}`,
    ...(fields.previous.length === 0
      ? []
      : [`## Earlier\n\n${fields.previous.map((set) => `- ${set.captured_at}: ${links(set)}`).join('\n')}`]),
    ...(refs.length === 0 ? [] : [`## Listed in\n\n${refs.join(' ')}`]),
  ]
  return normalizeBody(sections.join('\n\n'))
}

function links(set: Pick<ManifestFrontmatter, 'summary_path' | 'transcript_path' | 'compaction_path'>): string {
  const found = [
    ...(set.summary_path === null ? [] : [wikilink(set.summary_path, 'summary')]),
    ...(set.transcript_path === null ? [] : [wikilink(set.transcript_path, 'transcript')]),
    ...(set.compaction_path === null ? [] : [wikilink(set.compaction_path, 'compaction')]),
  ]
  return found.length === 0 ? 'Nothing yet.' : found.join(' ')
}
