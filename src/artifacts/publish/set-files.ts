/** Builds files lazily, so that another process can rebuild them after a crash. */

import type { MemorySentence, SentenceInput, WrittenSession } from '../../analyze/memory-sentence.ts'
import { MEMORY_SENTENCE, memorySentence, writeMemorySentence } from '../../analyze/memory-sentence.ts'
import type { RunRecord } from '../../analyze/record-run.ts'
import { recordRun } from '../../analyze/record-run.ts'
import { SESSION_SUMMARY, type SessionSummary } from '../../analyze/session-summary.ts'
import { given } from '../../core/given.ts'
import { sha256 } from '../../core/hash.ts'
import { ensureSessionEpisode } from '../../episodes/agent-session.ts'
import { publishedPath } from '../format/artifact-name.ts'
import { summaryBody, transcriptBody } from '../format/bodies.ts'
import { contentSha256Of, normalizedPieces } from '../format/body-normalized.ts'
import { placeOf } from '../format/place-of.ts'
import { soundHead } from '../format/read-artifact.ts'
import { contentFrontmatter, type DatedSentence, sentenceIn, setPath } from '../format/session-set.ts'
import type { ContentFile } from './content-file.ts'
import { checkMark } from './forgotten-meanwhile.ts'
import type { Plan } from './journal.ts'
import { keptSentence, keptSummary } from './kept-analyses.ts'
import { type LoadedSession, summarize } from './load-set.ts'
import type { PublishContext } from './publish-context.ts'

export interface SetFiles {
  readonly summaryPath: string
  readonly transcriptPath: string
  /** Streams the transcript once. */
  sanitize(plan: Plan): Promise<string>
  sentence(plan: Plan): Promise<Plan>
  transcript(plan: Plan): Promise<ContentFile>
  summary(plan: Plan): Promise<ContentFile>
}

export function setFiles(context: PublishContext, loaded: LoadedSession): SetFiles {
  const { facts: session, capturedAt } = loaded
  const set = { session, capturedAt }
  const summaryPath = setPath(set, 'summary')
  const transcriptPath = placeOf(context.workspace, setPath(set, 'transcript'))
  let transcriptSum: string | undefined
  let analysed: Promise<Analyses> | undefined
  const paths = ({ manifest }: Plan) => ({ summary: summaryPath, transcript: publishedPath(transcriptPath), manifest })
  const body = (plan: Plan) => normalizedPieces(transcriptBody({ session, capturedAt, messages: loaded.messages(), paths: paths(plan) }))

  async function sanitize(plan: Plan): Promise<string> {
    transcriptSum ??= await contentSha256Of(body(plan))
    return transcriptSum
  }
  function analyses() {
    analysed ??= analysesOf(context, loaded)
    return analysed
  }
  async function decide(): Promise<DatedSentence> {
    const { sentence: said, runs } = await analyses()
    await keepAnalyses(context, loaded, runs)
    return dated(said, context.clock())
  }
  async function sentence(plan: Plan): Promise<Plan> {
    if (plan.sentence !== undefined) return plan
    // Without a journal row, an existing file decides.
    const there = soundHead(context.workspace, transcriptPath) ?? soundHead(context.workspace, summaryPath)
    return { ...plan, sentence: there === undefined ? await decide() : sentenceIn(there) }
  }
  async function head(kind: 'summary' | 'transcript', contentSha256: string, plan: Plan) {
    const { sentence: decided } = await sentence(plan)
    return contentFrontmatter(
      { session, capturedAt, sentence: decided as DatedSentence },
      { kind, manifestPath: plan.manifest, contentSha256 },
    )
  }
  return {
    summaryPath,
    transcriptPath,
    sanitize,
    sentence,
    transcript: async (plan) => ({
      path: transcriptPath,
      fields: await head('transcript', await sanitize(plan), plan),
      body: () => body(plan),
    }),
    async summary(plan) {
      const decided = (await sentence(plan)).sentence as DatedSentence
      const text = summaryBody({ session, capturedAt, sentence: decided, summary: (await analyses()).summary, paths: paths(plan) })
      return { path: summaryPath, fields: await head('summary', sha256(text), plan), body: () => [text] }
    },
  }
}

