/** `mnemonic export`: everything in open formats. `mnemonic export qmd`: the documents of the index as files, for QMD to search. */
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { given } from '../../core/given.ts'
import { plural } from '../../core/text.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatExport } from '../format/backup.ts'
import { duration } from '../format/quantity.ts'

interface Options {
  readonly dir?: string
  readonly file?: string
  readonly force?: boolean
}

export function define(command: Command, cli: Cli): void {
  command
    .description('Writes everything as JSON lines and markdown, for you and for other programs. Redacted, as all that leaves the ledger.')
    .addOption(new Option('--dir <dir>', 'everything, into a folder that is new, empty, or of an earlier export').conflicts('file'))
    .addOption(new Option('--file <file>', 'the messages alone, as one JSONL file').conflicts('dir'))
    .option('--force', 'replace the file that is there')
    .addHelpText('after', examples('export --dir ~/mnemonic-export', 'export --file sessions.jsonl', 'export qmd'))
    .action(({ dir, file, force = false }: Options) =>
      cli.run(async (mnemonic) => {
        const place = given({ dir: dir && resolve(dir), file: file && resolve(file) })
        const report = await cli.job((job) => mnemonic.safekeeping.export({ ...place, force, ...job }))
        cli.out.answer(report, () => formatExport(report))
        if (!cli.out.json) for (const warning of report.warnings) cli.out.warn(warning)
        return report.warnings.length > 0 ? 3 : 0
      }),
    )
  qmd(command.command('qmd'), cli)
}

function qmd(command: Command, cli: Cli): void {
  command
    .description(
      'Writes each turn as a markdown file for QMD: only what changed, and what is stale is removed. Files that are not its own are never touched.',
    )
    .addOption(new Option('--dir <dir>', 'where to (default: qmd.dir of config.yaml, else qmd/ in the home)'))
    .addHelpText('after', examples('export qmd', 'export qmd --dir ~/notes/sessions --json'))
    .action((own: Options, { parent }: Command) =>
      cli.run(async (mnemonic) => {
        // Both commands have this option, and the outer one takes it wherever it stands.
        const dir = own.dir ?? parent?.opts<Options>().dir
        const place = dir === undefined ? {} : { dir: resolve(dir) }
        const report = await cli.job((job) => mnemonic.index.exportQmd({ ...place, ...job }))
        cli.out.answer(report, () => {
          const { written, unchanged, removed, duration_ms } = report
          return `${plural(written, 'file')} written, ${unchanged} unchanged, ${removed} removed, in ${duration(duration_ms)}: ${report.dir}`
        })
        if (!cli.out.json) for (const warning of report.warnings) cli.out.warn(warning)
        return report.warnings.length > 0 ? 3 : 0
      }),
    )
}
