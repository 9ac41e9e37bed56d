import { type Command, Option } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import type { ForgetReport, ForgetRequest, Mnemonic } from '../../library/index.ts'
import { examples } from '../arguments.ts'
import type { Cli, ExitCode } from '../cli.ts'
import { formatPlan, formatReceipt, isEmptyPlan } from '../format/forget.ts'
import { numbered } from '../last-answer.ts'

interface Options extends Omit<ForgetRequest, 'signal' | 'onProgress'> {
  readonly dryRun?: true
  readonly yes?: true
  readonly resume?: true
}

const SELECTORS = ['session', 'turn', 'event', 'episode', 'thread', 'contact', 'entity', 'match', 'before'] as const
const NUMBERED = ['session', 'turn', 'event', 'episode', 'thread'] as const

export function forget(command: Command, cli: Cli): void {
  const selector = (flags: string, text: string, name: string) =>
    command.addOption(new Option(flags, text).conflicts([...SELECTORS.filter((other) => other !== name), 'resume']))
  selector('--session <id>', 'a whole session: id, label, or a unique prefix', 'session')
  selector('--turn <id>', 'one turn', 'turn')
  selector('--event <id>', 'one message, mail or meeting', 'event')
  selector('--episode <id>', 'what people wrote in one go, as a search shows it: e:3f2a1c9d', 'episode')
  selector('--thread <id>', 'a whole chat, mail thread or series of meetings, by its id or that of anything in it', 'thread')
  selector(
    '--contact <who>',
    'a person, by address, number or whole name: what they wrote, what was written to them alone, their names',
    'contact',
  )
  selector('--entity <name>', 'a person or thing, with all that the graph says about it', 'entity')
  selector('--match <text>', 'every record that contains this text', 'match')
  selector('--before <date>', 'everything said before this day; what has no time stays', 'before')
  command
    .addOption(
      new Option('--with-subagents', 'with --session: the subagents that it started too').conflicts([
        ...SELECTORS.filter((name) => name !== 'session'),
        'resume',
      ]),
    )
    .addOption(new Option('--whole <what>', 'with --match: the whole turn or session that contains the text').choices(['turn', 'session']))
    .addOption(new Option('--resume', 'finish a forgetting that was interrupted').conflicts(['dryRun', 'whole']))
    .option('--dry-run', 'print what would be removed; change nothing')
    .option('--yes', 'do not ask')
    .option('--reason <text>', 'why, in a word or two; it is kept with the tombstone')
    .description(
      'Removes something from the ledger, index, vectors, caches, published files, exports and backups, keeps it from coming back, and reads every byte under home and workspace to prove that it is gone: in all common encodings, compressed files and git histories. What still holds it, and what could not be read (encrypted files, PDF, xz, 7z, rar), is named. Sources, remotes and other copies are not touched.',
    )
    .addHelpText(
      'after',
      examples(
        'forget --match "Project Bluebird" --dry-run',
        'forget --session c462ede4',
        'forget --thread 1',
        'forget --before 2025-01-01 --yes',
      ),
    )
    .action((options: Options) => cli.run((mnemonic) => run(cli, mnemonic, options)))
}

async function run(cli: Cli, mnemonic: Mnemonic, { yes, resume, dryRun, ...options }: Options): Promise<ExitCode> {
  if (resume) return resumed(cli, mnemonic)
  const named = NUMBERED.map((name) => [name, options[name] === undefined ? undefined : numbered(cli, mnemonic, options[name])])
  const request: ForgetRequest = given({ ...options, ...Object.fromEntries(named) })
  if (SELECTORS.every((name) => options[name] === undefined)) {
    throw new MnemonicError('USAGE', 'say what to forget', { hint: `Give one of ${SELECTORS.map((name) => `--${name}`).join(', ')}.` })
  }
  if (!dryRun && !yes && cli.io.ask === undefined) {
    throw new MnemonicError('USAGE', 'there is no terminal to ask at', { hint: 'Look first with --dry-run, then add --yes.' })
  }
  if (dryRun || !yes) {
    const plan = await mnemonic.planForget(request)
    if (dryRun) {
      cli.out.answer(plan, () => formatPlan(plan))
      return 0
    }
    cli.io.stderr.write(`${formatPlan(plan)}\n`)
    const question = isEmptyPlan(plan) ? 'Search the files for leftovers anyway? [y/N] ' : 'Remove it for good? [y/N] '
    if (!/^y(es)?$/i.test(((await cli.io.ask?.(question)) ?? '').trim())) {
      cli.out.hint('nothing was changed')
      return 0
    }
  }
  const code = finish(cli, await cli.job((job) => mnemonic.forget({ ...request, ...job })))
  if (request.contact !== undefined)
    cli.out.hint('what others wrote stays, also where it quotes or names them; to look for it: mnemonic forget --match ADDRESS --dry-run')
  return code
}

async function resumed(cli: Cli, mnemonic: Mnemonic): Promise<ExitCode> {
  const report = await cli.job((job) => mnemonic.resumeForgetting(job))
  if (report !== undefined) return finish(cli, report)
  cli.out.answer({ status: 'nothing_to_do' }, () => 'There was nothing to finish.')
  return 0
}

function finish(cli: Cli, report: ForgetReport): ExitCode {
  cli.out.answer(report, () => formatReceipt(report))
  cli.out.warnings(report.warnings)
  return report.status === 'still_held' || report.backups.some(({ status }) => status === 'failed') ? 3 : 0
}
