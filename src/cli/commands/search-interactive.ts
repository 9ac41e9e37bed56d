import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { plural } from '../../core/text.ts'
import type { Mnemonic, SearchAnswer, SearchFilters } from '../../library/index.ts'
import type { Cli, ExitCode } from '../cli.ts'
import { shownTitle } from '../format/sessions.ts'
import { fullScreen } from '../full-screen.ts'
import { rememberAnswer } from '../last-answer.ts'
import { printPaged } from '../pager.ts'
import { type Found, pick } from '../picker/picker.ts'
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
  const { action, item, items } = await pick({
    ...{ query, search, openScreen: fullScreen, style: cli.out.style },
    act: (what, chosen) => (what === 'show' ? showItem(cli, mnemonic, chosen) : openItem(cli, mnemonic, chosen)),
  })
  await rememberAnswer(
    cli,
    mnemonic,
    items.map(({ id }) => id),
  )
  if (action === 'interrupt') return 130
  if (action === 'resume' && item !== undefined) cli.io.stdout.write(`${(await mnemonic.resume(item.id)).command}\n`)
  return 0
}

async function showItem(cli: Cli, mnemonic: Mnemonic, { id }: PickerItem): Promise<void> {
  const { style, width } = cli.out
  const format = { style, width, now: Date.now(), tools: false, strict: true }
  if (!(await printPaged(cli, await shownText(mnemonic, id, {}, format), { stays: true }))) await keyPressed(cli)
}

async function openItem(cli: Cli, mnemonic: Mnemonic, { id }: PickerItem): Promise<void> {
  const { path } = await fileOf(mnemonic, id)
  if (!(await openFile(cli, path))) await keyPressed(cli)
}

/** The list would cover the printed text: wait until it is read. */
async function keyPressed({ io, out }: Cli): Promise<void> {
  io.stdout.write(out.style.dim('── press a key to go back to the list'))
  const { stdin } = process
  stdin.setRawMode(true)
  stdin.resume()
  await new Promise((resolve) => stdin.once('data', resolve))
  stdin.pause()
  stdin.setRawMode(false)
  io.stdout.write('\n')
}

/** Up to this many words must all match, so that each further word narrows the list. Of longer queries, this share must match. */
const ALL_OF = 4
const MOST_OF = 0.75
const NEAREST = 10

export async function foundItems(mnemonic: Mnemonic, query: string, filters: SearchFilters): Promise<Found> {
  const answer = await mnemonic.search({ query, filters, by: 'session', limit: LISTED, nearest: true })
  const items = itemsOf(answer, await secondNames(mnemonic, answer, filters))
  const held = ({ matched = [] }: PickerItem) => new Set(matched.map((word) => word.toLowerCase())).size
  if (answer.matched === 'listed') return { items }
  const most = Math.max(0, ...items.map(held))
  const enough = most <= ALL_OF ? most : most * MOST_OF
  if (most > 0) return { items: items.filter((item) => held(item) >= enough) }
  const nearest = items.slice(0, NEAREST)
  return {
    items: nearest,
    message: nearest.length === 0 ? 'nothing found' : `no word of it was found; nearest by meaning: ${nearest.length}`,
  }
}

async function secondNames(mnemonic: Mnemonic, { groups }: SearchAnswer, { agent }: SearchFilters): Promise<Map<string, string>> {
  const ids = groups.flatMap(({ session_id }) => (session_id === '' ? [] : [session_id]))
  if (ids.length === 0) return new Map()
  const sessions = await mnemonic.sessions({ ids, limit: ids.length, subagents: true, ...given({ agent }) })
  return new Map(sessions.flatMap(({ session_id, about }) => (about === null ? [] : [[session_id, about]])))
}

function itemsOf({ results, groups }: SearchAnswer, about: ReadonlyMap<string, string>): PickerItem[] {
  return groups.flatMap(({ hits, session_id, title, project, thread_id, channel, timestamp }) => {
    const hit = results[hits[0] ?? -1]
    if (hit === undefined) return []
    const preview = hit.content.startsWith(hit.excerpt) ? hit.content : `${hit.excerpt}\n\n${hit.content}`
    return [
      {
        id: hit.turn_id || hit.path,
        short: hit.id,
        title: title ?? hit.excerpt,
        about: about.get(session_id) ?? null,
        project: thread_id === '' ? project : channel,
        timestamp,
        preview,
        matched: [...new Set(hits.flatMap((at) => results[at]?.matched ?? []))],
      },
    ]
  })
}

async function newest(mnemonic: Mnemonic, { project, after, before, since, until, agent }: SearchFilters): Promise<Found> {
  const sessions = await mnemonic.sessions({ limit: LISTED, ...given({ project, after, before, since, until, agent }) })
  const items = sessions.map(
    ({ session_id, id, title, label, about, project: folder, last_message_at, turn_count, models, workspace_path }) => ({
      ...{ id: session_id, short: id, title: shownTitle({ title, label }), about, project: folder, timestamp: last_message_at },
      preview: [title ?? label, workspace_path ?? '', `${turn_count} turns`, models.join(', ')].filter((line) => line !== '').join('\n'),
    }),
  )
  return { items, message: `${plural(items.length, 'session')}, newest first` }
}
