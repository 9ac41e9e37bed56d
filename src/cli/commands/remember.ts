import { type Command, InvalidArgumentError, Option } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { escapeMarks, markMemory, NOTICE } from '../../core/marked-text.ts'
import { REMEMBER_TYPES, type RememberType } from '../../core/remember-type.ts'
import { plural } from '../../core/text.ts'
import type { Mnemonic } from '../../library/index.ts'
import { examples, once, wholeNumber } from '../arguments.ts'
import { callerIsAgent } from '../caller-is-agent.ts'
import type { Cli, ExitCode } from '../cli.ts'
import { confirm } from '../confirm.ts'
import { formatRemembered, formatStated } from '../format/remembered.ts'

interface Flags {
  readonly about?: string
  readonly aboutType?: string
  readonly project?: string
  readonly type?: RememberType
  readonly corrects?: string
  readonly alias?: { readonly type: string; readonly value: string }
  readonly relation?: { readonly type: string; readonly object: string }
  readonly confidence?: number
  readonly sourceType?: string
  readonly confirm?: string
  readonly undo?: string
  readonly list?: true
  readonly proposed?: true
  readonly all?: true
  readonly yes?: true
  readonly limit?: number
}

const ALIAS_TYPES = ['name', 'email', 'phone', 'handle', 'username', 'repository', 'package', 'path']
const VERBS = ['confirm', 'undo', 'list'] as const

export function remember(command: Command, cli: Cli): void {
  const verb = (flags: string, text: string, name: (typeof VERBS)[number]) =>
    command.addOption(new Option(flags, text).conflicts([...VERBS.filter((other) => other !== name), 'about', 'corrects', 'project']))
  command
    .description(
      'Keeps a fact, a preference, a decision or a correction that you state. It is in the ledger as yours: search finds it, it stands among your rules and in what is known of its entity, and every rebuild keeps it. What an agent states is a proposal: it is listed, and counts for nothing until you confirm it.',
    )
    .argument('[text...]', 'what to remember')
    .option('--about <entity>', 'whom or what it is about: a name, an address or an id; otherwise it is about you, or the project', once)
    .option(
      '--about-type <type>',
      'of which type the entity is, where it is not known yet: person, company, project … (default: entity)',
      once,
    )
    .option('--project <dir>', 'only for this project: a folder, . for this one, or a name', once)
    .addOption(new Option('--type <type>', 'what it is; otherwise its first words say it').choices(REMEMBER_TYPES))
    .option('--corrects <id>', 'what it puts right: r:… of this list, d:… of decisions, or the id of an observation', once)
  // For scripts. The library normalizes the value.
  command.addOption(new Option('--alias <type:value>').argParser(aliasOf).hideHelp())
  // For scripts. Stored as given.
  command.addOption(new Option('--relation <type:object>').argParser(relationOf).hideHelp())
  command.addOption(new Option('--confidence <n>').argParser(Number).hideHelp())
  command.addOption(new Option('--source-type <type>').hideHelp())
  verb('--list', 'list what was stated, newest first', 'list')
  verb('--confirm <id>', 'make what an agent proposed your own statement', 'confirm')
  verb('--undo <id>', 'take back a statement or a proposal', 'undo')
  command
    .option('--proposed', 'with --list: only what agents proposed; with a text: state it as a proposal')
    .option('--all', 'with --list: also what was taken back')
    .option('-n, --limit <n>', 'with --list: most lines to print (default: 100)', wholeNumber(10_000))
    .option('--yes', 'do not ask; without a terminal, say that it is your own word and no proposal')
    .addHelpText(
      'after',
      examples(
        'remember "Always run the tests before a commit" --project .',
        'remember "Sarah is on leave until March" --about "Sarah Chen"',
        'remember "Actually the port is 5433, not 5432" --about "orders-db" --type correction',
        'remember --list --proposed',
        'remember --confirm r:3f2a1c9d',
        'remember --undo r:3f2a1c9d',
      ),
    )
    .action((words: string[], flags: Flags) => cli.run((mnemonic) => run(cli, mnemonic, words.join(' '), flags)))
}

