/** `mnemonic sources`: what would be read, from where and how much; and which sources are on. Imports nothing. */
import type { Command } from 'commander'
import { stripControls } from '../../core/text.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatSources } from '../format/sources.ts'

export function define(command: Command, cli: Cli): void {
  command
    .description('Says what a sync would read, from where and how much. Opens no source file and imports nothing.')
    .addHelpText('after', examples('sources', 'sources --json', 'sources enable chatgpt', 'sources disable cursor'))
    .action(() =>
      cli.run(async (mnemonic) => {
        const sources = await mnemonic.sources.list()
        cli.out.answer({ sources }, () => formatSources(sources, cli.out.style))
        if (!cli.out.json) for (const source of sources) for (const warning of source.warnings) cli.out.warn(`${source.name}: ${warning}`)
        if (sources.some((source) => source.waiting > 0)) cli.out.hint('import it: mnemonic sync')
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
