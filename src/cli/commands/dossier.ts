import type { Command } from 'commander'
import { given } from '../../core/given.ts'
import { plural } from '../../core/text.ts'
import type { ListedDossier } from '../../library/index.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { asData } from '../format/as-data.ts'
import { printable } from '../format/printable.ts'

interface Flags {
  readonly topic?: string
  readonly project?: string
  readonly howTo?: string
  readonly force?: true
  readonly list?: true
}

export function dossier(command: Command, cli: Cli): void {
  command
    .description(
      'Writes what is known of a person, a project, a topic, or of how something was fixed, into <workspace>/dossiers: every sentence with the message that says so. A dossier that you edited is never overwritten: the new one is written beside it, as NAME.new.md.',
    )
    .argument('[name...]', 'a person, project or thing: a name, an address, or an id')
    .option('--topic <topic>', 'what was decided, preferred and promised about a topic')
    .option('--project <name>', 'the same within a project: its name, a path, a remote, or . for this folder')
    .option('--how-to <what>', 'how something that failed was made to pass: a session, or words that find one')
    .option('--force', 'overwrite one that you edited, after a copy of it')
    .option('--list', 'list the dossiers that are there, and which of them are stale')
    .addHelpText(
      'after',
      examples(
        'dossier Sarah',
        'dossier --project . --force',
        'dossier --topic telemetry',
        'dossier --how-to "migration failed"',
        'dossier --list',
      ),
    )
    .action((words: string[], { list, topic, project, howTo, force }: Flags) =>
      cli.run(async (mnemonic) => {
        if (list) {
          const found = await mnemonic.dossiers.list()
          cli.out.answer({ dossiers: found }, () => asData(cli.out, found.map(line).join('\n')))
          if (found.length === 0) cli.out.hint('there is no dossier yet; to write one: mnemonic dossier NAME')
          return 0
        }
        const entity = words.length === 0 ? undefined : words.join(' ')
        const made = await mnemonic.dossiers.make(given({ entity, topic, project, howTo, force, agent: cli.agent() }))
        cli.out.answer(made, () => asData(cli.out, `${printable(made.path)}  ${made.state}, ${plural(made.sentences, 'sentence')}`))
        cli.out.warnings(made.warnings)
        if (made.state === 'kept')
          cli.out.hint('you edited the one that is there: the new one stands beside it; --force writes over yours, after a copy')
        return 0
      }),
    )
}

function line({ path, kind, stale, edited }: ListedDossier): string {
  return `${printable(path)}  ${[kind, stale ? 'stale' : 'fresh', ...(edited ? ['edited'] : [])].join(', ')}`
}
