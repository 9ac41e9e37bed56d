import { asMnemonicError } from '../../core/error.ts'
import { maskSecrets } from '../../core/mask-secrets.ts'
import { redactSensitiveText } from '../../core/redact.ts'
import { leastTrusted, type Trust } from '../../core/trust.ts'
import type { Lease } from '../../store/lease.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import type { EpisodeText, Findings } from '../analyzer.ts'
import { MEMORY_WRITER } from '../memory-writer.ts'
import { type EpisodeToRead, loadEpisodes } from './load-episodes.ts'
import { HELD_MS } from './run-holder.ts'
import type { Planned, RunOptions } from './run-options.ts'
import { type Claim, type ClaimedRun, claimRuns, completeRun, failRun, isStillOurs, releaseRuns, renewRuns } from './runs.ts'
import { RULES } from './waiting.ts'
import { writeFindings } from './write-findings.ts'
import { writeLabels } from './write-labels.ts'

export interface RunSome extends Planned, Pick<RunOptions, 'clock' | 'writeGraph' | 'signal' | 'texts'> {
  readonly holder: string
  readonly jobs: number
  readonly lease?: Lease | undefined
}

export interface SomeReport {
  completed: number
  failed: number
  fallbacks: number
  facets: number
  stopped?: unknown
}

interface Result {
  readonly run: ClaimedRun
  readonly episode: EpisodeText | undefined
  readonly findings?: Findings
  readonly error?: unknown
}

export async function runSome(store: Store, episodes: readonly EpisodeToRead[], work: RunSome): Promise<SomeReport> {
  const report: SomeReport = { completed: 0, failed: 0, fallbacks: 0, facets: 0 }
  const claim = claimOf(work)
  const claimed = await store.write(async (tx) => {
    await work.lease?.check(tx)
    return claimRuns(tx, claim, episodes)
  })
  const open = new Set(claimed.map(({ id }) => id))
  // A model may take longer than `HELD_MS`.
  const timer = setInterval(() => {
    // The next tick retries. A lost run is detected before writing.
    void store.write((tx) => renewRuns(tx, claimOf(work), [...open])).catch(() => undefined)
  }, HELD_MS / 3).unref()
  try {
    const results = analysed(store, claimed, work)
    if (work.analyzer.implementation === RULES) {
      const all: Result[] = []
      for await (const result of results) all.push(result)
      await finish(store, all, work, report, open)
    } else for await (const result of results) await finish(store, [result], work, report, open)
  } catch (error) {
    await store.write((tx) => releaseRuns(tx, work.holder, [...open])).catch(() => undefined) // otherwise they expire
    throw error
  } finally {
    clearInterval(timer)
  }
  if (open.size > 0) await store.write((tx) => releaseRuns(tx, work.holder, [...open]))
  return report
}

const claimOf = ({ type, analyzer, holder, clock }: RunSome): Claim => ({ type, analyzer, holder, now: clock() })

async function* analysed(store: Store, claimed: readonly ClaimedRun[], work: RunSome): AsyncGenerator<Result> {
  const { analyzer, signal, jobs, texts = (episodes, reads) => loadEpisodes(store.read, episodes, reads) } = work
  const by = new Map(claimed.map((run) => [run.episode.id, run]))
  const running = new Map<string, Promise<Result>>()
  async function one(run: ClaimedRun, episode: EpisodeText): Promise<Result> {
    try {
      return { run, episode, findings: await analyzer.analyze(withoutSecrets(episode, analyzer), signal) }
    } catch (error) {
      return { run, episode, error }
    }
  }
  const order = claimed.map(({ episode }) => episode)
  let isWhole = true
  for await (const episode of texts(order, analyzer.reads)) {
    const run = by.get(episode.id) as ClaimedRun
    by.delete(episode.id)
    running.set(run.id, one(run, episode))
    if (running.size < jobs) continue
    const result = await Promise.race(running.values())
    running.delete(result.run.id)
    yield result
    if (!endsAll(result.error) && !signal?.aborted) continue
    isWhole = false
    break
  }
  while (running.size > 0) {
    const result = await Promise.race(running.values())
    running.delete(result.run.id)
    yield result
  }
  // Empty episodes complete without findings.
  if (isWhole) for (const run of by.values()) yield { run, episode: undefined, findings: { output: undefined, facets: [] } }
}

