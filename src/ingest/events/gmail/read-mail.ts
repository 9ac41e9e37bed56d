import { MnemonicError } from '../../../core/error.ts'
import { given } from '../../../core/given.ts'
import { LARGEST_RECORD, TOO_LARGE } from '../../../core/largest-record.ts'
import { parseJson } from '../../../core/nesting.ts'
import { plural } from '../../../core/text.ts'
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { jsonElements } from '../../capture/export-archive/json-elements.ts'
import { readLines } from '../../lines.ts'
import { apiMail } from './api-message.ts'
import { type MailForm, mailForm } from './form.ts'
import type { Fate } from './labels.ts'
import type { Mail } from './mail.ts'
import { type Converted, type MailEventOptions, mailEvent } from './mail-event.ts'
import { mailSkeleton } from './mail-skeleton.ts'
import { parseMail } from './parse-mail.ts'
import { type SeparatorShape, shapeOf, splitMbox } from './split-mbox.ts'

const HEAD = 64 << 10

export interface ReadMailOptions {
  readonly owners: ReadonlySet<string>
}

export async function* readMail(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  reader: UnitReader,
  { owners }: ReadMailOptions,
): AsyncGenerator<ReadItem, void, undefined> {
  const offset = since?.offset ?? 0
  const { head, chunks } = await opened(reader, unit, offset)
  if (head.length === 0) return
  // Only an mbox or a message list is ever resumed.
  const form = since === undefined ? mailForm(head, /\.eml$/i.test(unit.path) ? 1 : 2) : isLines(since) ? 'lines' : 'mbox'
  if (form === undefined) throw notMail(unit.path)
  const tally = newTally()
  const options = { owners, fileTime: unit.mtimeMs }
  const read = READERS[form]({ chunks, offset, tally, path: unit.path, options, ...given({ marks: marksIn(since) }) })
  for await (const item of read) yield item
  if (tally.mails === 0 && tally.bad > 0 && since === undefined)
    throw new MnemonicError('VALIDATION_ERROR', `no mail of ${unit.path} can be read: ${tally.firstBad}`, { details: { path: unit.path } })
  for (const message of tally.warnings(unit.path)) yield { type: 'warning', message }
}

interface Reading {
  readonly chunks: AsyncIterable<Buffer>
  readonly offset: number
  readonly options: MailEventOptions
  readonly tally: ReturnType<typeof newTally>
  readonly path: string
  readonly marks?: MailboxMarks
}

const READERS: Readonly<Record<MailForm, (reading: Reading) => AsyncGenerator<ReadItem, void, undefined>>> = {
  mbox: readMbox,
  mail: readOne,
  json: (reading) => readJson({ ...reading, chunks: copied(reading.chunks) }),
  lines: (reading) => readJsonLines({ ...reading, chunks: copied(reading.chunks) }),
}

async function* readMbox({ chunks, offset, options, tally, marks: known }: Reading): AsyncGenerator<ReadItem, void, undefined> {
  let stray = 0
  let marks = known
  const mails = splitMbox(chunks, offset, (bytes) => {
    stray += bytes
  })
  for await (const { bytes, separator, start, end, whole, begun } of mails) {
    const at = `mail at byte ${start}`
    const read = async (some: Buffer) => {
      const mail = await parseMail(some, separator)
      marks ??= marksOf(mail, separator)
      return bears(marks, mail, separator) ? mail : { ...mail, doubtful: true }
    }
    if (bytes === undefined) yield tally.note(`${at}: ${TOO_LARGE}, attachments not counted`)
    else if (!begun && !whole) yield tally.note(`${at}: it ends within its headers`)
    else yield* items(await converted(() => read(bytes), options), at, tally)
    // The last mail may be incomplete: reread it when the file has grown.
    yield { type: 'checkpoint', offset: whole ? end : start, carry: { form: 'mbox', ...given({ marks }) } }
  }
  if (stray > 0) yield tally.note(`${plural(stray, 'byte')} before the first mail`)
}

/**
 * Marks that the mailbox's writer gives every mail, learned from the first. A body line that looks like a separator starts a fake mail in
 * an unquoted mbox. Without these marks a mail never counts as the owner's.
 */
interface MailboxMarks {
  readonly shape: SeparatorShape
  readonly thread: boolean
}

function marksOf({ gmailThread }: Mail, separator: string): MailboxMarks {
  return { shape: shapeOf(separator), thread: gmailThread !== undefined }
}

function bears({ shape, thread }: MailboxMarks, mail: Mail, separator: string): boolean {
  return shapeOf(separator) === shape && (!thread || mail.gmailThread !== undefined)
}

/** No checkpoint: a changed file is another mail. */
async function* readOne({ chunks, options, tally }: Reading): AsyncGenerator<ReadItem, void, undefined> {
  const skeleton = mailSkeleton({ unquote: false })
  let rest: Buffer | undefined
  let begins = true
  let first = true
  for await (const chunk of chunks) {
    const data: Buffer = rest === undefined ? chunk : Buffer.concat([rest, chunk])
    let at = first && data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf ? 3 : 0
    first = false
    for (let newline = data.indexOf(10, at); newline !== -1; newline = data.indexOf(10, at)) {
      skeleton.line(data.subarray(at, newline + 1), begins)
      begins = true
      at = newline + 1
    }
    rest = at < data.length ? data.subarray(at) : undefined
    if (rest !== undefined && rest.length > HEAD) {
      skeleton.line(rest, begins)
      begins = false
      rest = undefined
    } else if (rest !== undefined) rest = Buffer.from(rest)
  }
  if (rest !== undefined) skeleton.line(rest, begins)
  const bytes = skeleton.end()
  if (bytes === undefined) yield tally.note(`${TOO_LARGE}, attachments not counted`)
  else yield* items(await converted(() => parseMail(bytes), options), 'the mail', tally)
}

