/** One query per input line, one answer per output line, in the same order. A bad line stops nothing. */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { asMnemonicError, MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import type { Mnemonic, SearchFilters, SearchRequest } from '../../library/index.ts'
import type { Cli, ExitCode } from '../cli.ts'
import { jsonText } from '../output.ts'

export interface Batch {
  readonly file: string
  readonly filters: SearchFilters
  readonly limit?: number
  readonly explain?: boolean
  readonly exact?: boolean
  readonly nearest?: boolean
}

type Id = string | number

export async function searchBatch(
  mnemonic: Mnemonic,
  cli: Cli,
  { file, filters, limit, explain, exact, nearest }: Batch,
): Promise<ExitCode> {
  let failed = 0
  for await (const { line, number } of linesOf(file)) {
    let id: Id | undefined
    try {
      const asked = parse(line, number)
      id = idOf(asked, number)
      const { id: _, ...own } = asked
      const request = {
        ...given({ limit, explain, exact, nearest }),
        ...own,
        filters: withDefaults(filters, own.filters),
      } as unknown as SearchRequest
      const { results, mode, matched, corrections, groups, more, phrasings, hint, left_out } = await mnemonic.search(request)
      await print(cli, { id, results, mode, matched, corrections, groups, more, ...given({ phrasings, hint, left_out }) })
    } catch (thrown) {
      const error = asMnemonicError(thrown)
      // Errors of one line go on; an unreadable database fails them all.
      if (!['USAGE', 'PARSE_ERROR', 'NOT_FOUND', 'AMBIGUOUS_ID'].includes(error.code)) throw thrown
      failed++
      await print(cli, { ...given({ id }), error: error.toJSON() })
    }
  }
  return failed === 0 ? 0 : 3
}

function parse(line: string, number: number): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw new MnemonicError('PARSE_ERROR', `line ${number} is not JSON`, { details: { line: number }, cause })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new MnemonicError('PARSE_ERROR', `line ${number} is no JSON object`, { details: { line: number } })
}

function idOf({ id }: Record<string, unknown>, number: number): Id {
  if (typeof id === 'string' || typeof id === 'number') return id
  throw new MnemonicError('USAGE', `line ${number} has no id`, {
    details: { line: number, key: 'id' },
    hint: 'Give each query an id, a string or a number: its answer has the same.',
  })
}

function withDefaults(filters: SearchFilters, own: unknown): unknown {
  const mapping = own === undefined || (typeof own === 'object' && own !== null && !Array.isArray(own))
  return mapping ? { ...filters, ...own } : own
}

/** Waits for slow readers (backpressure). */
async function print({ io }: Cli, answer: object): Promise<void> {
  const taken = io.stdout.write(`${jsonText(answer)}\n`)
  const { stdout } = process
  if (taken === false && io.stdout === stdout && stdout.writableNeedDrain)
    await Promise.race([once(stdout, 'drain'), once(stdout, 'close')])
}

async function* linesOf(file: string): AsyncGenerator<{ line: string; number: number }> {
  let number = 0
  let rest = ''
  const numbered = (line: string) => ({ line: number === 0 ? line.replace(/^\uFEFF/, '') : line, number: ++number })
  for await (const text of textOf(file)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines.map(numbered)) if (line.line.trim() !== '') yield line
  }
  if (rest.trim() !== '') yield numbered(rest)
}

async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  try {
    for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) yield decoder.write(chunk as Buffer)
  } catch (cause) {
    throw new MnemonicError('SOURCE_UNREADABLE', `cannot read the queries from ${file === '-' ? 'stdin' : file}`, {
      details: { file, reason: (cause as NodeJS.ErrnoException).code },
      hint: 'Check that the file exists and that you may read it.',
      cause,
    })
  }
  yield decoder.end()
}
