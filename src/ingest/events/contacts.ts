/** Address books: vCard 2.1, 3 and 4. They provide names, not events. */
import { MnemonicError } from '../../core/error.ts'
import { plural } from '../../core/text.ts'
import { countryOf, normalHandle } from '../../ledgers/people/handle.ts'
import type { Adapter, ReadItem, SourceUnit, UnitReader } from '../adapter.ts'
import { describeSource, type SourceOptions } from '../capture/descriptions.ts'
import { sourceFiles } from '../walk.ts'
import { readCards } from './contacts/read-cards.ts'
import { decoded } from './content-lines.ts'

export interface ContactsOptions extends SourceOptions {
  /** The owner's numbers: the default country. */
  readonly phones: readonly string[]
}

export function contacts(options: ContactsOptions): Adapter {
  const description = describeSource('contacts', options)
  return {
    ...description,
    discover: (asked) => sourceFiles(description.defaultPaths(), asked, (file) => /\.(?:vcf|vcard)$/i.test(file)),
    recognises: (head) => isVcard(head),
    read: (unit, _, reader) => read(unit, reader, options),
  }
}

function isVcard(head: Buffer): boolean {
  const utf16 = head[0] === 0xff && head[1] === 0xfe ? 'utf-16le' : head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined
  const begin = utf16 === undefined ? decoded(head.subarray(0, 512)) : new TextDecoder(utf16).decode(head.subarray(0, 512))
  return /^\ufeff?\s*(?:[\w-]+\.)?BEGIN\s*:\s*VCARD\s*$/im.test(begin)
}

async function* read(unit: SourceUnit, reader: UnitReader, { phones }: ContactsOptions): AsyncGenerator<ReadItem, void, undefined> {
  const head = await reader.slice(unit.path, 0, 512)
  if (head.toString('latin1').trim() === '') return
  if (!isVcard(head))
    throw new MnemonicError('NOT_THIS_FORMAT', `not an address book: ${unit.path}`, {
      details: { path: unit.path, reasons: ['it does not begin with BEGIN:VCARD'] },
    })
  const country = countryOf(phones)
  let cards = 0
  let nameless = 0
  let homeless = 0
  for await (const card of readCards(reader.chunks(unit.path, 0))) {
    if ('reason' in card) {
      yield { type: 'bad_line', line: card.line, reason: card.reason }
      continue
    }
    cards += 1
    const handles = [...new Set(card.handles.map((handle) => normalHandle(handle, country)))].filter((handle) => handle !== '')
    if (country === undefined) homeless += handles.filter((handle) => /^\d{7,}$/.test(handle)).length
    if (card.name === undefined && handles.length > 0) nameless += 1
    if (card.name !== undefined && handles.length > 0) yield { type: 'contact', record: { name: card.name, handles } }
    if (cards % 500 === 0) yield { type: 'checkpoint', offset: 0, carry: undefined }
  }
  if (nameless > 0) yield { type: 'warning', message: `${unit.path}: ${nameless} of its ${cards} cards have no name` }
  if (homeless > 0)
    yield {
      type: 'warning',
      message: `${unit.path}: ${plural(homeless, 'number')} without a country code may find nobody; put your own number into owner.phones in config.yaml, with + and its country code, and sync again`,
    }
}
