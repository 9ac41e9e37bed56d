/** `mnemonic sync`: imports what is new and indexes it. */
import { type Command, Option } from 'commander'
import { given } from '../../core/given.ts'
import { stripControls } from '../../core/text.ts'
import { collect, examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatSync } from '../format/sync.ts'

interface Options {
  readonly adapter?: readonly string[]
  readonly path?: string
  readonly reread?: true | string
  readonly embed: boolean
  readonly analyze: boolean
}

export function define(command: Command, cli: Cli): void {
  command
    .description(
      'Reads the session logs of this machine (or of a path) into the ledger, then indexes what is new. Sources are never changed.',
    )
    .option('--adapter <name>', 'only this source, as mnemonic sources lists it (aix-agents: all harnesses); may be repeated', collect)
    .option('--path <path>', 'a file (read whatever it is), or a folder searched through and through, instead of the usual places')
    .addOption(
      new Option(
        '--reread [path]',
        'read again what did not change, everywhere or at a path: fills in what an older version did not store',
      ).conflicts('path'),
    )
    .option('--no-embed', 'leave the vectors of what is new for later (mnemonic embed)')
    .option('--no-analyze', 'leave topics and decision flags of what is new for the next sync')
    .addHelpText('after', examples('sync', 'sync --adapter claude-code', 'sync --path ~/backup/claude-projects', 'sync --reread'))
    .action(({ adapter, path: asked, reread, embed, analyze }: Options) =>
      cli.run(async (mnemonic) => {
        const path = typeof reread === 'string' ? reread : asked
        const again = reread === undefined ? {} : { reread: true }
        const report = await cli.job((job) => mnemonic.sync({ ...given({ adapters: adapter, path }), ...again, embed, analyze, ...job }))
        cli.out.answer(report, () => formatSync(report))
        // With --json the warnings stand in the document, once.
        if (!cli.out.json) for (const warning of report.totals.warnings) cli.out.warn(warning)
        if (!cli.out.json && report.totals.found === 0 && report.totals.warnings.length === 0) cli.out.hint(nothingFound(path))
        return report.totals.quarantined > 0 || report.newly_failed_chunks > 0 ? 3 : 0
      }),
    )
}

/** A warning that names what was left out says more than this. */
function nothingFound(path: string | undefined): string {
  return path === undefined
    ? 'nothing found: mnemonic sources says where Mnemonic looks'
    : `nothing that Mnemonic reads in ${stripControls(path)}: mnemonic sources lists the formats`
}