/**
 * Rules read text with blanked secrets; models redact on sending. Names are redacted for both, since they become entity names unchanged.
 */
function withoutSecrets(episode: EpisodeText, { implementation }: RunSome['analyzer']): EpisodeText {
  const messages = episode.messages.map((message) => ({
    ...message,
    speaker: nameOf(message.speaker),
    ...(implementation === 'rules' ? { text: maskSecrets(message.text) } : {}),
  }))
  return { ...episode, messages, people: episode.people.map((person) => ({ ...person, name: nameOf(person.name) })) }
}

function nameOf(name: string | null): string | null {
  return name === null ? null : redactSensitiveText(name, { mode: 'tools' })
}

/** Findings of an agent have at most its trust, even if the owner wrote the message. */
function toldByAgent(episode: EpisodeText): EpisodeText {
  const capped = (trust: Trust) => leastTrusted([trust, 'agent'])
  return {
    ...{ ...episode, trust: capped(episode.trust) },
    messages: episode.messages.map((message) => ({ ...message, trust: capped(message.trust) })),
  }
}

/** Every other run would fail alike: they wait and do not count as failed. */
function endsAll(error: unknown): boolean {
  if (error === undefined) return false
  const { code, recoverable } = asMnemonicError(error)
  return code === 'INTERRUPTED' || code === 'LEASE_LOST' || (code !== 'INTERNAL' && !recoverable)
}

async function finish(store: Store, results: readonly Result[], work: RunSome, report: SomeReport, open: Set<string>): Promise<void> {
  const done: SomeReport = { completed: 0, failed: 0, fallbacks: 0, facets: 0 }
  const ended: string[] = []
  await store.write(async (tx) => {
    await work.lease?.check(tx)
    for (const result of results) if (await finishOne(tx, result, work, done)) ended.push(result.run.id)
  })
  for (const id of ended) open.delete(id)
  report.completed += done.completed
  report.failed += done.failed
  report.fallbacks += done.fallbacks
  report.facets += done.facets
  if (done.stopped !== undefined) report.stopped = done.stopped
}

async function finishOne(tx: WriteTx, { run, episode, findings, error }: Result, work: RunSome, report: SomeReport): Promise<boolean> {
  const claim = claimOf(work)
  if (findings === undefined) {
    if (endsAll(error)) {
      report.stopped = error
      return false
    }
    await failRun(tx, run.id, error, claim)
    report.failed += 1
    return true
  }
  if (!(await isStillOurs(tx, run, work.holder))) return true
  try {
    await tx.attempt(() => keep(tx, { run, episode, findings }, work, claim))
  } catch (refused) {
    // Invalid findings fail the whole run: a span outside the text, an unknown type.
    await failRun(tx, run.id, refused, claim)
    report.failed += 1
    return true
  }
  report.completed += 1
  report.facets += findings.facets.length
  if (findings.implementation !== undefined && findings.implementation !== work.analyzer.implementation) report.fallbacks += 1
  return true
}

async function keep(
  tx: WriteTx,
  { run, episode, findings }: { run: ClaimedRun; episode: EpisodeText | undefined; findings: Findings },
  { type, writeGraph }: RunSome,
  claim: Claim,
): Promise<void> {
  if (episode !== undefined) {
    const by = { run: run.id, type: type.name, episode: type.name === MEMORY_WRITER ? toldByAgent(episode) : episode, now: claim.now }
    await writeFindings(tx, by, findings, writeGraph)
    await writeLabels(tx, { type: type.name, episode, findings })
  }
  await completeRun(tx, run, findings, claim)
}
