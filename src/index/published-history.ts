/** Indexes transcripts and compactions only if their session left the ledger. Speakers are unknown: untrusted. */

import { redactVisible } from '../core/redact.ts'
import { META } from '../store/meta.ts'
import { safeTitleLine } from './chunk-row.ts'
import type { DocumentKind, DocumentMessage, IndexDocument } from './document.ts'
import { documentsFeed, type MirrorRow, mirroredBuilder } from './documents-feed.ts'
import type { BuildOptions, Indexable } from './indexable.ts'
import { sectionsOf } from './workspace-sections.ts'

const KINDS = {
  summary: 'published-summary',
  transcript: 'published-transcript',
  compaction: 'published-compaction',
} as const satisfies Partial<Record<MirrorRow['kind'], DocumentKind>>

export const publishedHistory: Indexable = {
  kinds: Object.values(KINDS),
  feed: documentsFeed({
    cursorKey: META.publishedCursor,
    kinds: KINDS,
    isForgotten: ({ session_id }, tombstones) => session_id !== null && tombstones.holds('session', session_id),
  }),
  builder: mirroredBuilder(publishedDocument),
}

function publishedDocument({ path, kind, agent_id, text, hash, timestamp }: MirrorRow, { maxTokens }: BuildOptions): IndexDocument {
  const { title, body } = withoutHead(redactVisible(text))
  const spoken = (part: string): DocumentMessage => ({
    ...{ nativeId: '', role: 'assistant', speaker: `Session ${kind}`, named: false, timestamp: undefined, trust: 'untrusted' },
    text: part,
  })
  return {
    path,
    source: 'memory',
    ledger: 'memory',
    kind: KINDS[kind as keyof typeof KINDS],
    agentId: agent_id,
    // Keeps its chunks apart from the session's, which are numbered by turn.
    sessionId: undefined,
    turnId: undefined,
    timestamp,
    superseded: false,
    model: undefined,
    text,
    hash,
    messages: [],
    sections: sectionsOf(body, maxTokens - 4).map((section) => ({ title: safeTitleLine(title), messages: [spoken(section.text)] })),
    shortened: [],
  }
}

/** Only the title is specific to the session. */
const HEAD = /^# Session [^\n]*\n\n> [^\n]*\n\n((?:- [^\n]*\n)+)/

/** Tags by rules would rank a summary above the message. */
const TOPICS = /\n## Topics\n\n- [^\n]*\s*$/

function withoutHead(text: string): { title: string | null; body: string } {
  const [head = '', facts = ''] = HEAD.exec(text) ?? []
  return { title: /^- Title: “(.*)”$/m.exec(facts)?.[1] ?? null, body: text.slice(head.length).replace(TOPICS, '\n') }
}
