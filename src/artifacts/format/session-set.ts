import type { MemorySentence } from '../../analyze/memory-sentence.ts'
import type { SessionSummary } from '../../analyze/session-summary.ts'
import { given } from '../../core/given.ts'
import { toIso } from '../../core/time.ts'
import type { Trust } from '../../core/trust.ts'
import { type ArtifactKind, artifactPath, type ContentKind } from './artifact-name.ts'
import { HASH_SCOPE } from './body-normalized.ts'
import type { ContentFrontmatter } from './frontmatter-schema.ts'
import { SANITIZER_VERSION, sanitizeTranscriptV6 } from './sanitize-transcript.ts'
import { sessionToken } from './session-token.ts'

/** Times in milliseconds UTC. */
export interface SessionFacts {
  readonly agentId: string
  readonly sessionId: string
  /** Set only if it identifies exactly one session. */
  readonly sessionKey: string | null
  readonly title: string | null
  readonly project: string | null
  /** agent_sessions.source. */
  readonly harness: string
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** The set covers turns up to this one. */
  readonly headTurnId: string | null
  readonly trust: Trust
}

/** On the session's current path. Unsanitized. */
export interface SetMessage {
  readonly role: 'user' | 'assistant' | 'system' | 'tool'
  readonly speaker: string | null
  readonly timestamp: number | null
  readonly text: string
  readonly trust: Trust
  readonly toolCalls: readonly string[]
}

export interface SetCompaction {
  readonly id?: string
  readonly turnId: string
  readonly summary: string
  readonly trigger: string | null
  readonly tokensBefore: number | null
  readonly timestamp: number | null
}

export interface DatedSentence extends Pick<MemorySentence, 'text' | 'version' | 'quality'> {
  readonly generatedAt: number
}

export interface SessionSet {
  readonly session: SessionFacts
  /** Time of the last covered message. */
  readonly capturedAt: number
  readonly summary: SessionSummary
  readonly sentence: DatedSentence
}

export function setPath(set: Pick<SessionSet, 'session' | 'capturedAt'>, kind: ArtifactKind): string {
  return artifactPath({ capturedAt: set.capturedAt, token: sessionToken(set.session), kind })
}

export interface HeadOptions {
  readonly kind: ContentKind
  /** Named by the first set. */
  readonly manifestPath: string
  readonly contentSha256: string
}

export function contentFrontmatter(
  set: Pick<SessionSet, 'session' | 'capturedAt' | 'sentence'>,
  { kind, manifestPath, contentSha256 }: HeadOptions,
): ContentFrontmatter {
  const { session, capturedAt, sentence } = set
  return {
    kind,
    agent_id: session.agentId,
    session_id: session.sessionId,
    session_key: session.sessionKey || null,
    // For display; never used as a path.
    project: sanitizeTranscriptV6(session.project ?? '') || null,
    harness: session.harness,
    captured_at: toIso(capturedAt),
    started_at: session.startedAt === null ? null : toIso(session.startedAt),
    ended_at: session.endedAt === null ? null : toIso(session.endedAt),
    manifest_path: manifestPath,
    source_node_id: session.headTurnId || null,
    content_sha256: contentSha256,
    hash_scope: HASH_SCOPE,
    ...given({ sanitizer_version: kind === 'transcript' ? SANITIZER_VERSION : undefined }),
    memory_sentence: sentence.text,
    memory_sentence_version: sentence.version,
    memory_sentence_quality: sentence.quality,
    memory_sentence_generated_at: toIso(sentence.generatedAt),
  }
}

export function sentenceIn(fields: ContentFrontmatter): DatedSentence {
  return {
    text: fields.memory_sentence,
    version: fields.memory_sentence_version as DatedSentence['version'],
    quality: fields.memory_sentence_quality,
    generatedAt: Date.parse(fields.memory_sentence_generated_at),
  }
}
