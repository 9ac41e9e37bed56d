import type { Command } from 'commander'
import { Option } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { grouped, plural } from '../../core/text.ts'
import type { ForkContext, ForkHarness, ForkRequest, Mnemonic } from '../../library/index.ts'
import { collect, examples, once, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'

const MOST_TURNS = 50
const MOST_TOKENS = 1_000_000

interface Options {
  readonly query?: string
  readonly also?: readonly string[]
  readonly maxTurns?: number
  readonly maxTokens?: number
  readonly session?: string
  readonly into?: ForkHarness
  readonly folder?: string
  readonly format?: 'markdown' | 'json'
  readonly out?: string
}

export function fork(command: Command, cli: Cli): void {
  command
    .description(
      'Gathers the turns of earlier sessions that bear on a question, with what they depend on and what holds today, within a budget of tokens: as a cited text to paste, as JSON, or as a new session that a harness resumes.',
    )
    .requiredOption('--query <text>', 'what the next session is about', once)
    .option('--also <text>', 'another way to say it; several are fused (repeatable)', collect)
    .option('--max-turns <n>', 'most turns (default: 10, or as many as --max-tokens has room for)', wholeNumber(MOST_TURNS))
    .option(
      '--max-tokens <n>',
      'most tokens of the whole, by o200k (default: 2500, or 250 for each of --max-turns)',
      wholeNumber(MOST_TOKENS),
    )
    .option('--session <id>', 'only turns of this session', once)
    .addOption(new Option('--into <harness>', 'write a session that it can resume').choices(['claude-code', 'codex', 'pi']))
    .option('--folder <dir>', 'with --into: where the session goes on (default: the current folder)', once)
    .addOption(new Option('--format <format>', 'of what is printed (default: markdown)').choices(['markdown', 'json']))
    .option('--out <file>', 'write it there instead', once)
    .addHelpText(
      'after',
      examples(
        'fork --query "retry policy of the webhooks"',
        'fork --query "slow login" --also "auth latency" --max-tokens 4000',
        'fork --query "release notes" --session c010174c --format json',
        'fork --query "retry policy" --into claude-code',
      ),
    )
    .action((options: Options) => cli.run((mnemonic) => forked(mnemonic, cli, options)))
}

async function forked(mnemonic: Mnemonic, cli: Cli, options: Options): Promise<0> {
  const { query = '', also, maxTurns, maxTokens, session, into, folder, format, out } = options
  const request: ForkRequest = { query, ...given({ also, maxTurns, maxTokens, session, agent: cli.agent() }) }
  if (into !== undefined) {
    if (format !== undefined) throw together('--into', '--format')
    return intoHarness(mnemonic, cli, { ...request, into, ...given({ folder, out }) })
  }
  if (folder !== undefined) throw together('--folder', 'a fork without --into')
  const json = format === 'json' || (format === undefined && cli.out.json)
  if (out !== undefined) {
    const written = await mnemonic.writeFork({ ...request, format: json ? 'json' : 'markdown', out })
    cli.out.answer(written, () => `${written.path}\n${sizeOf(written)}`)
    return hinted(cli, written)
  }
  if (json) {
    const context = await mnemonic.buildForkContext(request)
    if (cli.out.json) cli.out.answer(context, () => '')
    else cli.io.stdout.write(`${JSON.stringify(context)}\n`)
    return hinted(cli, context)
  }
  const { text, ...context } = await mnemonic.forkText(request)
  cli.out.answer({ ...context, text }, () => text)
  if (text !== '') cli.out.hint(sizeOf(context))
  return hinted(cli, context)
}

async function intoHarness(mnemonic: Mnemonic, cli: Cli, request: Parameters<Mnemonic['forkSession']>[0]): Promise<0> {
  const made = await mnemonic.forkSession(request)
  const { path, command, existed } = made
  cli.out.answer(made, () => (path === null ? '' : `${path}\n${command}`))
  if (path !== null) cli.out.hint(`${sizeOf(made)}${existed ? '; it was there already, and is left as it is' : ''}`)
  return hinted(cli, made)
}

function sizeOf({ relevant_turns, total_tokens }: ForkContext): string {
  const sessions = new Set(relevant_turns.map(({ session }) => session.id)).size
  return `${plural(relevant_turns.length, 'turn')} of ${plural(sessions, 'session')}, ${grouped(total_tokens)} tokens`
}

function hinted(cli: Cli, { relevant_turns }: ForkContext): 0 {
  if (relevant_turns.length === 0) cli.out.hint('nothing was found that fits: try other words with --also TEXT, or a larger --max-tokens')
  return 0
}

function together(one: string, other: string): MnemonicError {
  return new MnemonicError('USAGE', `${one} and ${other} do not go together`, { details: { option: one }, hint: 'mnemonic fork --help' })
}
