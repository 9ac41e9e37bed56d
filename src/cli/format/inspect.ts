import { plural, stripControls } from '../../core/text.ts'
import type { DoctorReport, HealthReport, StatusReport } from '../../library/index.ts'
import { pairs } from './layout.ts'
import { bytes, duration, when } from './quantity.ts'
import type { Style } from './style.ts'

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
  const spent = status.spent_today.map(({ purpose, calls, input_tokens, output_tokens, usd }) => {
    const money = usd > 0 ? `, $${usd.toFixed(usd < 0.1 ? 4 : 2)}` : ''
    return [stripControls(purpose), `${plural(calls, 'call')}, ${number(input_tokens + output_tokens)} tokens${money}`] as const
  })
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
        ['analyses', runsOf(core.runs)],
        ...writerLine(status.writer, time),
        ['graph', `${plural(graph.entities, 'entity')}, ${plural(graph.relationships, 'relationship')}`],
      ]),
    ],
    [
      'Index',
      pairs([
        ['holds', `${plural(index.documents, 'document')}, ${plural(index.chunks, 'chunk')}`],
        ['waiting', `${plural(index.waiting_sessions, 'session')}; ${number(index.partial_sessions)} held only in part`],
        ['tool calls', toolCalls(index)],
        ['last indexed', `${time(metrics.last_indexed)}${average(metrics.avg_index_time_per_session_ms, 'a session')}`],
        ['searches', `${number(metrics.search_count_24h)} in 24 hours${average(metrics.avg_search_latency_ms, 'on average')}`],
      ]),
    ],
    ...(sources.length === 0 ? [] : [['Sources', pairs(sources)] as [string, string]]),
    ...(spent.length === 0 ? [] : [['Spent on models today', pairs(spent)] as [string, string]]),
    [
      'Disk',
      pairs([
        ['database', bytes(sizes.database_bytes)],
        ['vectors', bytes(sizes.vectors_bytes)],
        ['bits of tokens', bytes(sizes.token_bits_bytes)],
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

function writerLine(
  { waiting, failed, oldest, mode, last_agent_run: last }: StatusReport['writer'],
  time: (iso: string | null) => string,
): [string, string][] {
  const agent: [string, string][] =
    mode === 'agent'
      ? [
          [
            'agent',
            last === null
              ? 'writes sessions; has not run yet'
              : `${stripControls(last.agent)}: last run ${time(last.at)}, ${last.status === 'done' ? plural(last.writes, 'write') : 'failed'}`,
          ],
        ]
      : []
  if (waiting + failed === 0) return agent
  const since = oldest === null ? '' : `, the oldest ${time(oldest)}`
  return [...agent, ['writer', `${plural(waiting, 'task')} waiting${since}${failed === 0 ? '' : `, ${failed} failed`}`]]
}

export function formatHealth(report: HealthReport, style: Style): string {
  const paint = { OK: style.green, DEGRADED: style.yellow, ERROR: style.red }
  const lines = report.checks.map(({ name, status, message, hint }) => {
    const todo = hint === undefined ? '' : `\n          ${style.dim(`try: ${stripControls(hint)}`)}`
    return `${paint[status](status.padEnd(8))}  ${name}: ${stripControls(message)}${todo}`
  })
  return [paint[report.status](report.status), ...lines].join('\n')
}

export function formatDoctor(report: DoctorReport, style: Style): string {
  const absent = report.checks.filter((check) => check.absent).map(({ name }) => name.replace(/^source /, ''))
  const here = report.checks.filter((check) => !check.absent)
  const all =
    absent.length === 0 ? here : [...here, { name: 'other sources', ok: true, found: `not on this machine: ${absent.join(', ')}` }]
  const longest = Math.max(...all.map(({ name }) => name.length))
  const lines = all.map(({ name, ok, found, hint }: DoctorReport['checks'][number]) => {
    const todo = hint === undefined ? '' : `\n     ${style.dim(`try: ${stripControls(hint).replaceAll('\n', ' ')}`)}`
    return `${ok ? style.green('ok ') : style.red('bad')}  ${name.padEnd(longest)}  ${stripControls(found)}${todo}`
  })
  return lines.join('\n')
}

function toolCalls({ tools, work_calls, waiting_work_sessions: waiting }: StatusReport['index']): string {
  if (tools === 'off') return 'not indexed (index.tools: off)'
  const parts = [`${work_calls.toLocaleString('en-US')} searchable`]
  if (tools === 'words') parts.push('without their results (index.tools: words)')
  return `${parts.join(', ')}${waiting === 0 ? '' : `; those of ${plural(waiting, 'session')} not all yet`}`
}

function runsOf({ pending, running, completed, failed }: StatusReport['core']['runs']): string {
  const left = pending + running
  return `${plural(completed, 'run')} done, ${failed.toLocaleString('en-US')} failed${left === 0 ? '' : `, ${left.toLocaleString('en-US')} waiting or at work`}`
}
