import { realpathSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { given } from '../../core/given.ts'
import { stripControls } from '../../core/text.ts'
import type { SkillsReport } from '../../library/index.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'

interface Flags {
  readonly role?: string
  readonly dryRun?: true
}

export function skills(command: Command, cli: Cli): void {
  command
    .description('Folders of instructions and scripts for agents that work in a shell.')
    .addHelpText('after', examples('skills write', 'skills write --dry-run --json'))
  command
    .command('write')
    .description(
      'Writes skills/cortex/ for the roles memory-reader and memory-writer: SKILL.md, SCHEMA.md of this database, QUERIES.md, cortex-search.sh, DB_PATH, and for the writer cortex-write.sh, which proposes and never changes. What was added to them stays.',
    )
    .argument('[dir]', 'the folder below which they are written (default: the workspace, for another agent than main its folder there)')
    .addOption(
      new Option('--role <role>', 'only this one, in skills/cortex/ right below the folder').choices(['memory-reader', 'memory-writer']),
    )
    .option('--dry-run', 'print what would be written; change nothing')
    .addHelpText('after', examples('skills write', 'skills write ~/.claude --role memory-reader', 'skills write --dry-run --json'))
    .action((dir: string | undefined, { role, dryRun }: Flags) =>
      cli.run(async (mnemonic) => {
        const program = [process.execPath, realpathSync(process.argv[1] ?? '')]
        const report = await mnemonic.writeSkills({ program, ...given({ dir, role, dryRun }) })
        cli.out.answer(report, () => formatSkills(report))
        for (const { path, kept_as } of report.skills.flatMap(({ files }) => files))
          if (kept_as !== null) cli.out.warn(`${path} had been edited; as it was, it is ${kept_as} beside it`)
        return 0
      }),
    )
}

function formatSkills({ skills: all, dry_run }: SkillsReport): string {
  return all
    .map(({ role, folder, files }) => {
      const count = (status: string) => files.filter((file) => file.status === status).length
      const parts = [
        [count('written') + count('kept'), dry_run ? 'to write' : 'written'],
        [count('unchanged'), 'unchanged'],
        [count('removed'), dry_run ? 'to remove' : 'removed'],
      ] as const
      return `${role}: ${stripControls(folder)} (${parts.flatMap(([n, word]) => (n > 0 ? [`${n} ${word}`] : [])).join(', ')})`
    })
    .join('\n')
}
