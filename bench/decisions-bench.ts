/** How many of the decisions in a team's coding sessions the rules find, and how many of those they find are some; the same for replaced ones. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DecisionLine, type Mnemonic, openMnemonic, type ShownEvent } from 'agent-mnemonic'
import { ASKED_AT, codingFolder } from './coding-data.ts'
import type { BenchContext } from './run.ts'
import { table } from './table.ts'

/** This file is compiled to bench/.out/bench. */
const LABELS = new URL('../../../bench/coding/decisions.json', import.meta.url)
/** In the order in which they were labelled; bench/coding/decisions.json says how each was chosen. */
const HALVES = ['tune', 'held', 'judge', 'fresh', 'again', 'last'] as const
const ALL = 10_000

type Half = (typeof HALVES)[number]

/** Labelled by reading: ids and spans only. */
interface Labels {
  readonly sessions: readonly { readonly session: string; readonly half: Half }[]
  readonly decisions: readonly Label[]
  readonly supersedes: readonly { readonly earlier: string; readonly later: string }[]
}

interface Label {
  readonly session: string
  readonly message: string
  readonly start: number
  readonly end: number
  /** `perhaps`: readers may differ, so that it counts neither way. */
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
  const mnemonic = await openMnemonic({
    home: join(root, 'decisions', 'home'),
    workspace: join(root, 'decisions', 'workspace'),
    config: { owner: { timezone: 'UTC' } },
    clock: () => ASKED_AT,
  })
  try {
    await mnemonic.sync({ path: logs, adapters: ['claude-code'], embed: false })
    const labels = JSON.parse(readFileSync(LABELS, 'utf8')) as Labels
    const { events } = await mnemonic.events({ type: 'decision', limit: ALL })
    print(
      table(
        'Decisions found by rules',
        ['half', 'labelled', 'found', 'right', 'perhaps', 'wrong', 'precision', 'recall'],
        halves(labels, events),
      ),
    )
    print(table('Decisions that others replaced', ['replaced, of all sessions', 'right', 'precision'], [await pairs(mnemonic, labels)]))
  } finally {
    await mnemonic.close()
  }
}

function halves({ sessions, decisions }: Labels, events: readonly ShownEvent[]): string[][] {
  return HALVES.map((half) => {
    const chosen = new Set(sessions.flatMap((one) => (one.half === half ? [one.session] : [])))
    const labelled = decisions.filter(({ session }) => chosen.has(session))
    const found = events.filter(({ session_id }) => chosen.has(session_id?.replace(/^[^:]*:/, '') ?? ''))
    const kinds = found.map((event) => {
      const here = labelled.filter((label) => overlaps(label, event))
      return here.some(({ kind }) => kind === 'decision') ? 'decision' : (here[0]?.kind ?? 'wrong')
    })
    const count = (kind: string) => kinds.filter((one) => one === kind).length
    const real = labelled.filter(({ kind }) => kind === 'decision')
    const hit = real.filter((label) => found.some((event) => overlaps(label, event))).length
    const [right, perhaps, wrong] = [count('decision'), count('perhaps'), count('wrong')]
    const rates = [right / (right + wrong), hit / real.length].map((rate) => rate.toFixed(2))
    return [half, ...[real.length, found.length, right, perhaps, wrong].map(String), ...rates]
  })
}

function overlaps(label: Label, { native_message_id, span }: ShownEvent): boolean {
  return native_message_id === label.message && span !== null && span[0] < label.end && label.start < span[1]
}

/** All that the history of all sessions has, by the messages that say them. */
async function pairs(mnemonic: Mnemonic, { supersedes }: Labels): Promise<string[]> {
  const { lines } = await mnemonic.decisions({ limit: ALL })
  const right = new Set(supersedes.map(({ earlier, later }) => `${earlier} ${later}`))
  const found = lines.flatMap(replaced)
  const good = found.filter((pair) => right.has(pair)).length
  return [String(found.length), String(good), (good / Math.max(1, found.length)).toFixed(2)]
}

function replaced({ holds, before }: DecisionLine): string[] {
  const native = new Map([...holds, ...before].map((one) => [one.event_id, one.native_message_id]))
  return before.map((one) => `${one.native_message_id} ${native.get(one.superseded_by?.event_id ?? '') ?? '?'}`)
}
