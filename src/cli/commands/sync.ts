import { type Command, Option } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { plural, stripControls } from '../../core/text.ts'
import type { Mnemonic, SourceInfo, SyncOptions, SyncReport } from '../../library/index.ts'
import { collect, examples, once } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatSources, isNowhere, whereFrom } from '../format/sources.ts'
import { formatSync, formatWatched, watchedLine } from '../format/sync.ts'

export function sources(command: Command, cli: Cli): void {
  command
    .description('Lists the sources that a sync would read, with their paths and sizes. Opens no source file and imports nothing.')
    .addHelpText('after', examples('sources', 'sources --json', 'sources enable imessage', 'sources disable cursor'))
    .action(() =>
      cli.run(async (mnemonic) => {
        const [found, timer] = [await mnemonic.sources.list(), await mnemonic.installing.timer()]
        cli.out.answer({ sources: found, timer }, () => cli.out.ours(formatSources(found, timer, cli.out.style)))
        for (const { name, warnings } of found) cli.out.warnings(warnings.map((warning) => `${name}: ${warning}`))
        if (found.some((source) => source.waiting > 0)) cli.out.hint('import it: mnemonic sync')
        return 0
      }),
    )
  defineSwitch(command, cli, { verb: 'enable', enabled: true, summary: 'every sync reads this source from now on' })
  defineSwitch(command, cli, { verb: 'disable', enabled: false, summary: 'no sync reads this source unless --adapter names it' })
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
    .argument('<name>', 'the name of a source, as mnemonic sources lists it')
    .addHelpText('after', examples(`sources ${verb} chatgpt`))
    .action((name: string) =>
      cli.run(async (mnemonic) => {
        const done = await mnemonic.sources.setEnabled(name, enabled)
        const state = `${done.name} is ${done.enabled ? 'on' : 'off'}${done.changed ? '' : ' already'} (${stripControls(done.config)})`
        cli.out.answer(done, () => state)
        if (done.enabled && done.changed) cli.out.hint(await afterEnabling(mnemonic, name))
        return 0
      }),
    )
}

async function afterEnabling(mnemonic: Mnemonic, name: string): Promise<string> {
  const source = await sourceCalled(mnemonic, name)
  if (source === undefined || !isNowhere(source)) return 'import it: mnemonic sync'
  const [first] = source.places
  return `${first === undefined ? 'it has no folder of its own' : `${stripControls(first.path)} is not there`}; ${whereFrom(name)}`
}

async function sourceCalled(mnemonic: Mnemonic, name: string): Promise<SourceInfo | undefined> {
  return (await mnemonic.sources.list()).find((source) => source.name === name)
}

interface SyncFlags {
  readonly adapter?: readonly string[]
  readonly path?: string
  readonly reread?: true | string
  readonly embed: boolean
  readonly analyze: boolean
  readonly watch?: true
}

export function sync(command: Command, cli: Cli): void {
  command
    .description(
      'Imports the session logs of this machine, and the messages, mail, calendars and address books that you switched on or name, then indexes what is new. Sources are never changed.',
    )
    .option('--adapter <name>', 'only this source, by its name in mnemonic sources (aix-agents: all harnesses); may be repeated', collect)
    .option(
      '--path <path>',
      'read this file, or all files below this folder, instead of the default paths; /dev/stdin with --adapter gmail reads a pipe',
      once,
    )
    .option(
      '--reread [path]',
      'read unchanged files again (all, or those below a path, given here or with --path), to add what an older version did not store',
    )
    .addOption(new Option('--watch', 'go on until Ctrl-C, and sync whenever a source writes something').conflicts(['path', 'reread']))
    .option('--no-embed', 'compute no vectors now; mnemonic embed does it later')
    .option('--no-analyze', 'leave topics, decisions, people and facts to the next sync')
    .addHelpText(
      'after',
      examples(
        'sync',
        'sync --adapter claude-code',
        'sync --path ~/backup/claude-projects',
        'sync --path "Takeout/Mail/All mail Including Spam and Trash.mbox"',
        'sync --adapter calendar --path Takeout/Calendar',
        'sync --reread',
        'sync --watch',
      ),
    )
    .action(({ adapter, path: asked, reread, embed, analyze, watch }: SyncFlags) =>
      cli.run(async (mnemonic) => {
        if (watch === true) return follow(mnemonic, cli, { ...given({ adapters: adapter }), embed, analyze })
        const path = pathOf(reread, asked)
        const again = reread === undefined ? {} : { reread: true }
        const report = await cli.job((job) => mnemonic.sync({ ...given({ adapters: adapter, path }), ...again, embed, analyze, ...job }))
        cli.out.answer(report, () => formatSync(report, cli.out.columns))
        cli.out.warnings(report.totals.warnings)
        if (report.published > 0) cli.out.hint(`${plural(report.published, 'session')} published`)
        const named = adapter?.length === 1 ? adapter[0] : undefined
        if (!cli.out.json && report.totals.found === 0 && !isReading(report, adapter) && report.totals.warnings.length === 0)
          cli.out.hint(await nothingFound(mnemonic, path, named))
        return report.totals.quarantined > 0 || report.newly_failed_chunks > 0 ? 3 : 0
      }),
    )
}

/** `aix-events` and `calendar-series` read the ledger, so no total counts what they found. */
function isReading({ adapters }: SyncReport, named: readonly string[] = []): boolean {
  return adapters.some(({ name, found }) => named.includes(name) && found > 0)
}

function pathOf(reread: SyncFlags['reread'], asked: string | undefined): string | undefined {
  if (typeof reread !== 'string' || asked === undefined || reread === asked) return typeof reread === 'string' ? reread : asked
  throw new MnemonicError('USAGE', `--reread ${reread} and --path ${asked} name two places`, {
    details: { option: '--reread' },
    hint: 'Name one of them: --reread --path PATH.',
  })
}

/** Prints a line for each sync that found something. Ctrl-C is the normal end, with exit code 0. */
async function follow(mnemonic: Mnemonic, cli: Cli, options: Pick<SyncOptions, 'adapters' | 'embed' | 'analyze'>): Promise<0> {
  const { out, io } = cli
  const watching = cli.job((job) =>
    mnemonic.watch({
      ...options,
      ...job,
      onPlace({ path, how, why }) {
        if (how === 'polled') out.warn(`${path} cannot be watched (${why}): it is looked at every 30 seconds`)
        if (how === 'watched' && !out.json) out.hint(`watching ${stripControls(path)}`)
      },
      onSync(report) {
        const line = watchedLine(report, new Date())
        io.stdout.write(out.json ? `${JSON.stringify(line)}\n` : `${formatWatched(line)}\n`)
        out.warnings(report.totals.warnings)
      },
    }),
  )
  await watching.catch((error: unknown) => {
    if (cli.aborted === undefined || (error as { code?: unknown }).code !== 'INTERRUPTED') throw error
  })
  return 0
}

async function nothingFound(mnemonic: Mnemonic, path: string | undefined, adapter: string | undefined): Promise<string> {
  const reader = adapter === undefined ? 'Mnemonic' : `the source ${adapter}`
  if (path !== undefined) return `nothing in ${stripControls(path)} that ${reader} can read; to see the formats: mnemonic sources`
  const source = adapter === undefined ? undefined : await sourceCalled(mnemonic, adapter)
  return source !== undefined && isNowhere(source)
    ? `nothing found; ${whereFrom(source.name)}`
    : 'nothing found; to see where Mnemonic looks: mnemonic sources'
}
