import { Argument, type Command } from 'commander'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { describeCommands } from '../completion/commands.ts'
import { bashScript, fishScript, zshScript } from '../completion/scripts.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

const INSTALL = `
Install it:
  bash  mnemonic completion bash > ~/.local/share/bash-completion/completions/mnemonic
  zsh   mnemonic completion zsh > "\${fpath[1]}/_mnemonic"        (then start a new shell)
  fish  mnemonic completion fish > ~/.config/fish/completions/mnemonic.fish
Or only for this shell:
  bash  source <(mnemonic completion bash)`

export function completion(command: Command, cli: Cli): void {
  command
    .description('Prints a script that completes commands, options and their values in your shell.')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', INSTALL)
    .addHelpText('after', examples('completion bash', 'completion fish --json'))
    .action((shell: keyof typeof SCRIPTS) => {
      const script = SCRIPTS[shell](describeCommands(command.parent ?? command))
      cli.out.answer({ shell, script }, () => script)
    })
}
