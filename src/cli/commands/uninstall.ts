import type { Command } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { confirm } from '../confirm.ts'
import { formatUninstall } from '../format/backup.ts'
import { formatRemoved } from '../format/install.ts'
import { eachChecked } from './install.ts'

interface UninstallOptions {
  readonly purge?: boolean
  readonly artifacts?: boolean
  readonly dryRun?: boolean
  readonly yes?: boolean
}

export function uninstall(command: Command, cli: Cli): void {
  command
    .argument('[names...]', 'take Mnemonic out of these: claude-code, codex, cursor, opencode, gemini-cli, openclaw, timer')
    .option('--purge', 'remove all: the entries in harnesses, then the home with database, configuration, models, logs')
    .option('--artifacts', 'with --purge: remove the published files in the workspace too')
    .option('--dry-run', 'print what would be removed; change nothing')
    .option('--yes', 'do not ask')
    .description(
      'Without a name, lists what of Mnemonic is on this machine. With names, removes exactly its entries from the files of these harnesses; what you changed there since stays.',
    )
    .addHelpText(
      'after',
      examples('uninstall', 'uninstall claude-code --dry-run', 'uninstall codex timer', 'uninstall --purge --dry-run', 'uninstall --purge'),
    )
    .action((names: string[], options: UninstallOptions) =>
      names.length > 0 ? fromHarnesses(cli, names, options) : everything(cli, options),
    )
}

async function fromHarnesses(cli: Cli, names: readonly string[], { purge, artifacts, dryRun = false }: UninstallOptions): Promise<void> {
  if (purge || artifacts) {
    throw new MnemonicError('USAGE', '--purge and --artifacts remove everything; they take no names', {
      hint: `Give either. One harness: mnemonic uninstall ${names[0]}`,
    })
  }
  await cli.run(async ({ installing }) => {
    const reports = await eachChecked(names, dryRun, (name, dry) => installing.uninstall(name, { dryRun: dry }))
    cli.out.answer({ reports }, () => reports.map((report) => formatRemoved(report)).join('\n\n'))
    return 0
  })
}

function everything(cli: Cli, { purge = false, artifacts = false, dryRun = false, yes = false }: UninstallOptions): Promise<void> {
  return cli.run(async (mnemonic) => {
    const report = await mnemonic.safekeeping.uninstall({
      ...{ purge, artifacts, dryRun },
      confirm: async (plan) => yes || confirm(cli, formatUninstall(plan), 'Remove it for good?'),
    })
    if (report === undefined) {
      cli.out.hint('nothing was removed')
      return 1
    }
    cli.out.answer(report, () => formatUninstall(report))
    cli.out.warnings(report.warnings)
    return 0
  })
}
