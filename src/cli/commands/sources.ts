/** `mnemonic sources`: what would be read, from where and how much. Imports nothing. */
import type { Command } from 'commander'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatSources } from '../format/sources.ts'

export function define(command: Command, cli: Cli): void {
  command
    .description('Says what a sync would read, from where and how much. Opens no source file and imports nothing.')
    .addHelpText('after', examples('sources', 'sources --json'))
    .action(() =>
      cli.run(async (mnemonic) => {
        const sources = await mnemonic.sources()
        cli.out.answer({ sources }, () => formatSources(sources, cli.out.style))
        if (!cli.out.json) for (const source of sources) for (const warning of source.warnings) cli.out.warn(`${source.name}: ${warning}`)
        if (sources.some((source) => source.waiting > 0)) cli.out.hint('import it: mnemonic sync')
        return 0
      }),
    )
}
