import { plural } from '../../core/text.ts'
import type { LostRows, Mnemonic, RepairPlan, RepairReport } from '../../library/index.ts'
import type { Cli, ExitCode } from '../cli.ts'
import { confirm } from '../confirm.ts'
import { duration } from '../format/quantity.ts'

export interface RepairFlags {
  readonly yes?: true
  readonly keep?: true
}

/** Exit code 3: repaired, but rows of the ledger are lost. */
export async function repairDatabase(cli: Cli, mnemonic: Mnemonic, { yes, keep }: RepairFlags): Promise<ExitCode> {
  const report = await cli.job((job) =>
    mnemonic.safekeeping.repair({
      ...job,
      keep: keep === true,
      confirm: async (plan) => yes === true || confirm(cli, formatRepairPlan(plan, keep === true), 'Repair the database?'),
    }),
  )
  if (report === undefined) {
    cli.out.hint('nothing was changed')
    return 1
  }
  cli.out.answer(report, () => cli.out.ours(formatRepair(report)))
  if (report.lost.length > 0 && !cli.out.json) cli.out.hint(whatHelps(report))
  return report.lost.length > 0 ? 3 : 0
}

function whatHelps({ lost }: RepairPlan): string {
  const tables = new Set(lost.map(({ table }) => table))
  if (tables.has('agent_records'))
    return 'Which records of the sources are stored already is lost in part: sources are not read again, and mnemonic sync --reread may store messages twice. An older backup may hold the rest.'
  const calls = tables.has('agent_tool_calls') ? ' Tool calls of messages that are still there do not come back.' : ''
  return `mnemonic sync reads all sources again, and brings back what they still hold.${calls} An older backup may hold the rest.`
}

function formatRepairPlan({ database, faults, lost, rebuilt }: RepairPlan, keep: boolean): string {
  return [
    `${database} is damaged: ${faults[0]}${faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''}`,
    ...formatLost(lost),
    rebuilt.length === 0 ? 'Everything that is derived can be read.' : `Made again from the ledger: ${rebuilt.join(', ')}`,
    keep ? 'The damaged file is kept beside the database.' : 'The damaged file is removed; to keep it: --keep-damaged',
  ].join('\n')
}

function formatRepair({ database, faults, lost, rebuilt, kept, duration_ms }: RepairReport): string {
  if (faults.length === 0) return `${database} is whole: there is nothing to repair.`
  return [
    `${database} is repaired, in ${duration(duration_ms)}.`,
    ...formatLost(lost),
    ...(rebuilt.length === 0 ? [] : [`Made again: ${rebuilt.join(', ')}`]),
    ...(kept === null ? [] : [`The damaged file is kept: ${kept}`]),
  ].join('\n')
}

const MOST_IDS = 20

function formatLost(lost: readonly LostRows[]): string[] {
  if (lost.length === 0) return ['Nothing of the ledger is lost.']
  return lost.map(({ table, rows, ids }) => {
    const count = rows === null ? 'rows, nobody knows how many' : plural(rows, 'row')
    const more = rows !== null && rows > MOST_IDS && ids.length > 0 ? ' …' : ''
    return `Lost of ${table}: ${count}${ids.length === 0 ? '' : `: ${ids.slice(0, MOST_IDS).join(', ')}`}${more}`
  })
}
