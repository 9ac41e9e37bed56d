import type { Command } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import { stripControls } from '../../core/text.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { numbered } from '../last-answer.ts'
import { sessionOf } from './open.ts'

export function rename(command: Command, cli: Cli): void {
  command
    .description('Gives a session a title of your own. It wins over any other, and stays through every sync.')
    .argument('<session>', 'a number of the last answer, or the session: id, native id, label, or a unique prefix')
    .argument('[title...]', 'the title')
    .option('--reset', 'take your title back: the harness’s own, or one made from the session, is shown again')
    .addHelpText('after', examples('rename c010174c Moving the harbour to port 9000', 'rename c010174c --reset'))
    .action((session: string, words: string[], { reset }: { reset?: true }) => {
      const title = words.join(' ')
      if ((title === '') !== (reset === true)) throw wrong(reset === true)
      return cli.run(async (mnemonic) => {
        const named = numbered(cli, mnemonic, session)
        const id = named === session ? session : await sessionOf(mnemonic, named)
        const renamed = await mnemonic.rename(id, reset ? null : title)
        cli.out.answer({ session: renamed }, () => `${renamed.id}  ${stripControls(renamed.title ?? renamed.label)}`)
        return 0
      })
    })
}

function wrong(reset: boolean): MnemonicError {
  return new MnemonicError('USAGE', reset ? '--reset takes no title' : 'the title is missing', {
    details: { option: '--reset' },
    hint: 'mnemonic rename SESSION TITLE, or mnemonic rename SESSION --reset',
  })
}
