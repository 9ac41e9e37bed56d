/** `mnemonic search -i`: the picker over the library, and what is done with the hit. */
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import type { Mnemonic, SearchFilters } from '../../library/index.ts'
import type { Cli, ExitCode } from '../cli.ts'
import { fullScreen } from '../full-screen.ts'
import { rememberAnswer } from '../last-answer.ts'
import { printPaged } from '../pager.ts'
import { type Picked, pick } from '../picker/picker.ts'
import type { PickerItem } from '../picker/picker-lines.ts'
import { fileOf, openFile } from './open.ts'
import { shownText } from './show.ts'

const LISTED = 50

export interface Interactive {
  readonly query: string
  readonly filters: SearchFilters
}

export function requireTerminal({ io, out }: Cli): void {
  if (io.isTTY.stdin && io.isTTY.stdout && !out.json) return
  throw new MnemonicError('USAGE', '--interactive needs a terminal to draw on', {
    details: { option: '--interactive' },
    hint: 'Leave out -i to print the hits.',
  })
}

export async function searchInteractive(cli: Cli, mnemonic: Mnemonic, { query, filters }: Interactive): Promise<ExitCode> {
  const search = (text: string) => (text.trim() === '' ? newest(mnemonic, filters) : foundItems(mnemonic, text, filters))
  const picked = await pick({ query, search, openScreen: fullScreen, style: cli.out.style })
  await rememberAnswer(
    cli,
    mnemonic,
    picked.items.map(({ id }) => id),
  )
  return act(cli, mnemonic, picked)
}

async function act(cli: Cli, mnemonic: Mnemonic, { action, item }: Picked): Promise<ExitCode> {
  if (action === 'interrupt') return 130
  if (item === undefined) return 0
  if (action === 'open') await openFile(cli, (await fileOf(mnemonic, item.id)).path)
  else if (action === 'resume') cli.io.stdout.write(`${(await mnemonic.resume(item.id)).command}\n`)
  else {
    const { style, width } = cli.out
    const format = { style, width, now: Date.now(), tools: false, strict: true }
    await printPaged(cli, await shownText(mnemonic, item.id, {}, format))
  }
  return 0
}

/** One item a session, conversation or document, with its best hit. */
export async function foundItems(mnemonic: Mnemonic, query: string, filters: SearchFilters): Promise<PickerItem[]> {
  const { results, groups } = await mnemonic.search({ query, filters, by: 'session', limit: LISTED })
  return groups.flatMap(({ hits, title, project, thread_id, channel, timestamp }) => {
    const hit = results[hits[0] ?? -1]
    if (hit === undefined) return []
    const preview = hit.content.startsWith(hit.excerpt) ? hit.content : `${hit.excerpt}\n\n${hit.content}`
    return [
      {
        id: hit.turn_id || hit.path,
        short: hit.id,
        title: title ?? hit.excerpt,
        project: thread_id === '' ? project : channel,
        timestamp,
        preview,
      },
    ]
  })
}

async function newest(mnemonic: Mnemonic, { project, after, before, since, until, agent }: SearchFilters): Promise<PickerItem[]> {
  const sessions = await mnemonic.sessions({ limit: LISTED, ...given({ project, after, before, since, until, agent }) })
  return sessions.map(({ session_id, id, title, label, project: folder, last_message_at, turn_count, models, workspace_path }) => ({
    ...{ id: session_id, short: id, title: title ?? label, project: folder, timestamp: last_message_at },
    preview: [title ?? label, workspace_path ?? '', `${turn_count} turns`, models.join(', ')].filter((line) => line !== '').join('\n'),
  }))
}
