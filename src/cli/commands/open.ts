import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { MnemonicError } from '../../core/error.ts'
import type { Mnemonic } from '../../library/index.ts'
import { examples } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import type { Io } from '../io.ts'
import { numbered } from '../last-answer.ts'

interface Flags {
  readonly print?: true
  readonly summary?: true
}

export function open(command: Command, cli: Cli): void {
  command
    .description(
      'Opens the published transcript of a session, or a document: in VISUAL or EDITOR, else with the desktop’s own program, else in the pager. Without a terminal it prints the path.',
    )
    .argument('<id>', 'a number of the last answer, any id that show takes, or the path of a document')
    .option('--summary', 'the published summary instead')
    .option('--print', 'print the path only')
    .addHelpText('after', examples('open 1', 'open c010174c --summary', 'open 1 --print'))
    .action(async (text: string, { print, summary }: Flags) => {
      let path = ''
      await cli.run(async (mnemonic) => {
        const found = await fileOf(mnemonic, numbered(cli, mnemonic, text), summary === true)
        path = found.path
        if (cli.out.json || print || !cli.io.isTTY.stdout) cli.out.answer(found, () => path)
        return 0
      })
      if (!cli.out.json && !print && cli.io.isTTY.stdout) await openFile(cli, path)
    })
}

export async function fileOf(mnemonic: Mnemonic, id: string, summary = false): Promise<{ session_id: string; path: string }> {
  const { workspace } = mnemonic.paths
  if (/\.md$|^e:[0-9a-z]+$/i.test(id)) {
    const shown = await mnemonic.show(id)
    if (shown.kind === 'document' && shown.document.source === 'events') throw publishedNowhere(shown.document.id)
    if (shown.kind === 'document') return there(shown.document.session_id, join(workspace, shown.document.path))
  }
  const files = await mnemonic.artifacts.open(id)
  const path = summary ? files?.summary_path : (files?.transcript_path ?? files?.summary_path)
  if (files !== undefined && path) return there(files.session_id, join(workspace, path))
  const session = await sessionOf(mnemonic, id)
  throw new MnemonicError('NOT_FOUND', files === undefined ? 'this session is not published' : 'this session has no such file', {
    details: { id },
    hint: `To publish it: mnemonic memory publish --session ${session}; to read it: mnemonic show ${session}`,
  })
}

function publishedNowhere(id: string): MnemonicError {
  return new MnemonicError('NOT_SUPPORTED', 'messages, mails and meetings are not published: there is no file to open', {
    details: { id },
    hint: `Read it: mnemonic show ${id}`,
  })
}

export async function sessionOf(mnemonic: Mnemonic, id: string): Promise<string> {
  const shown = await mnemonic.show(id, { outline: true })
  return 'session' in shown ? shown.session.id : id
}

function there(session_id: string, path: string): { session_id: string; path: string } {
  if (existsSync(path)) return { session_id, path }
  throw new MnemonicError('NOT_FOUND', `the file is gone: ${path}`, {
    details: { path },
    hint: 'Write it again: mnemonic memory restore PATH',
  })
}

/** Tries the person's editor, then the system's viewers. Prints the path and returns false if none works. */
export async function openFile({ io, out }: Cli, path: string): Promise<boolean> {
  for (const program of viewers(io)) if ((await io.launch?.([...program, path])) !== undefined) return true
  out.hint('no editor and no viewer was found: set EDITOR')
  io.stdout.write(`${path}\n`)
  return false
}

function viewers({ env }: Io): string[][] {
  const words = (value: string | undefined) => (value ?? '').split(' ').filter((word) => word !== '')
  const own = words(env.VISUAL).length > 0 ? words(env.VISUAL) : words(env.EDITOR)
  const desktop =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['explorer']
        : env.DISPLAY || env.WAYLAND_DISPLAY
          ? ['xdg-open']
          : []
  const pager = words(env.MNEMONIC_PAGER ?? env.PAGER)
  return [own, own.length > 0 ? [] : desktop, pager, ['less']].filter((program) => program.length > 0)
}
