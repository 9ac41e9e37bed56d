/** What is read, and reading it: sources, sync. */
import { type Command, Option } from 'commander'
import { given } from '../../core/given.ts'
import { stripControls } from '../../core/text.ts'
import { collect, examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatSources } from '../format/sources.ts'
import { formatSync } from '../format/sync.ts'

/** `mnemonic sources`: what would be read, from where and how much; and which sources are on. Imports nothing. */
export function sources(command: Command, cli: Cli): void {
  command
    .description('Says what a sync would read, from where and how much. Opens no source file and imports nothing.')
    .addHelpText('after', examples('sources', 'sources --json', 'sources enable chatgpt', 'sources disable cursor'))
    .action(() =>
      cli.run(async (mnemonic) => {
        const found = await mnemonic.sources.list()
        cli.out.answer({ sources: found }, () => formatSources(found, cli.out.style))
        for (const { name, warnings } of found) cli.out.warnings(warnings.map((warning) => `${name}: ${warning}`))
        if (found.some((source) => source.waiting > 0)) cli.out.hint('import it: mnemonic sync')
        return 0
      }),
    )
  defineSwitch(command, cli, { verb: 'enable', enabled: true, summary: 'from now on every sync reads this source' })
  defineSwitch(command, cli, { verb: 'disable', enabled: false, summary: 'no sync reads this source, unless --adapter names it' })
}

interface Switch {
  readonly verb: string
  readonly enabled: boolean
  readonly summary: string
}

function defineSwitch(command: Command, cli: Cli, { verb, enabled, summary }: Switch): void {
  command
    .command(verb)
    .summary(summary)
    .description(`Writes into config.yaml: ${summary}. What is imported already stays.`)
    .argument('<name>', 'a source, as mnemonic sources lists it')
    .addHelpText('after', examples(`sources ${verb} chatgpt`))
    .action((name: string) =>
      cli.run(async (mnemonic) => {
        const done = await mnemonic.sources.setEnabled(name, enabled)
        const state = `${done.name} is ${done.enabled ? 'on' : 'off'}${done.changed ? '' : ' already'} (${stripControls(done.config)})`
        cli.out.answer(done, () => state)
        if (done.enabled && done.changed) cli.out.hint('import it: mnemonic sync')
        return 0
      }),
    )
}

interface SyncFlags {
  readonly adapter?: readonly string[]
  readonly path?: string
  readonly reread?: true | string
  readonly embed: boolean
  readonly analyze: boolean
}

/** `mnemonic sync`: imports what is new and indexes it. */
export function sync(command: Command, cli: Cli): void {
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
    .action(({ adapter, path: asked, reread, embed, analyze }: SyncFlags) =>
      cli.run(async (mnemonic) => {
        const path = typeof reread === 'string' ? reread : asked
        const again = reread === undefined ? {} : { reread: true }
        const report = await cli.job((job) => mnemonic.sync({ ...given({ adapters: adapter, path }), ...again, embed, analyze, ...job }))
        cli.out.answer(report, () => formatSync(report))
        cli.out.warnings(report.totals.warnings)
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