async function* readJson({ chunks, options, tally, path }: Reading): AsyncGenerator<ReadItem, void, undefined> {
  for await (const { bytes, start } of jsonElements(chunks, { name: path, limit: LARGEST_RECORD })) {
    yield* message(bytes?.toString('utf8'), { options, tally, at: `message at byte ${start}` })
    // The list is rewritten as a whole, so offsets mean nothing.
    yield { type: 'checkpoint', offset: 0, carry: { form: 'json' } }
  }
}

async function* readJsonLines({ chunks, offset, options, tally }: Reading): AsyncGenerator<ReadItem, void, undefined> {
  for await (const { text, tooLong, complete, start, end } of readLines(chunks, { offset, line: 0 })) {
    if (!complete) return
    if (text.trim() !== '' || tooLong) yield* message(tooLong ? undefined : text, { options, tally, at: `message at byte ${start}` })
    yield { type: 'checkpoint', offset: end, carry: { form: 'lines' } }
  }
}

type Of = Pick<Reading, 'options' | 'tally'> & { readonly at: string }

async function* message(json: string | undefined, { options, tally, at }: Of): AsyncGenerator<ReadItem, void, undefined> {
  if (json === undefined) {
    yield tally.note(`${at}: ${TOO_LARGE}`)
    return
  }
  let value: unknown
  try {
    value = parseJson(json)
  } catch (error) {
    yield tally.note(`${at}: ${error instanceof Error ? error.message : String(error)}`)
    return
  }
  const list = (value as { messages?: unknown } | null)?.messages
  for (const one of Array.isArray(list) ? list : [value]) {
    const parsed = await apiMail(one).catch((error: unknown) => String(error))
    if (parsed === undefined) yield tally.note(`${at}: no message of Gmail’s API`)
    else if (typeof parsed === 'string') yield tally.note(`${at}: ${parsed}`)
    else yield* items(await converted(async () => parsed.mail, { ...options, apiId: parsed.apiId }), at, tally)
  }
}

async function converted(parse: () => Promise<Mail>, options: MailEventOptions): Promise<Converted> {
  try {
    return mailEvent(await parse(), options)
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) }
  }
}

function* items(outcome: Converted, at: string, tally: Reading['tally']): Generator<ReadItem, void, undefined> {
  if ('wrong' in outcome) yield tally.note(`${at}: ${outcome.wrong}`)
  else if ('leftOut' in outcome) tally.leaveOut(outcome.leftOut)
  else {
    tally.mails += 1
    for (const record of outcome.records) yield { type: 'event', record }
  }
}

function newTally() {
  const left: Record<Fate, number> = { spam: 0, trash: 0, draft: 0, chat: 0 }
  return {
    mails: 0,
    bad: 0,
    firstBad: '',
    note(reason: string): ReadItem {
      this.bad += 1
      this.firstBad ||= reason
      return { type: 'bad_line', line: 0, reason }
    },
    leaveOut(fate: Fate) {
      left[fate] += 1
    },
    warnings(path: string): string[] {
      const words: Record<Fate, string> = { spam: 'of spam', trash: 'in the trash', draft: 'as drafts', chat: 'of chats' }
      const parts = (Object.keys(left) as Fate[]).filter((fate) => left[fate] > 0).map((fate) => `${left[fate]} ${words[fate]}`)
      return parts.length > 0 ? [`${path}: left out ${parts.join(', ')}`] : []
    },
  }
}

function marksIn(since: Checkpoint | undefined): MailboxMarks | undefined {
  const { shape, thread } = (since?.carry as { marks?: Partial<MailboxMarks> } | undefined)?.marks ?? {}
  const known = shape === 'number' || shape === 'dash' || shape === 'sender'
  return known ? { shape, thread: thread === true } : undefined
}

function isLines({ carry }: Checkpoint): boolean {
  return (carry as { form?: string } | undefined)?.form === 'lines'
}

/** For callers that keep slices. */
async function* copied(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}

/** Peeks at the head; a pipe can be read only once. Each chunk is valid until the next. */
async function opened(reader: UnitReader, { path }: SourceUnit, offset: number) {
  const iterator = reader.chunks(path, offset, { reused: true })[Symbol.asyncIterator]()
  const first: Buffer[] = []
  let length = 0
  while (length < HEAD) {
    const { done, value } = await iterator.next()
    if (done) break
    first.push(Buffer.from(value))
    length += value.length
  }
  async function* all(): AsyncGenerator<Buffer, void, undefined> {
    try {
      yield* first.splice(0)
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { head: Buffer.concat(first).subarray(0, HEAD), chunks: all() }
}

function notMail(path: string): MnemonicError {
  return new MnemonicError('NOT_THIS_FORMAT', `not mail: ${path} is neither an mbox, nor a single mail, nor messages of Gmail’s API`, {
    details: { path },
    hint: 'Give the .mbox of a Takeout, .eml files, or the JSON of users.messages.get.',
  })
}
