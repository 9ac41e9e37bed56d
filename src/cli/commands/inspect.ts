import type { Command } from 'commander'
import { asMnemonicError, MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { printable, stripControls } from '../../core/text.ts'
import type { DoctorReport, HealthReport, SqlAnswer } from '../../library/index.ts'
import { examples, wholeNumber } from '../arguments.ts'
import type { Cli, ExitCode } from '../cli.ts'
import { asData } from '../format/as-data.ts'
import { formatDoctor, formatHealth, formatStatus } from '../format/inspect.ts'
import { pairs, table } from '../format/layout.ts'
import { neverSynced } from '../format/never-synced.ts'

export function status(command: Command, cli: Cli): void {
  command
    .description('Prints what the ledgers and the index hold, how long syncs and searches take, and how much disk is used.')
    .addHelpText('after', examples('status', 'status --json'))
    .action(() =>
      cli.run(async (mnemonic) => {
        const found = await mnemonic.status()
        cli.out.answer(found, () => formatStatus(found, { style: cli.out.style, now: Date.now() }))
        if (found.last_sync === null) cli.out.hint(neverSynced(found.agents.sessions + found.events.events === 0))
        return 0
      }),
    )
}

const EXIT: Readonly<Record<HealthReport['status'], ExitCode>> = { OK: 0, DEGRADED: 3, ERROR: 1 }

/** Answers even if the database does not open. */
export function health(command: Command, cli: Cli): void {
  const answer = (report: HealthReport): ExitCode => {
    cli.out.answer(report, () => cli.out.ours(formatHealth(report, cli.out.style)))
    return EXIT[report.status]
  }
  command
    .description('Prints OK, DEGRADED or ERROR, and why. Exit code 0, 3 or 1.')
    .addHelpText('after', examples('health', 'health --json'))
    .action(() =>
      cli.runOrElse(
        async (mnemonic) => answer(await mnemonic.health()),
        (error) => answer(unhealthy(error)),
      ),
    )
}

function unhealthy(error: Error): HealthReport {
  const { message, hint } = asMnemonicError(error)
  return { status: 'ERROR', checks: [{ name: 'database', status: 'ERROR', message, ...given({ hint }) }] }
}

/** Answers even if the home cannot be opened. */
export function doctor(command: Command, cli: Cli): void {
  const answer = (report: DoctorReport): ExitCode => {
    cli.out.answer(report, () => cli.out.ours(formatDoctor(report, cli.out.style)))
    return report.ok ? 0 : 1
  }
  command
    .description('Checks this installation: runtime, database, permissions, sources. Exit code 1 when something must be repaired.')
    .option('--repair', 'repair a damaged database: save what can be read, rebuild the rest; says what is lost and asks first')
    .option('-y, --yes', 'with --repair: do not ask')
    .option('--keep-damaged', 'with --repair: keep the damaged file too; it is noted as a backup, so that forget knows it')
    .addHelpText('after', examples('doctor', 'doctor --json', 'doctor --repair', 'doctor --repair --yes --keep-damaged'))
    .action(({ repair, yes, keepDamaged }: { readonly repair?: true; readonly yes?: true; readonly keepDamaged?: true }) => {
      if (repair)
        return cli.run(async (mnemonic) => (await import('./repair.ts')).repairDatabase(cli, mnemonic, given({ yes, keep: keepDamaged })))
      if (yes || keepDamaged)
        throw new MnemonicError('USAGE', '--yes and --keep-damaged go with --repair', { hint: 'mnemonic doctor --repair' })
      return cli.runOrElse(
        async (mnemonic) => answer(await mnemonic.doctor()),
        (error) => answer(undiagnosed(error)),
      )
    })
}

function undiagnosed(error: Error): DoctorReport {
  const { message, hint } = asMnemonicError(error)
  const home = { name: 'home', ok: false, found: message, ...given({ hint }) }
  return { ok: false, checks: [{ name: 'node', ok: true, found: process.versions.node }, home] }
}

export function paths(command: Command, cli: Cli): void {
  command
    .description('Prints the paths of home, database, configuration, models, logs and published files.')
    .addHelpText('after', examples('paths', 'paths --json --home /tmp/other'))
    .action(() =>
      cli.run(async (mnemonic) => {
        cli.out.answer(mnemonic.paths, () => pairs(Object.entries(mnemonic.paths)))
        return 0
      }),
    )
}

export function sql(command: Command, cli: Cli): void {
  command
    .description('Runs one SELECT on the database. It cannot write, and text in the answer is redacted.')
    .argument('<query>', 'one SELECT statement')
    .option('--limit <n>', 'most rows to print', wholeNumber(10_000), 100)
    .addHelpText(
      'after',
      examples(
        "sql 'select source, count(*) from agent_sessions group by source'",
        'sql "select name from sqlite_master where type = \'table\'" --json',
      ),
    )
    .action((query: string, { limit }: { readonly limit: number }) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.sql(query, { limit })
        cli.out.answer(answer, () => sqlText(cli, answer))
        if (answer.truncated && !cli.out.json) cli.out.hint(`only the first ${limit} rows; for more: --limit N`)
        return 0
      }),
    )
}

/** Strips bidirectional marks for people and agents; a pipe gets the raw values. */
function sqlText({ out }: Cli, answer: SqlAnswer): string {
  if (out.isTTY) return printable(formatSqlTable(answer))
  const lines = formatSqlLines(answer)
  return out.forAgent ? asData(out, printable(lines)) : lines
}

const CELL = 60

function formatSqlTable(answer: SqlAnswer): string {
  return table(
    answer.columns.map((title) => ({ title: stripControls(title), max: CELL })),
    answer.rows.map((row) => row.map((value) => stripControls(cell(value)))),
  )
}

function formatSqlLines(answer: SqlAnswer): string {
  const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\r', '\\r').replaceAll('\n', '\\n')
  const line = (row: readonly unknown[]) => row.map((value) => stripControls(escaped(cell(value)))).join('\t')
  return [answer.columns, ...answer.rows].map(line).join('\n')
}

function cell(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}
