import { isMadePath } from '../core/made-document.ts'
import { redactVisible } from '../core/redact.ts'
import { parseWhen } from '../core/time.ts'
import { isTrust, type Trust } from '../core/trust.ts'
import { META } from '../store/meta.ts'
import { safeTitleLine } from './chunk-row.ts'
import type { DocumentMessage, IndexDocument } from './document.ts'
import { documentsFeed, type MirrorRow, mirroredBuilder } from './documents-feed.ts'
import type { BuildOptions, Indexable } from './indexable.ts'
import { sectionsOf } from './workspace-sections.ts'

export const workspaceDocuments: Indexable = {
  kinds: ['document'],
  feed: documentsFeed({
    cursorKey: META.documentsCursor,
    kinds: { document: 'document' },
    isForgotten: ({ path }, tombstones) => tombstones.holds('document', path),
  }),
  builder: mirroredBuilder(writtenDocument),
}

export function writtenDocument(
  { path, agent_id, text, hash, timestamp }: Pick<MirrorRow, 'path' | 'agent_id' | 'text' | 'hash' | 'timestamp'>,
  { maxTokens, owner }: BuildOptions,
): IndexDocument {
  return {
    path,
    source: 'memory',
    ledger: 'memory',
    kind: 'document',
    agentId: agent_id,
    sessionId: undefined,
    turnId: undefined,
    timestamp: timeOf(path, timestamp, owner.timezone),
    superseded: false,
    model: undefined,
    text,
    hash,
    messages: [],
    sections: sectionsOf(redactVisible(text), maxTokens - 4).map((section) => ({
      title: safeTitleLine([path, ...section.trail].join(' › ')),
      messages: [writtenBy(section.text, trustIn(path, text))],
    })),
    shortened: [],
  }
}

function writtenBy(text: string, trust: Trust): DocumentMessage {
  return { nativeId: '', role: 'user', speaker: 'User', named: false, text, timestamp: undefined, trust }
}

/** Dossiers repeat others' words, so their head states the trust. */
function trustIn(path: string, text: string): Trust {
  if (!isMadePath(path)) return 'owner'
  const said = /^---\nmnemonic: dossier-v1\n[\s\S]{0,2000}?\ntrust: ([a-z]+)\n/.exec(text)?.[1]
  return isTrust(said) ? said : 'owner'
}

/** A date in the name, else mtime. */
function timeOf(path: string, changed: number, timezone: string): number {
  const day = /(?:^|\/)(\d{4}-\d{2}-\d{2})[^/]*$/.exec(path)?.[1]
  if (day === undefined) return changed
  try {
    return parseWhen(day, { timezone, now: changed })
  } catch {
    return changed // no day: 2026-99-01-plan.md
  }
}