function aliasOf(given: string): { type: string; value: string } {
  const at = given.indexOf(':')
  const type = given.slice(0, Math.max(0, at))
  if (!ALIAS_TYPES.includes(type)) throw new InvalidArgumentError(`Give TYPE:VALUE, with a type of ${ALIAS_TYPES.join(', ')}.`)
  return { type, value: given.slice(at + 1) }
}

function relationOf(given: string): { type: string; object: string } {
  const at = given.indexOf(':')
  if (at < 1) throw new InvalidArgumentError('Give TYPE:OBJECT, as WORKS_AT:Initech.')
  return { type: given.slice(0, at), object: given.slice(at + 1) }
}

async function run(cli: Cli, mnemonic: Mnemonic, text: string, flags: Flags): Promise<ExitCode> {
  const isVerb = VERBS.some((name) => flags[name] !== undefined)
  if (isVerb === (text.trim() !== ''))
    throw new MnemonicError('USAGE', isVerb ? 'a text is stated by itself' : 'say what to remember', {
      hint: 'mnemonic remember "…", or one of --list, --confirm ID, --undo ID.',
    })
  refuseVerb(text.trim())
  if (flags.list) return list(cli, mnemonic, flags)
  if (flags.confirm !== undefined) return confirmed(cli, mnemonic, flags.confirm, flags)
  if (flags.undo !== undefined) return undone(cli, mnemonic, flags.undo, flags)
  return state(cli, mnemonic, text, flags)
}

/** Verbs of other programs for these options: no single one of them is a fact. */
const TAKEN_FOR: Readonly<Record<string, string>> = {
  ...{ list: '--list', ls: '--list', show: '--list', all: '--list --all', proposed: '--list --proposed', proposals: '--list --proposed' },
  ...{ confirm: '--confirm ID', accept: '--confirm ID', undo: '--undo ID', remove: '--undo ID', delete: '--undo ID', rm: '--undo ID' },
  help: '--help',
}

/** Catches `remember list`, `remember confirm r:3f2a1c9d`: an option without its dashes. */
function refuseVerb(text: string): void {
  const [, word = '', id] = /^([a-z]+)(?: ([rd]:[0-9a-z]+))?$/i.exec(text) ?? []
  const option = Object.hasOwn(TAKEN_FOR, word.toLowerCase()) ? TAKEN_FOR[word.toLowerCase()] : undefined
  if (option === undefined) return
  throw new MnemonicError('USAGE', `${JSON.stringify(text)} is not a fact to keep`, {
    details: { text },
    hint: `Did you mean: mnemonic remember ${id === undefined ? option : option.replace('ID', id)}? A fact is a sentence, in quotes.`,
  })
}

/** Agents are recognised by the environment. Without a terminal and without --yes, assume an agent. */
function isPerson({ io }: Cli, { yes }: Flags): boolean {
  return !callerIsAgent(io.env) && (io.ask !== undefined || yes === true)
}

async function state(cli: Cli, mnemonic: Mnemonic, text: string, flags: Flags): Promise<ExitCode> {
  const by = isPerson(cli, flags) && !flags.proposed ? 'owner' : 'agent'
  const { about, aboutType, project, type, corrects, alias, confidence, sourceType } = flags
  if (flags.relation === undefined && (confidence !== undefined || sourceType !== undefined))
    throw new MnemonicError('USAGE', '--confidence and --source-type are of a relation', { hint: 'Give --relation TYPE:OBJECT too.' })
  const relation = flags.relation === undefined ? undefined : { ...flags.relation, ...given({ confidence, sourceType }) }
  const from = by === 'owner' ? undefined : cli.io.env.AI_AGENT
  const answer = await mnemonic.remember({ text, by, ...given({ about, aboutType, project, type, corrects, alias, relation, from }) })
  cli.out.answer(answer, () => asData(cli, formatStated(answer)))
  cli.out.warnings(answer.warnings)
  const { status, id } = answer.remembered
  if (status === 'proposed')
    cli.out.hint(
      `this is a proposal${flags.proposed ? '' : by === 'agent' && !callerIsAgent(cli.io.env) ? ' (there is no terminal; --yes says that it is your own word)' : ''}: a person confirms it with mnemonic remember --confirm ${id}`,
    )
  else if (!answer.searchable) cli.out.hint('another process is at work; search finds it after the next sync')
  return 0
}

