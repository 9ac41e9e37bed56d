import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { plural } from '../../core/text.ts'
import type { SessionFormat } from '../../library/index.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { confirm } from '../confirm.ts'
import { formatBackup, formatExport, formatPlan, formatRestore } from '../format/backup.ts'
import { duration } from '../format/quantity.ts'

/** The copy is raw, not redacted. Other processes can keep writing. */
export function backup(command: Command, cli: Cli): void {
  command
    .argument('<file>', 'the file to write; its folder must exist')
    .option('--force', 'replace an existing file')
    .description(
      'Writes the whole database into one file; other processes can go on writing. The file is not redacted: it contains every secret of every session, so keep it safe.',
    )
    .addHelpText('after', examples('backup ~/backups/mnemonic-2026-03.db', 'backup /mnt/usb/mnemonic.db --force --json'))
    .action((file: string, { force = false }: { readonly force?: boolean }) =>
      cli.run(async (mnemonic) => {
        const report = await cli.job((job) => mnemonic.safekeeping.backup(resolve(file), { force, ...job }))
        cli.out.answer(report, () => formatBackup(report))
        if (!cli.out.json) cli.out.hint(`bring it back: mnemonic restore ${report.path}`)
        return 0
      }),
    )
}

/** Keeps the replaced database aside. Forgotten records stay forgotten. */
export function restore(command: Command, cli: Cli): void {
  command
    .argument('<file>', 'a file that mnemonic backup wrote')
    .option('--yes', 'do not ask')
    .description(
      'Replaces the database by a backup. The replaced database is kept, and what was forgotten since the backup stays forgotten.',
    )
    .addHelpText('after', examples('restore ~/backups/mnemonic-2026-03.db', 'restore ~/backups/mnemonic-2026-03.db --yes --json'))
    .action((file: string, { yes = false }: { readonly yes?: boolean }) =>
      cli.run(async (mnemonic) => {
        const report = await cli.job((job) =>
          mnemonic.safekeeping.restore(resolve(file), {
            ...job,
            confirm: async (plan) => yes || confirm(cli, formatPlan(plan), 'Replace the database by the backup?'),
          }),
        )
        if (report === undefined) {
          cli.out.hint('nothing was changed')
          return 1
        }
        cli.out.answer(report, () => formatRestore(report))
        if (!cli.out.json) cli.out.hint('to import what is newer than the backup: mnemonic sync')
        return 0
      }),
    )
}

interface ExportOptions {
  readonly dir?: string
  readonly file?: string
  readonly force?: boolean
  readonly format?: SessionFormat
  readonly out?: string
  readonly branches?: boolean
}

export function exportAll(command: Command, cli: Cli): void {
  command
    .description(
      'Writes one conversation as markdown or HTML, or everything as JSON lines and markdown, for you and for other programs. The text is redacted.',
    )
    .argument('[session]', 'one conversation: a number of the last answer, or any id that show takes; without it, everything')
    .addOption(new Option('--format <format>', 'of one conversation (default: markdown)').choices(['markdown', 'html']))
    .option('--out <file>', 'write the conversation into this file instead of printing it')
    .option('--branches', 'of one conversation: include turns on abandoned branches')
    .addOption(
      new Option('--dir <dir>', 'write everything into this folder: a new or empty one, or that of an earlier export').conflicts('file'),
    )
    .addOption(new Option('--file <file>', 'write only the messages, into one JSONL file').conflicts('dir'))
    .option('--force', 'replace an existing file')
    .addHelpText(
      'after',
      examples(
        'export 1 > talk.md',
        'export c010174c --format html --out talk.html',
        'export --dir ~/mnemonic-export',
        'export --file sessions.jsonl',
        'export qmd',
      ),
    )
    .action((session: string | undefined, { dir, file, force = false, format, out, branches }: ExportOptions) =>
      cli.run(async (mnemonic) => {
        if (session !== undefined) {
          if (dir !== undefined || file !== undefined) throw oneOrAll('--dir and --file write everything')
          const { exportOne } = await import('./export-session.ts')
          return exportOne(cli, mnemonic, session, { force, ...given({ format, out, branches }) })
        }
        if (format !== undefined || out !== undefined || branches) throw oneOrAll('--format, --out and --branches are for one conversation')
        const target = given({ dir: dir && resolve(dir), file: file && resolve(file) })
        const report = await cli.job((job) => mnemonic.safekeeping.export({ ...target, force, ...job }))
        cli.out.answer(report, () => formatExport(report))
        cli.out.warnings(report.warnings)
        return report.warnings.length > 0 ? 3 : 0
      }),
    )
  qmd(command.command('qmd'), cli)
}

function oneOrAll(why: string): MnemonicError {
  return new MnemonicError('USAGE', why, { hint: 'One conversation: export SESSION [--out FILE]. Everything: export --dir DIR.' })
}

function qmd(command: Command, cli: Cli): void {
  command
    .description(
      'Writes each turn as a markdown file for QMD. Only what changed is written, stale files are removed, and files of others are never touched.',
    )
    .addOption(new Option('--dir <dir>', 'the folder to write (default: qmd.dir in config.yaml, else qmd/ in the home)'))
    .addHelpText('after', examples('export qmd', 'export qmd --dir ~/notes/sessions --json'))
    .action((own: ExportOptions, { parent }: Command) =>
      cli.run(async (mnemonic) => {
        // The parent command has --dir too, and commander gives it the value.
        const dir = own.dir ?? parent?.opts<ExportOptions>().dir
        const target = dir === undefined ? {} : { dir: resolve(dir) }
        const report = await cli.job((job) => mnemonic.index.exportQmd({ ...target, ...job }))
        cli.out.answer(report, () => {
          const { written, unchanged, removed, duration_ms } = report
          return `${plural(written, 'file')} written, ${unchanged} unchanged, ${removed} removed, in ${duration(duration_ms)}: ${report.dir}`
        })
        cli.out.warnings(report.warnings)
        return report.warnings.length > 0 ? 3 : 0
      }),
    )
}
