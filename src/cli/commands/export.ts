/** `mnemonic export qmd`: the documents of the index as files, for QMD to search. */
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { plural } from '../../core/text.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { duration } from '../format/quantity.ts'

export function define(command: Command, cli: Cli): void {
  command
    .description('Writes what the index holds as files for other programs. They are redacted, as everything that leaves the ledger.')
    .addHelpText('after', examples('export qmd', 'export qmd --dir ~/notes/sessions'))
  command
    .command('qmd')
    .description(
      'Writes each turn as a markdown file for QMD: only what changed, and what is stale is removed. Files that are not its own are never touched.',
    )
    .addOption(new Option('--dir <dir>', 'where to (default: qmd.dir of config.yaml, else qmd/ in the home)'))
    .addHelpText('after', examples('export qmd', 'export qmd --dir ~/notes/sessions --json'))
    .action(({ dir }: { readonly dir?: string }) =>
      cli.run(async (mnemonic) => {
        const place = dir === undefined ? {} : { dir: resolve(dir) }
        const report = await cli.job(({ signal }) => mnemonic.exportQmd({ ...place, signal }))
        cli.out.answer(report, () => {
          const { written, unchanged, removed, duration_ms } = report
          return `${plural(written, 'file')} written, ${unchanged} unchanged, ${removed} removed, in ${duration(duration_ms)}: ${report.dir}`
        })
        if (!cli.out.json) for (const warning of report.warnings) cli.out.warn(warning)
        return report.warnings.length > 0 ? 3 : 0
      }),
    )
}
