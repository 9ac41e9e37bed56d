/** Recall and precision of decision rules on coding sessions; the same for replaced decisions. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openMnemonic, type ShownEvent } from 'agent-mnemonic'
import Database from 'better-sqlite3'
import { ASKED_AT, codingFolder } from './coding-data.ts'
import type { BenchContext } from './run.ts'
import { table } from './table.ts'

/** This file is compiled to bench/.out/bench. */
const LABELS = new URL('../../../bench/coding/decisions.json', import.meta.url)
/** In labelling order; bench/coding/decisions.json explains each. */
const HALVES = ['tune', 'held', 'judge', 'fresh', 'again', 'last', 'rest', 'pi', 'others'] as const
const ALL = 10_000
/** Real logs of others. */
const FIXTURES = fileURLToPath(new URL('../../../../shared/fixtures', import.meta.url))
const HARNESSES = ['claude-code', 'codex', 'cursor', 'pi-openclaw', 'other']
/** Some fixtures are earlier or shorter logs of these sessions. */
const CODING = new URL('../../../bench/coding/sessions.json', import.meta.url)

type Half = (typeof HALVES)[number]

/** Labelled by reading: ids and spans only. */
interface Labels {
  readonly sessions: readonly { readonly session: string; readonly half: Half }[]
  readonly decisions: readonly Label[]
  readonly supersedes: readonly Pair[]
}

interface Label {
  readonly session: string
  readonly message: string
  readonly start: number
  readonly end: number
  /** `perhaps`: readers may differ, so it does not count. */
  readonly kind: 'decision' | 'perhaps'
}

export async function decisionsBench(context: BenchContext): Promise<void> {
  const { root, print } = context
  const folder = codingFolder(context)
  if (!existsSync(join(folder, 'sessions.tar.xz'))) {
    print(`left out: no sessions.tar.xz in ${folder}; bench/coding/README.md says how to get the sessions`)
    return
  }
  const logs = join(root, 'decisions', 'logs')
  mkdirSync(logs, { recursive: true })
  execFileSync('tar', ['xJf', join(folder, 'sessions.tar.xz'), '-C', logs])
  const home = join(root, 'decisions', 'home')
  const mnemonic = await openMnemonic({
    home,
    workspace: join(root, 'decisions', 'workspace'),
    config: { owner: { timezone: 'UTC' } },
    clock: () => ASKED_AT,
  })
  try {
    await mnemonic.sync({ path: logs, adapters: ['claude-code'], embed: false })
    const labels = JSON.parse(readFileSync(LABELS, 'utf8')) as Labels
    const { events } = await mnemonic.events({ type: 'decision', limit: ALL })
    const all = [...events, ...(await eventsOfFixtures(context))]
    print(
      table(
        'Decisions found by rules',
        ['half', 'labelled', 'found', 'right', 'perhaps', 'wrong', 'precision', 'perhaps as wrong', 'recall'],
        halves(labels, all),
      ),
    )
    print(
      table(
        'Pairs of which the later one replaced the earlier',
        ['labelled', 'found', 'right', 'precision', 'recall'],
        [pairs(home, labels)],
      ),
    )
  } finally {
    await mnemonic.close()
  }
}

async function eventsOfFixtures({ root, options, print }: BenchContext): Promise<readonly ShownEvent[]> {
  const folder = options.get('fixtures') ?? FIXTURES
  if (!existsSync(folder)) {
    print(`left out: the sets of other people; no fixtures in ${folder}`)
    return []
  }
  const mnemonic = await openMnemonic({
    home: join(root, 'decisions', 'fixtures'),
    workspace: join(root, 'decisions', 'fixtures-workspace'),
    config: { owner: { timezone: 'UTC' } },
    clock: () => ASKED_AT,
  })
  try {
    for (const harness of HARNESSES) await mnemonic.sync({ path: join(folder, harness), embed: false })
    const { events } = await mnemonic.events({ type: 'decision', limit: ALL })
    const known = new Set((JSON.parse(readFileSync(CODING, 'utf8')) as { id: string }[]).map(({ id }) => id))
    return events.filter(({ session_id }) => !known.has(nativeSession(session_id)))
  } finally {
    await mnemonic.close()
  }
}

const nativeSession = (id: string | null): string => id?.replace(/^[^:]*:/, '') ?? ''

function halves({ sessions, decisions }: Labels, events: readonly ShownEvent[]): string[][] {
  return HALVES.map((half) => {
    const chosen = new Set(sessions.flatMap((one) => (one.half === half ? [one.session] : [])))
    const labelled = decisions.filter(({ session }) => chosen.has(session))
    const found = events.filter(({ session_id }) => chosen.has(nativeSession(session_id)))
    const kinds = found.map((event) => {
      const here = labelled.filter((label) => overlaps(label, event))
      return here.some(({ kind }) => kind === 'decision') ? 'decision' : (here[0]?.kind ?? 'wrong')
    })
    const count = (kind: string) => kinds.filter((one) => one === kind).length
    const real = labelled.filter(({ kind }) => kind === 'decision')
    const hit = real.filter((label) => found.some((event) => overlaps(label, event))).length
    const [right, perhaps, wrong] = [count('decision'), count('perhaps'), count('wrong')]
    const rates = [right / (right + wrong), right / (right + wrong + perhaps), hit / real.length].map((rate) => rate.toFixed(2))
    return [half, ...[real.length, found.length, right, perhaps, wrong].map(String), ...rates]
  })
}

function overlaps(label: Label, { native_message_id, span }: ShownEvent): boolean {
  return native_message_id === label.message && span !== null && span[0] < label.end && label.start < span[1]
}

interface Pair {
  readonly earlier: string
  readonly later: string
}

/** Links by the messages of both ends, as labelled. `decisions` prints fewer, since it folds repetitions. */
function pairs(home: string, { supersedes }: Labels): string[] {
  const ledger = new Database(join(home, 'mnemonic.db'), { readonly: true })
  try {
    const links = ledger
      .prepare(
        `select e.message as earlier, l.message as later from decision_links
           join decisions e on e.event_id = earlier_id join decisions l on l.event_id = later_id`,
      )
      .all() as Pair[]
    const found = new Set(links.map(({ earlier, later }) => `${nativeOf(earlier)} ${nativeOf(later)}`))
    const right = supersedes.filter(({ earlier, later }) => found.has(`${earlier} ${later}`)).length
    const rates = [right / Math.max(1, found.size), right / supersedes.length].map((rate) => rate.toFixed(2))
    return [...[supersedes.length, found.size, right].map(String), ...rates]
  } finally {
    ledger.close()
  }
}

const nativeOf = (message: string): string => message.slice(message.lastIndexOf('/') + 1)
