import { MnemonicError } from '../../core/error.ts'
import { readLines } from '../lines.ts'
import { unitReader } from '../unit-reader.ts'
import { sessionLine } from './jsonl/session-line.ts'
import { lineValues } from './parse-line.ts'

export interface ValidationResult {
  readonly valid: boolean
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

const SPELLED_OUT = 20

/** Checks readability, JSON, required fields, timestamps and UTF-8. Stricter than a sync, which skips bad lines. */
export async function validateSessionFile(path: string): Promise<ValidationResult> {
  const errors = findings()
  const warnings = findings()
  const reader = unitReader(noDatabase)
  let lines = 0
  try {
    let before = Number.NEGATIVE_INFINITY
    for await (const line of readLines(reader.chunks(path, 0))) {
      const at = `line ${line.number}`
      const { values, error } = lineValues(line)
      if (error !== undefined && line.valid && !line.complete) {
        warnings.add(`${at}: not complete yet, it waits for the rest`)
        continue
      }
      if (error !== undefined) errors.add(`${at}: ${error}`)
      lines += Number(error !== undefined || values.length > 0)
      if (values.length > 1) warnings.add(`${at}: ${values.length} objects on one line`)
      for (const value of values) {
        const read = sessionLine(value)
        if ('problems' in read) {
          errors.add(`${at}: ${read.problems.join('; ')}`)
          continue
        }
        if (read.line.text === '' && read.line.blocks === undefined) warnings.add(`${at}: content is empty`)
        if (read.line.timestamp < before) warnings.add(`${at}: older than the line before it`)
        before = read.line.timestamp
      }
    }
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    errors.add(code === 'ENOENT' ? `no such file: ${path}` : `cannot read ${path}: ${code}`)
    return { valid: false, errors: errors.list(), warnings: warnings.list() }
  }
  if (lines === 0) warnings.add('no records in the file')
  return { valid: errors.list().length === 0, errors: errors.list(), warnings: warnings.list() }
}

function codeOf(error: unknown): string | undefined {
  const { code } = error instanceof MnemonicError ? error.details : (error as NodeJS.ErrnoException)
  return typeof code === 'string' ? code : undefined
}

function noDatabase(): never {
  throw new MnemonicError('INTERNAL', 'a session file is no database')
}

interface Findings {
  add(finding: string): void
  list(): string[]
}

function findings(): Findings {
  const spelled: string[] = []
  let more = 0
  return {
    add(finding) {
      if (spelled.length < SPELLED_OUT) spelled.push(finding)
      else more += 1
    },
    list: () => (more === 0 ? [...spelled] : [...spelled, `and ${more.toLocaleString('en-US')} more`]),
  }
}
