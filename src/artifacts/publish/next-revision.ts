/** Names the set that replaces a published one, since published files are immutable. */
import { sha256 } from '../../core/hash.ts'
import { parseArtifactPath, publishedPath } from '../format/artifact-name.ts'
import { summaryBody } from '../format/bodies.ts'
import { findManifest } from '../format/open-session.ts'
import { placeOf } from '../format/place-of.ts'
import { readManifest, soundHead } from '../format/read-artifact.ts'
import { setPath } from '../format/session-set.ts'
import type { LoadedSession } from './load-set.ts'
import type { PublishContext } from './publish-context.ts'
import { analysesOf } from './set-files.ts'

/** Undefined if nothing changed, or if the owner edited the published text. */
export async function nextRevision(context: PublishContext, loaded: LoadedSession): Promise<number | undefined> {
  const { store, workspace } = context
  const path = await findManifest({ db: store.read, workspace }, loaded.facts)
  const manifest = path === undefined ? undefined : readManifest(workspace, path)
  if (path === undefined || manifest === undefined || manifest.summary_path === null || manifest.transcript_path === null) {
    return loaded.capturedAt
  }
  if (Date.parse(manifest.captured_at) < loaded.capturedAt) return loaded.capturedAt
  const capturedAt = momentOf(manifest.summary_path)
  // An accepted edit has no pair: keep it.
  if (capturedAt === undefined || capturedAt !== momentOf(manifest.transcript_path)) return undefined
  const head = soundHead(workspace, manifest.summary_path)
  const { summary, sentence } = await analysesOf(context, loaded)
  const said = { text: sentence.text, version: sentence.version, quality: sentence.quality, generatedAt: 0 }
  const paths = { summary: manifest.summary_path, transcript: publishedPath(manifest.transcript_path), manifest: path }
  const body = summaryBody({ session: loaded.facts, capturedAt, sentence: said, summary, paths })
  if (
    head?.content_sha256 === sha256(body) &&
    head.memory_sentence === sentence.text &&
    head.memory_sentence_quality === sentence.quality
  ) {
    return undefined
  }
  return freeMoment(workspace, loaded, Math.max(capturedAt, Date.parse(manifest.captured_at)))
}

function freeMoment(workspace: string, { facts: session }: LoadedSession, after: number): number {
  for (let at = after + 1; ; at++) {
    const there = soundHead(workspace, placeOf(workspace, setPath({ session, capturedAt: at }, 'transcript')))
    if (there === undefined) return at
  }
}

function momentOf(path: string): number | undefined {
  return parseArtifactPath(path)?.capturedAt
}
