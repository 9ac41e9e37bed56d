import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { hasKeyPrefix } from './secret-value.ts'

export interface Problem {
  /** Exactly one of `file` and `from` is set. */
  readonly file?: string | undefined
  readonly from?: string | undefined
  readonly line?: number | undefined
  readonly key?: string | undefined
  /** Absent if it must not be printed. */
  readonly value?: string | undefined
  /** Continues the key: "is not a known key". */
  readonly problem: string
  readonly fix: string
}

export function configInvalid(problems: readonly [Problem, ...Problem[]], cause?: unknown): MnemonicError {
  const [first, ...more] = problems
  if (more.length === 0) {
    const { fix, problem: _, ...details } = first
    return new MnemonicError('CONFIG_INVALID', sentence(first), { details: given(details), hint: fix, cause })
  }
  const message = problems.map((problem) => `${sentence(problem)} (${problem.fix})`).join('\n')
  return new MnemonicError('CONFIG_INVALID', message, {
    details: { problems: problems.map(given) },
    hint: `Fix these ${problems.length} problems.`,
    cause,
  })
}

/** Never prints the contents of lists and mappings: they may hold secrets. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'a mapping'
  if (typeof value === 'string' && hasKeyPrefix(value)) return 'something like a key'
  const json = JSON.stringify(value) ?? String(value)
  return json.length > 80 ? `${json.slice(0, 77)}…` : json
}

function sentence({ file, from, line, key, problem }: Problem): string {
  const where = file ?? from
  if (line === undefined && key === undefined) return `${where} ${problem}`
  return `${where}${line === undefined ? '' : `:${line}`}: ${key === undefined ? '' : `${key} `}${problem}`
}
