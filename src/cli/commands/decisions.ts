import type { Command } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { escapeMarks, markMemory, NOTICE } from '../../core/marked-text.ts'
import type { DecisionsRequest } from '../../library/index.ts'
import { examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatDecisions } from '../format/decisions.ts'

interface Flags {
  readonly project?: string
  readonly after?: string
  readonly before?: string
  readonly asOf?: string
  readonly preferences?: true
  readonly all?: true
  readonly limit: number
}

export function decisions(command: Command, cli: Cli): void {
  command
    .description(
      'Shows what was decided, newest first: what holds now, and below it what it replaced, each with who said it when and where. A sync finds decisions by rules; what is not surely about the same is listed side by side. If the history has two of them wrong, "decisions separate A B" says that neither replaces the other, "decisions join A B" that the later one does; both stay.',
    )
    .argument('[subject...]', 'what it is about: "telemetry"; or: separate A B, join A B')
    .option('--project <name>', 'only of this project: its name, a path, a remote, or . for this folder')
    .option('--after <time>', 'only what was decided from this time on: 2026-10-01, or "3 days ago"')
    .option('--before <time>', 'only what was decided before this time')
    .option('--as-of <time>', 'what held at that time')
    .option('--preferences', 'what you prefer, and your standing rules, instead of decisions')
    .option('--all', 'also what other people decided, not only you and your agents')
    .option('-n, --limit <n>', 'most lines to print', wholeNumber(10_000), 20)
    .addHelpText(
      'after',
      examples(
        'decisions',
        'decisions telemetry',
        'decisions --as-of 2026-01-31 retry policy',
        'decisions --preferences',
        'decisions separate d:3f2a1c9d d:77b01e42',
      ),
    )
    .action((words: string[], flags: Flags) =>
      cli.run(async (mnemonic) => {
        const [verb, a, b] = words
        if ((verb === 'separate' || verb === 'join') && words.slice(1).every(isId)) {
          if (a === undefined || b === undefined || words.length > 3) throw twoNeeded(verb)
          const pair = await (verb === 'join' ? mnemonic.joinDecisions(a, b) : mnemonic.separateDecisions(a, b))
          cli.out.answer(pair, () =>
            verb === 'join' ? 'The later one replaces the earlier one now.' : 'Neither of them replaces the other now.',
          )
          return 0
        }
        const asked: DecisionsRequest = given({ ...flags, subject: words.length === 0 ? undefined : words.join(' '), agent: cli.agent() })
        const found = await mnemonic.decisions(asked)
        const printed = () => formatDecisions(found, cli.out.width, cli.out.style)
        cli.out.answer(found, () => (cli.out.forAgent && found.total > 0 ? `${NOTICE}\n${markMemory(escapeMarks(printed()))}` : printed()))
        if (found.total === 0) cli.out.hint(nothing(asked))
        else if (found.total > found.lines.length) cli.out.hint(`${found.lines.length} of ${found.total}: raise --limit, or name a subject`)
        return 0
      }),
    )
}

function isId(text: string): boolean {
  return /^(?:d:|derived:)\S+$|^\S+:\d+$/.test(text)
}

function twoNeeded(verb: string): MnemonicError {
  return new MnemonicError('USAGE', `${verb} takes two decisions`, {
    details: { command: verb },
    hint: `mnemonic decisions ${verb} A B, with ids as mnemonic decisions prints them`,
  })
}

function nothing({ limit: _, agent: __, ...filters }: DecisionsRequest): string {
  return Object.keys(filters).length > 0
    ? 'no decision passes these filters; to search everything that was said: mnemonic search'
    : 'no decision was found yet; to import what is new: mnemonic sync'
}
