import { resolve } from 'node:path'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { plural } from '../../core/text.ts'
import type { Mnemonic, SessionFormat } from '../../library/index.ts'
import type { Cli } from '../cli.ts'
import { bytes } from '../format/quantity.ts'
import { numbered } from '../last-answer.ts'

interface Options {
  readonly force: boolean
  readonly format?: SessionFormat
  readonly out?: string
  readonly branches?: boolean
}

export async function exportOne(
  cli: Cli,
  mnemonic: Mnemonic,
  text: string,
  { force, format = 'markdown', out, branches }: Options,
): Promise<0> {
  const id = numbered(cli, mnemonic, text)
  const options = { format, ...given({ branches }) }
  if (/\.md$|^e:[0-9a-z]+$/i.test(id)) await refuseEvents(mnemonic, id)
  if (out !== undefined) {
    const report = await mnemonic.safekeeping.writeSession(id, resolve(out), { ...options, force })
    cli.out.answer(report, () => `${plural(report.turns, 'turn')}, ${bytes(report.bytes)}: ${report.path}`)
    return 0
  }
  const { session, turn_count, pieces } = await mnemonic.safekeeping.exportSession(id, options)
  if (cli.out.json) {
    let content = ''
    for await (const piece of pieces) content += piece
    cli.out.answer({ session_id: session.session_id, format, turns: turn_count, content }, () => content)
  } else {
    for await (const piece of pieces) cli.io.stdout.write(piece)
  }
  return 0
}

async function refuseEvents(mnemonic: Mnemonic, id: string): Promise<void> {
  const shown = await mnemonic.show(id)
  if (shown.kind !== 'document' || shown.document.source !== 'events') return
  throw new MnemonicError('NOT_SUPPORTED', 'export writes sessions of agents one by one, and conversations with people only all together', {
    details: { id: shown.document.id },
    hint: `This one: mnemonic show ${shown.document.id} > FILE; everything: mnemonic export --dir DIR`,
  })
}
