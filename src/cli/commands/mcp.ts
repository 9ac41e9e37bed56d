import type { Command } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'

interface Flags {
  readonly sync: boolean
  readonly structured?: true
  readonly tools?: string
}

export function mcp(command: Command, cli: Cli): void {
  command
    .description(
      'Serves the memory to an agent over stdio (Model Context Protocol): tools to search, read, list, remember and plan to forget, resources and prompts. The agent starts it; it syncs in the background.',
    )
    .option('--no-sync', 'do not sync in the background')
    .option('--tools <names>', 'only these tools, with commas between: memory_search,memory_get')
    .option('--structured', 'for programs: answers as structured content too, with output schemas')
    .addHelpText('after', examples('mcp', 'mcp --no-sync', 'mcp --tools memory_search,memory_get', 'mcp --structured'))
    .action(({ sync, structured, tools }: Flags) =>
      cli.run(async (mnemonic) => {
        const { checkedTools, serveMcp, syncThread } = await import('../../mcp/serve.ts')
        if (mnemonic.agent === 'all')
          throw new MnemonicError('USAGE', 'an agent is served one memory, not all of them', {
            hint: 'Name whose: mnemonic mcp --agent main',
          })
        const chosen = tools === undefined ? undefined : checkedTools(tools.split(',').map((name) => name.trim()))
        const { home, workspace } = mnemonic.paths
        const thread = syncThread({ home, workspace, ...given({ agent: cli.agent() }) })
        // Not the streams of `cli.io`: the protocol needs both ends of the real ones.
        const { stdin, stdout } = process
        await serveMcp({
          mnemonic,
          structured: structured === true,
          stdin,
          stdout,
          signal: cli.io.signal(),
          ...given({ sync: sync ? thread : undefined, tools: chosen }),
        })
        return 0
      }),
    )
}