export interface Analyses {
  readonly summary: SessionSummary
  readonly sentence: MemorySentence
  readonly runs: readonly Pick<RunRecord, 'type' | 'version' | 'output' | 'implementation' | 'asked' | 'note' | 'isPart'>[]
}

export async function analysesOf(context: PublishContext, loaded: LoadedSession): Promise<Analyses> {
  const { store } = context
  const { sessionId } = loaded.facts
  const ruled = await summarize(store, loaded, context.signal)
  const kept = await keptSummary(store, sessionId)
  const summary = kept ?? ruled.summary
  const input = { ...ruled.input, summary }
  const told = await keptSentence(store, sessionId, { input, isAsked: context.writer !== undefined })
  const sentence = told ?? (await writeSentence(context, input, { session: sessionId }))
  const runs = [
    ...(kept === undefined
      ? [{ type: SESSION_SUMMARY.name, version: SESSION_SUMMARY.version, output: summary, implementation: 'rules', isPart: true }]
      : []),
    ...(told === undefined ? [sentenceRun(context, sentence)] : []),
  ]
  return { summary, sentence, runs }
}

/** Matches `analyze`'s own run, so `analyze` skips it. */
function sentenceRun({ writer }: PublishContext, sentence: MemorySentence): Analyses['runs'][number] {
  const run = { type: MEMORY_SENTENCE.name, output: sentence, implementation: sentence.implementation }
  if (writer === undefined) return { ...run, version: MEMORY_SENTENCE.version }
  const note = sentence.implementation === writer.name ? undefined : `${sentence.reasons.join(', ')}; rules stood in`
  return { ...run, version: writer.version ?? MEMORY_SENTENCE.version, asked: writer.name, ...given({ note }) }
}

/** False if the session can have no episode. */
export async function keepAnalyses(
  { store, clock }: PublishContext,
  { facts, capturedAt, mark }: LoadedSession,
  analyses: Analyses['runs'],
): Promise<boolean> {
  const contentHash = sha256(`${facts.sessionId}\n${capturedAt}`)
  return store.write(async (tx) => {
    await checkMark(tx, facts.sessionId, mark)
    const episode = await ensureSessionEpisode(tx, facts.sessionId, clock)
    if (episode === undefined) return false
    for (const run of analyses) await recordRun(tx, { ...run, episode, agentId: facts.agentId, contentHash, now: clock() })
    return true
  })
}

/** Uses the last message's time, else the next free millisecond: sources may give all messages one time, or none. */
export function setMoment(workspace: string, { facts: session, capturedAt }: LoadedSession): number {
  for (let at = capturedAt; ; at++) {
    const there = soundHead(workspace, placeOf(workspace, setPath({ session, capturedAt: at }, 'transcript')))
    if (there === undefined || there.source_node_id === null || there.source_node_id === session.headTurnId) return at
  }
}

const MODEL_MS = 30_000

/** Falls back to rules; never blocks publication. */
export async function writeSentence(
  { writer, signal, onStoodIn }: Pick<PublishContext, 'writer' | 'signal' | 'onStoodIn'>,
  input: SentenceInput,
  written: WrittenSession,
): Promise<MemorySentence> {
  if (writer === undefined) return memorySentence(input)
  const limit = AbortSignal.timeout(MODEL_MS)
  const either = signal ? AbortSignal.any([signal, limit]) : limit
  const sentence = await writeMemorySentence(input, writer, either, written)
  if (sentence.implementation !== writer.name) onStoodIn?.()
  return sentence
}

export function dated({ text, version, quality }: MemorySentence, generatedAt: number): DatedSentence {
  return { text, version, quality, generatedAt }
}
