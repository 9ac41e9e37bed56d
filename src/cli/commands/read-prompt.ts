import type { Command } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import type { Mnemonic } from '../../library/index.ts'
import { examples, wholeNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { asData } from '../format/as-data.ts'
import { formatReading } from '../format/reading.ts'

interface Flags {
  readonly folder?: string
  readonly session?: string
  readonly harness?: string
  readonly maxTokens?: number
  readonly explain?: true
  readonly brief?: true
  readonly first?: true
}

export function readPrompt(command: Command, cli: Cli): void {
  command
    .description(
      'Prints the memory that a prompt is given before an agent sees it: dated, cited sentences within a budget of tokens, of the project of the folder; of others where the prompt names them or asks for what was. Prints nothing where a prompt needs no memory; with --brief, what a session is told at its start. The hooks of harnesses give the same.',
    )
    .argument('[prompt...]', 'what a person would type')
    .option('--folder <dir>', 'the folder that the session works in; default: this one')
    .option('--session <id>', 'the session by its harness’s id: nothing is given to it twice')
    .option('--first', 'the prompt is the first of its session: then "continue" asks where the work stands')
    .option('--harness <name>', 'whose session it is: claude-code, codex …')
    .option('--max-tokens <n>', 'most tokens of the whole; default: max_tokens or brief_tokens of the configuration', wholeNumber(20_000))
    .option('--explain', 'also say why each piece is there, what was left out, and why memory was needed or not')
    .option('--brief', 'what a session is told at its start, instead of a prompt')
    .addHelpText(
      'after',
      examples(
        'read why did we move the lock out of the store',
        'read --explain "what did we decide about retries"',
        'read --brief --harness codex',
      ),
    )
    .action((words: string[], flags: Flags) =>
      cli.run(async (mnemonic) => {
        const { folder = process.cwd(), session, harness, maxTokens } = flags
        const request = { folder, ...given({ session, harness, maxTokens, agent: cli.agent() }) }
        if (flags.brief) {
          const brief = await mnemonic.brief(request)
          cli.out.answer(brief, () => brief.text)
          if (brief.text === '') cli.out.hint('memory knows nothing of this project yet; to import sessions: mnemonic sync')
          return 0
        }
        if (words.length === 0)
          throw new MnemonicError('USAGE', 'there is no prompt to read for', {
            hint: 'mnemonic read why did we choose sqlite; or mnemonic read --brief',
          })
        const answer = await mnemonic.read({
          ...request,
          prompt: words.join(' '),
          ...given({ explain: flags.explain, opens: flags.first }),
        })
        cli.out.answer(answer, () => (flags.explain ? asData(cli.out, formatReading(answer, cli.out.width)) : answer.text))
        if (answer.text === '' && !flags.explain)
          cli.out.hint(answer.needed ? await whyNothing(mnemonic, words.join(' ')) : `no memory needed: ${answer.reason}`)
        return 0
      }),
    )
}

/** Claims that memory has nothing only if a search agrees. */
async function whyNothing(mnemonic: Mnemonic, query: string): Promise<string> {
  const { results } = await mnemonic.search({ query, limit: 1 })
  return results.length === 0
    ? 'memory has nothing for it'
    : `nothing of it is given here; what is near: mnemonic search ${JSON.stringify(query)}`
}
