import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import type { InstallReport } from '../../library/index.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatHarnesses, formatInstalled } from '../format/install.ts'

interface InstallFlags {
  readonly dryRun?: boolean
  readonly plugin?: true | string
}

export function install(command: Command, cli: Cli): void {
  command
    .argument('[names...]', 'claude-code, codex, cursor, opencode, gemini-cli, openclaw, timer; without one, what is installed is listed')
    .option('--dry-run', 'print what would change, line by line; change nothing')
    .addOption(new Option('--plugin [dir]', 'claude-code: write a plugin folder instead (default: claude-code-plugin in the home)'))
    .description(
      'Registers MCP server and hooks in the configuration of a harness. A copy of each file is kept beside it; comments and order stay; a second run changes nothing. timer: sync every hour.',
    )
    .addHelpText(
      'after',
      examples('install', 'install claude-code --dry-run', 'install claude-code codex timer', 'install claude-code --plugin'),
    )
    .action((names: string[], { dryRun = false, plugin }: InstallFlags) => {
      if (plugin !== undefined) return writePlugin(cli, names, { dryRun, folder: plugin === true ? undefined : resolve(plugin) })
      return names.length === 0 ? list(cli) : intoHarnesses(cli, names, dryRun)
    })
}

function list(cli: Cli): Promise<void> {
  return cli.run(async ({ installing }) => {
    const harnesses = await installing.harnesses()
    cli.out.answer({ harnesses }, () => cli.out.ours(formatHarnesses(harnesses)))
    cli.out.warnings(harnesses.flatMap(({ warnings }) => warnings))
    return 0
  })
}

function intoHarnesses(cli: Cli, names: readonly string[], dryRun: boolean): Promise<void> {
  return cli.run(async ({ installing }) => {
    const reports = await eachChecked(names, dryRun, (name, dry) => installing.install(name, { dryRun: dry }))
    cli.out.answer({ reports }, () => reports.map((report) => formatInstalled(report)).join('\n\n'))
    return 0
  })
}

/** `--plugin` takes the next word as its folder, so harness names come first. */
async function writePlugin(cli: Cli, names: readonly string[], { dryRun, folder }: { dryRun: boolean; folder: string | undefined }) {
  if (names.length !== 1 || names[0] !== 'claude-code') {
    throw new MnemonicError('USAGE', '--plugin is for claude-code alone', { hint: 'Run: mnemonic install claude-code --plugin [DIR]' })
  }
  await cli.run(async ({ installing }) => {
    const report = await installing.plugin({ dryRun, ...given({ folder }) })
    cli.out.answer({ reports: [report] }, () => formatInstalled(report))
    return 0
  })
}

/** Plans all before changing the first, so that an error leaves all unchanged. */
export async function eachChecked(
  names: readonly string[],
  dryRun: boolean,
  change: (name: string, dryRun: boolean) => Promise<InstallReport>,
): Promise<InstallReport[]> {
  const planned: InstallReport[] = []
  for (const name of new Set(names)) planned.push(await change(name, true))
  if (dryRun) return planned
  const done: InstallReport[] = []
  for (const name of new Set(names)) done.push(await change(name, false))
  return done
}
