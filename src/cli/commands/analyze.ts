import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import type { AnalyzeOptions } from '../../library/index.ts'
import { collect, examples, once, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { formatAnalyzed, formatEstimate, formatTypes } from '../format/analyze.ts'

type Flags = Pick<AnalyzeOptions, 'limit' | 'since' | 'retry' | 'jobs' | 'session'> & {
  readonly type?: readonly string[]
  readonly dryRun?: true
}

export function analyze(command: Command, cli: Cli): void {
  command
    .description(
      'Reads everything that is stored, newest first, and finds what came of it and who and what it was about: by rules, unless config.yaml names a model. It says first what waits and what that costs. Stop it at any time: the next run goes on from there. Several may run at once.',
    )
    .option('--type <name>', 'only this analysis, by its name in mnemonic analyze types; may be repeated', collect)
    .option('--session <id>', 'only this session: id, label, or a unique prefix', once)
    .option('-n, --limit <n>', 'most runs of this call (default: all that wait)', wholeNumber(1_000_000_000))
    .option('--since <time>', 'only episodes that ended at this time or later: 2026-10-01, an ISO time, or "3 days ago"')
    .option('--dry-run', 'say what waits and what it would cost, and run nothing')
    .option('--retry', 'also what failed three times, and what rules did because a model did not answer')
    .option('--jobs <n>', 'calls of a model at the same time (default: analyze.concurrency)', wholeNumber(64))
    .addHelpText(
      'after',
      examples(
        'analyze --dry-run',
        'analyze',
        'analyze --type memory_extraction --since "30 days ago"',
        'analyze --session c010174c',
        'analyze types',
      ),
    )
    .action((flags: Flags) => run(cli, flags))
  types(command.command('types'), cli)
}

function run(cli: Cli, { type, dryRun, ...flags }: Flags): Promise<void> {
  return cli.run(async (mnemonic) => {
    const options = { ...given({ types: type, ...flags }), dryRun: dryRun === true }
    const report = await cli.job((job) =>
      mnemonic.analyze({
        ...options,
        ...job,
        onEstimate: (waiting) => {
          if (!dryRun && !cli.out.json && waiting.some(({ episodes }) => episodes > 0)) cli.out.hint(formatEstimate(waiting))
        },
      }),
    )
    cli.out.answer(report, () => cli.out.ours(formatAnalyzed(report, cli.out.columns)))
    cli.out.warnings(report.warnings)
    if (report.stopped !== null) cli.out.hint(`stopped: ${report.stopped}`)
    if (report.totals.failed > 0) cli.out.hint('why: mnemonic health; to try them again: mnemonic analyze --retry')
    return report.totals.failed > 0 || report.stopped !== null ? 3 : 0
  })
}

function types(command: Command, cli: Cli): void {
  command
    .description('Lists the analyses: which episodes each reads, whether rules or a model do it, and how many runs are done.')
    .addHelpText(
      'after',
      examples('analyze types', 'analyze types add --name risks --on agent_session --prompt risks.txt --facet risk="what may go wrong"'),
    )
    .action(() =>
      cli.run(async (mnemonic) => {
        const found = await mnemonic.analyses.types()
        cli.out.answer({ types: found }, () => formatTypes(found, cli.out.columns))
        return 0
      }),
    )
  add(command.command('add'), cli)
  remove(command.command('remove'), cli)
}

interface AddFlags {
  readonly name: string
  readonly on: readonly string[]
  readonly prompt: string
  readonly facet?: readonly string[]
  readonly model?: string
}

function add(command: Command, cli: Cli): void {
  command
    .summary('add an analysis of your own, or change it')
    .description(
      'Adds an analysis that asks the configured model: a prompt, and the facets that the model may give. If there is one of this name, it is changed.',
    )
    .requiredOption('--name <name>', 'lower-case letters, digits and _')
    .requiredOption(
      '--on <definition>',
      'which episodes it reads: a name that mnemonic episodes definitions lists; may be repeated',
      collect,
    )
    .requiredOption('--prompt <file>', 'the file that holds what the model is asked; the text of the episode follows it')
    .option('--facet <name=meaning>', 'a facet that the model may give; may be repeated; without any it answers in prose', collect)
    .option('--model <name>', 'a model of the configured provider, instead of the configured one')
    .addHelpText('after', examples('analyze types add --name risks --on agent_session --prompt risks.txt --facet risk="what may go wrong"'))
    .action(({ name, on, prompt, facet = [], model }: AddFlags) =>
      cli.run(async (mnemonic) => {
        const facets = Object.fromEntries(facet.map(facetOf))
        const added = await mnemonic.analyses.addType({ name, on, prompt: textOf(prompt), facets, ...given({ model }) })
        cli.out.answer(added, () => formatTypes([added], cli.out.columns))
        cli.out.hint(
          added.implementation === null ? 'it needs a model: analyze.provider in config.yaml' : `run it: mnemonic analyze --type ${name}`,
        )
        return 0
      }),
    )
}

function facetOf(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new MnemonicError('USAGE', `--facet ${JSON.stringify(text)} is not NAME=MEANING`)
  return [text.slice(0, at), text.slice(at + 1)]
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new MnemonicError('USAGE', `the prompt cannot be read: ${file}`, { details: { path: file }, cause })
  }
}

function remove(command: Command, cli: Cli): void {
  command
    .summary('remove an analysis of your own, with all that it found')
    .description('Removes an analysis that was added, with its runs and their facets. Those that are built in stay.')
    .argument('<name>', 'as mnemonic analyze types lists it')
    .action((name: string) =>
      cli.run(async (mnemonic) => {
        await mnemonic.analyses.removeType(name)
        cli.out.answer({ removed: name }, () => `removed: ${name}`)
        return 0
      }),
    )
}