async function list(cli: Cli, mnemonic: Mnemonic, { proposed, all, type, limit }: Flags): Promise<ExitCode> {
  const answer = await mnemonic.remembered(given({ proposed, all, type, limit, agent: cli.agent() }))
  cli.out.answer(answer, () => asData(cli, formatRemembered(answer, cli.out.width)))
  if (answer.total === 0) cli.out.hint(proposed ? 'nothing is proposed' : 'nothing was stated yet: mnemonic remember "…"')
  else if (answer.total > answer.remembered.length) cli.out.hint(`${answer.remembered.length} of ${answer.total}: raise --limit`)
  if (!proposed && answer.proposed > 0)
    cli.out.hint(`${plural(answer.proposed, 'proposal')} for you to decide: mnemonic remember --list --proposed`)
  return 0
}

async function confirmed(cli: Cli, mnemonic: Mnemonic, id: string, flags: Flags): Promise<ExitCode> {
  // cortex-write.sh puts `--proposed` before its arguments: the caller is an agent.
  if (callerIsAgent(cli.io.env) || flags.proposed)
    throw new MnemonicError('USAGE', 'an agent cannot confirm what was proposed', {
      details: { id },
      hint: `A person runs it in a terminal of their own: mnemonic remember --confirm ${id}`,
    })
  // Some harnesses set nothing in the environment, so --yes counts only at a terminal.
  if (cli.io.ask === undefined)
    throw new MnemonicError('USAGE', 'what was proposed is confirmed at a terminal, and there is none', {
      details: { id },
      hint: `A person runs it in a terminal: mnemonic remember --confirm ${id}. From a script, state it yourself: mnemonic remember "…" --yes`,
    })
  if (!flags.yes) {
    const proposals = (await mnemonic.remembered({ proposed: true, limit: 10_000 })).remembered
    const proposal = proposals.find((one) => one.id.startsWith(id) || one.event_id === id || one.id.slice(2).startsWith(id))
    const plan = proposal === undefined ? id : formatRemembered({ remembered: [proposal], total: 1, proposed: 1 }, cli.out.width)
    if (!(await confirm(cli, plan, 'Make it your own statement?'))) {
      cli.out.hint('nothing was changed')
      return 0
    }
  }
  const answer = await mnemonic.confirmRemembered(id)
  cli.out.answer(answer, () => formatStated(answer))
  cli.out.warnings(answer.warnings)
  if (!answer.searchable) cli.out.hint('another process is at work; search finds it after the next sync')
  return 0
}

async function undone(cli: Cli, mnemonic: Mnemonic, id: string, flags: Flags): Promise<ExitCode> {
  const answer = await mnemonic.undoRemembered(id, { by: isPerson(cli, flags) && !flags.proposed ? 'owner' : 'agent' })
  cli.out.answer(answer, () =>
    asData(cli, `Taken back: ${formatRemembered({ remembered: [answer.undone], total: 1, proposed: 0 }, cli.out.width)}`),
  )
  return 0
}

/** Text by people is data to an agent, not advice. */
function asData({ out }: Cli, text: string): string {
  return out.forAgent && text !== '' ? `${NOTICE}\n${markMemory(escapeMarks(text))}` : text
}
