/** Reuses model analyses of the whole session. */
import {
  MEMORY_SENTENCE_VERSION,
  type MemorySentence,
  type SentenceInput,
  sentenceContext,
  stoodIn,
} from '../../analyze/memory-sentence.ts'
import { anchorsOf } from '../../analyze/memory-sentence-anchors.ts'
import { sentenceFloor } from '../../analyze/sentence-floor.ts'
import { isSessionSummary, type SessionSummary } from '../../analyze/session-summary.ts'
import { sessionEpisodeId } from '../../episodes/agent-session.ts'
import type { Store } from '../../store/store.ts'

/** Undefined for rule-based runs: rerunning them is cheaper than checking them. */
export async function keptSummary(store: Store, sessionId: string): Promise<SessionSummary | undefined> {
  const output = (await keptRun(store, sessionId, 'session_summary'))?.output
  return isSessionSummary(output) ? output : undefined
}

/** The run may predate the floor. Accepts a rule-based stand-in unless `isAsked`. */
export async function keptSentence(
  store: Store,
  sessionId: string,
  { input, isAsked }: { readonly input: SentenceInput; readonly isAsked: boolean },
): Promise<MemorySentence | undefined> {
  const run = await keptRun(store, sessionId, MEMORY_SENTENCE_VERSION, { standIns: !isAsked })
  if (run?.implementation === 'rules') return stoodIn(input, ['writer-failed'])
  const output = run?.output as Partial<MemorySentence> | null | undefined
  if (run === undefined || typeof output?.text !== 'string' || output.quality !== 'ok') return undefined
  if (sentenceFloor(output.text, anchorsOf(sentenceContext(input))).length > 0) return undefined
  return { text: output.text, version: MEMORY_SENTENCE_VERSION, quality: 'ok', implementation: run.implementation, reasons: [] }
}

async function keptRun(
  store: Store,
  sessionId: string,
  type: string,
  { standIns = false } = {},
): Promise<{ output: unknown; implementation: string } | undefined> {
  const run = await store.read
    .selectFrom('analysis_runs as r')
    .innerJoin('episodes as e', 'e.id', 'r.episode_id')
    .select([
      'r.output_text',
      'r.implementation',
      'r.asked',
      'r.last_event_id',
      'r.revision',
      'e.last_event_id as last',
      'e.revision as now',
    ])
    .where('r.analysis_type_id', '=', type)
    .where('r.episode_id', '=', sessionEpisodeId(sessionId))
    .where('r.status', '=', 'completed')
    .executeTakeFirst()
  if (run === undefined || run.output_text === null || run.implementation === null) return undefined
  if (run.implementation === 'rules' && !(standIns && run.asked !== null && run.asked !== 'rules')) return undefined
  const sawAll = run.revision === null ? run.last_event_id === run.last : run.revision === run.now
  return sawAll ? { output: JSON.parse(run.output_text) as unknown, implementation: run.implementation } : undefined
}
