/** Counts, sizes and metrics for people. */
import { plural, stripControls } from '../../core/text.ts'
import type { StatusReport } from '../../library/index.ts'
import { pairs } from './layout.ts'
import { bytes, duration } from './quantity.ts'
import type { Style } from './style.ts'
import { when } from './time.ts'

export function formatStatus(status: StatusReport, { style, now }: { readonly style: Style; readonly now: number }): string {
  const { agents, events, core, graph, index, metrics, sizes } = status
  const time = (iso: string | null) => (iso === null ? 'never' : when(iso, now))
  const number = (value: number) => value.toLocaleString('en-US')
  const average = (ms: number | null, each: string) => (ms === null ? '' : `; ${duration(ms)} ${each}`)
  const sources = status.sources.map(
    ({ adapter, units, quarantined, last_read }) =>
      [
        adapter,
        `${plural(units, adapter === 'aix-events' ? 'session' : 'file')}, ${number(quarantined)} quarantined, last read ${time(last_read)}`,
      ] as const,
  )
  const blocks: [string, string][] = [
    [
      'Ledgers',
      pairs([
        [
          'agents',
          `${plural(agents.sessions, 'session')} (${number(agents.subagents)} of subagents), ${plural(agents.turns, 'turn')}, ${plural(agents.messages, 'message')}, ${plural(agents.tool_calls, 'tool call')}, ${plural(agents.compactions, 'compaction')}`,
        ],
        ['events', `${plural(events.events, 'event')}, ${plural(events.threads, 'thread')}`],
        ['core', `${plural(core.episodes, 'episode')}, ${plural(core.facets, 'facet')}, ${plural(core.embeddings, 'embedding')}`],
        ['graph', `${plural(graph.entities, 'entity')}, ${plural(graph.relationships, 'relationship')}`],
      ]),
    ],
    [
      'Index',
      pairs([
        ['holds', `${plural(index.documents, 'document')}, ${plural(index.chunks, 'chunk')}`],
        ['waiting', `${plural(index.waiting_sessions, 'session')}; ${number(index.partial_sessions)} held only in part`],
        ['last indexed', `${time(metrics.last_indexed)}${average(metrics.avg_index_time_per_session_ms, 'a session')}`],
        ['searches', `${number(metrics.search_count_24h)} in 24 hours${average(metrics.avg_search_latency_ms, 'on average')}`],
      ]),
    ],
    ...(sources.length === 0 ? [] : [['Sources', pairs(sources)] as [string, string]]),
    [
      'Disk',
      pairs([
        ['database', bytes(sizes.database_bytes)],
        ['vectors', bytes(sizes.vectors_bytes)],
        ['artifacts', bytes(sizes.artifacts_bytes)],
        ['models', bytes(sizes.models_bytes)],
      ]),
    ],
  ]
  return [
    `Mnemonic ${status.version} · ${stripControls(status.home)} · last sync ${time(status.last_sync)}`,
    ...blocks.map(([title, body]) => `${style.bold(title)}\n${body.replace(/^/gm, '  ')}`),
  ].join('\n\n')
}
