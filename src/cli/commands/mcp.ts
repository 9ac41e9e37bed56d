/** `mnemonic mcp`: the memory as tools for any agent, over stdin and stdout, until the agent ends. */
import type { Command } from 'commander'
import { given } from '../../core/given.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'

export function mcp(command: Command, cli: Cli): void {
  command
    .description(
      'Serves memory_search, session_search, memory_get, session_list and memory_status to an agent over stdio (Model Context Protocol). The agent starts it; it syncs in the background.',
    )
    .option('--no-sync', 'do not sync in the background')
    .option('--structured', 'for programs: answers as structured content too, with output schemas')
    .addHelpText('after', examples('mcp', 'mcp --no-sync', 'mcp --structured'))
    .action(({ sync, structured }: { readonly sync: boolean; readonly structured?: true }) =>
      cli.run(async (mnemonic) => {
        const { serveMcp, syncThread } = await import('../../mcp/serve.ts')
        const { home, workspace } = mnemonic.paths
        const thread = syncThread({ home, workspace, ...given({ agent: cli.agent() }) })
        // The streams of the process, not those of `cli.io`: the protocol needs both ends of them.
        const { stdin, stdout } = process
        await serveMcp({
          mnemonic,
          structured: structured === true,
          stdin,
          stdout,
          signal: cli.io.signal(),
          ...given({ sync: sync ? thread : undefined }),
        })
        return 0
      }),
    )
}
