import { cutMarked } from '../../../core/marked-text.ts'
import { oneLine } from '../../../core/text.ts'
import { contentLines, decoded } from '../content-lines.ts'

export interface Card {
  readonly name: string | undefined
  /** Unnormalized. */
  readonly handles: readonly string[]
}

export interface BadCard {
  readonly line: number
  readonly reason: string
}

interface Line {
  /** Upper-cased, without group (`item1.TEL`). */
  readonly name: string
  readonly parameters: string
  readonly value: string
}

type Open = { readonly line: number; readonly lines: Line[] }

/** Longer lines are images or notes. */
const LONGEST = 64 << 10
const LONGEST_NAME = 200
/** Maximum length of a mail address. */
const LONGEST_HANDLE = 320
const WANTED = new Set(['FN', 'N', 'NICKNAME', 'ORG', 'TEL', 'EMAIL', 'IMPP'])

export async function* readCards(chunks: AsyncIterable<Buffer>): AsyncGenerator<Card | BadCard, void, undefined> {
  let open: Open | undefined
  let depth = 0
  for await (const { number, text } of contentLines(chunks, { goesOn: isSoftBreak, longest: LONGEST })) {
    const edge = /^\s*(?:[\w-]+\.)?(BEGIN|END)\s*:\s*VCARD\s*$/i.exec(text)
    if (edge?.[1]?.toUpperCase() === 'BEGIN') {
      // vCard 2.1 nests an agent's card.
      depth += 1
      if (open !== undefined && depth > 1 && !open.lines.some(({ name }) => name === 'AGENT')) {
        yield { line: open.line, reason: 'a card without its end' }
        depth = 1
      }
      if (depth === 1) open = { line: number, lines: [] }
    } else if (edge !== null) {
      depth = Math.max(0, depth - 1)
      if (depth > 0 || open === undefined) continue
      yield cardOf(open.lines)
      open = undefined
    } else if (open !== undefined && depth === 1) {
      const line = lineOf(text)
      if (line !== undefined) open.lines.push(line)
    }
  }
  if (open !== undefined) yield { line: open.line, reason: 'a card without its end' }
}

/** vCard 2.1 continues quoted-printable lines with a trailing `=`. */
function isSoftBreak(begin: Buffer, end: Buffer): boolean {
  return end.at(-1) === 0x3d && /^[^:]*ENCODING=QUOTED-PRINTABLE|^[^:]*;QUOTED-PRINTABLE/i.test(begin.subarray(0, 200).toString('latin1'))
}

function lineOf(text: string): Line | undefined {
  const match = /^\s*(?:[\w-]+\.)?([\w-]+)((?:;(?:"[^"]*"|[^":])*)?):([\s\S]*)$/.exec(text)
  const name = match?.[1]?.toUpperCase() ?? ''
  if (name === 'AGENT') return { name, parameters: '', value: '' }
  if (match === null || !WANTED.has(name)) return undefined
  const parameters = match[2] ?? ''
  return { name, parameters, value: decodedValue(match[3] ?? '', parameters) }
}

function decodedValue(value: string, parameters: string): string {
  if (!/QUOTED-PRINTABLE/i.test(parameters)) return value
  const bytes = Buffer.from(
    value.replace(/=(?![0-9A-F]{2})/gi, '').replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
  const charset = /CHARSET="?([\w-]+)/i.exec(parameters)?.[1]
  if (charset === undefined || /^utf-?8$/i.test(charset)) return decoded(bytes)
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return decoded(bytes)
  }
}

function cardOf(lines: readonly Line[]): Card {
  const name = [full(lines), composed(lines), plain(lines, 'NICKNAME'), plain(lines, 'ORG')].find((one) => one !== undefined)
  const handles = lines.filter((line) => ['TEL', 'EMAIL', 'IMPP'].includes(line.name)).map(handleOf)
  return {
    name: name === undefined ? undefined : oneLine(cutMarked(name), LONGEST_NAME) || undefined,
    handles: handles.filter((handle) => handle !== '' && handle.length <= LONGEST_HANDLE),
  }
}

function full(lines: readonly Line[]): string | undefined {
  return plain(lines, 'FN')
}

function plain(lines: readonly Line[], name: string): string | undefined {
  const value = lines.find((line) => line.name === name)?.value
  const text =
    value === undefined
      ? ''
      : parts(value)
          .filter((part) => part !== '')
          .join(', ')
  return text === '' ? undefined : text
}

/** `N` is family; given; additional; prefix; suffix. */
function composed(lines: readonly Line[]): string | undefined {
  const value = lines.find((line) => line.name === 'N')?.value
  const [family = '', given = '', further = ''] = value === undefined ? [] : parts(value)
  const text = [given, further, family].filter((part) => part !== '').join(' ')
  return text === '' ? undefined : text
}

function parts(value: string): string[] {
  return value.split(/(?<!\\);/).map((part) =>
    part
      .replace(/\\([nN,;:\\])/g, (_, c: string) => (c.toLowerCase() === 'n' ? ' ' : c))
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

/** Strips URI schemes and parameters: `tel:+1-415-555-2671;ext=7`, `xmpp:me@example.com`. */
function handleOf({ name, value }: Line): string {
  const text = value.replace(/\\([,;:\\])/g, '$1').trim()
  if (name === 'EMAIL') return /<([^<>\s]+@[^<>\s]+)>\s*$/.exec(text)?.[1] ?? text
  if (name === 'TEL') return text.replace(/^tel:/i, '').replace(/;.*$/, '')
  return name === 'IMPP' ? text.replace(/^[\w+.-]+:/, '') : text
}
