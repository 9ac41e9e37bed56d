import { setPriority } from 'node:os'
import type { Command } from 'commander'
import { isWorkerProcess } from '../../core/own-process.ts'
import { plural, stripControls } from '../../core/text.ts'
import type { WriteReport } from '../../library/index.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'

const NICE = 10

export function write(command: Command, cli: Cli): void {
  command
    .description(
      'Does what the hooks of harnesses left to be written: captures their sessions, finds entities and facts in them (by rules, by a model, or by an agent: write.mode), publishes those that ended. Hooks start it in the background; it ends when nothing waits, or after 5 minutes.',
    )
    .option('--retry', 'also what failed too often')
    .addHelpText('after', examples('write', 'write --retry', 'write --json'))
    .action(({ retry = false }: { readonly retry?: boolean }) =>
      cli.run(async (mnemonic) => {
        if (isWorkerProcess(cli.io.env)) giveWay()
        const report = await cli.job((job) => mnemonic.write({ retry, ...job }))
        cli.out.answer(report, () => formatWritten(report))
        cli.out.warnings(report.warnings)
        return report.sessions.some(({ status }) => status === 'retry' || status === 'failed') ? 3 : 0
      }),
    )
}

/** Best effort: not every system permits it. */
function giveWay(): void {
  try {
    setPriority(NICE)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}

function formatRun({
  agent,
  status,
  searches,
  writes,
  refused,
  tokens,
  seconds,
  reason,
  noted,
}: WriteReport['sessions'][number]['agent'][number]): string {
  const did = `${plural(searches, 'search', 'searches')}, ${plural(writes, 'write')}, ${refused} refused, ${plural(tokens, 'token')}, ${seconds} s`
  return [
    `${agent}: ${status === 'done' ? did : `failed, and nothing of it was kept: ${reason}`}`,
    ...noted.map((one) => `it ${one}`),
  ].join('; ')
}

function formatWritten({ busy, sessions, left, timed_out }: WriteReport): string {
  if (busy) return 'Another process is writing what waits.'
  const lines = sessions.flatMap(({ harness, session, tasks, status, reason, records, paths, agent }) => {
    const done =
      status === 'done' ? `${plural(records, 'new record')}${paths.length > 0 ? `, ${plural(paths.length, 'file')} published` : ''}` : ''
    const why = reason === null ? '' : `: ${stripControls(reason)}`
    const line = `${status}  ${stripControls(harness)} ${stripControls(session)}  ${tasks.join(', ')}${why}${done === '' ? '' : `  ${done}`}`
    return [line, ...agent.map((run) => `      ${stripControls(formatRun(run))}`)]
  })
  if (left > 0) lines.push(`${plural(left, 'task')} left${timed_out ? ': the time was over' : ''}`)
  return lines.length === 0 ? 'Nothing waits to be written.' : lines.join('\n')
}
