import type { Command } from 'commander'
import { given } from '../../core/given.ts'
import { plural, stripControls } from '../../core/text.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { asData } from '../format/as-data.ts'
import { table } from '../format/layout.ts'

export function projects(command: Command, cli: Cli): void {
  command
    .description(
      'Repositories with their worktrees and clones, else folders. Clones are joined by their remote and by the commits that git printed in their sessions; you join others.',
    )
    .addHelpText('after', examples('projects', 'projects merge work/harbor github.com/ada/harbor', 'projects unmerge work/harbor'))
  command
    .command('list', { isDefault: true })
    .description('Lists projects, the last used first.')
    .addHelpText('after', examples('projects list', 'projects list --json'))
    .action(() =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.projects.list(given({ agent: cli.agent() }))
        cli.out.answer(answer, () => {
          if (answer.projects.length === 0) return ''
          const rows = answer.projects.map(({ name, key, folders, sessions, last }) => [
            ...[stripControls(name), sessions.toLocaleString('en-US'), plural(folders.length, 'folder')],
            ...[last?.slice(0, 10) ?? '', stripControls(key)],
          ])
          const columns = [{ title: 'project' }, { title: 'sessions', right: true }, { title: 'folders', right: true }]
          return asData(cli.out, table([...columns, { title: 'last' }, { title: 'remote or folder' }], rows))
        })
        if (answer.projects.length === 0) cli.out.hint('no session is of a project yet; to import sessions: mnemonic sync')
        return 0
      }),
    )
  command
    .command('merge')
    .description(
      'Says that two projects are one: all sessions of the first are shown and found as those of the second. Every sync keeps to it.',
    )
    .argument('<project>', 'its name, its remote, or its folder')
    .argument('<into>', 'the project that it is')
    .addHelpText('after', examples('projects merge work/harbor github.com/ada/harbor'))
    .action((one: string, other: string) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.projects.merge(one, other)
        cli.out.answer(answer, () => `${stripControls(answer.merged.from)} is ${stripControls(answer.merged.into)}`)
        return 0
      }),
    )
  command
    .command('unmerge')
    .description('Takes a merge back; a folder that was joined by its commits becomes a project of its own.')
    .argument('<project>', 'the name, remote or folder that is part of another project')
    .addHelpText('after', examples('projects unmerge work/harbor'))
    .action((name: string) =>
      cli.run(async (mnemonic) => {
        const answer = await mnemonic.projects.unmerge(name)
        cli.out.answer(answer, () => `${stripControls(answer.unmerged.from)} is not ${stripControls(answer.unmerged.into)}`)
        return 0
      }),
    )
}
