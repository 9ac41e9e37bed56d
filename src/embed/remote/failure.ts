/** Messages must never repeat sent text. */

import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { redactSensitiveText } from '../../core/redact.ts'
import { oneLine } from '../../core/text.ts'
import { embeddingFailed, type Fault, type FaultDetails } from '../embedder.ts'

export interface Failure {
  readonly error: MnemonicError
  readonly retryable: boolean
  /** Perhaps too large, and perhaps billed. */
  readonly timedOut?: boolean
  readonly tooLarge?: boolean
  readonly retryAfterMs?: number
}

export interface Target {
  readonly provider: string
  readonly model: string
  readonly address: string
}

export interface Calls {
  failed(message: string, details: FaultDetails, more?: { hint?: string; cause?: unknown }): MnemonicError
  readonly section: 'embedding' | 'analyze'
  readonly answer: string
}

export const EMBEDDING: Calls = { failed: embeddingFailed, section: 'embedding', answer: 'embedding' }

/** Structural copy of the AI SDK's error, to avoid loading it. */
interface CallError extends Error {
  readonly statusCode?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly data?: unknown
}

const LONGEST_MESSAGE = 200
/** Only for these statuses is the provider's message safe; others may quote the text. */
const ABOUT_THE_CALLER = new Set([401, 402, 403, 404, 405, 429])
const PROVIDER_DOWN = new Set([401, 402, 403, 404, 405, 407, 429, 502, 503, 504])
const RETRYABLE = new Set([408, 409, 425, 429])

/** The caller recognises its own timeouts. */
export function callFailure(thrown: unknown, target: Target, now: number, calls: Calls): Failure {
  if (thrown instanceof MnemonicError) return { error: thrown, retryable: false }
  const error: CallError = thrown instanceof Error ? thrown : new Error(String(thrown))
  const status = error.statusCode
  if (status === undefined) return unreachable(error, target, calls)
  if (status >= 200 && status < 300) return garbled(target, calls)
  const retryAfterMs = retryAfter(error.responseHeaders ?? {}, now)
  const fault: Fault = PROVIDER_DOWN.has(status) || status < 400 ? 'provider' : 'input'
  const hint = HINTS[status]?.replaceAll('SECTION', calls.section)
  return {
    error: calls.failed(
      `${target.provider} answered ${status}${saying(error, status)}`,
      { fault, ...target, status, ...given({ retryAfterMs }) },
      hint === undefined ? {} : { hint },
    ),
    retryable: status >= 500 || RETRYABLE.has(status),
    tooLarge: status === 413,
    ...given({ retryAfterMs }),
  }
}

export function timeoutFailure(target: Target, timeoutMs: number, calls: Calls): Failure {
  const message = `${target.provider} did not answer within ${Math.round(timeoutMs / 1000)} s`
  const error = calls.failed(message, { fault: 'provider', ...target, timeoutMs }, { hint: `Is ${target.address} well?` })
  return { error, retryable: true, timedOut: true }
}

const HINTS: Readonly<Record<number, string>> = {
  401: 'Check the key in the variable that SECTION.api_key_env names.',
  403: 'Check the key in the variable that SECTION.api_key_env names, and what it may do.',
  404: 'Check SECTION.model and SECTION.base_url in config.yaml.',
  429: 'The provider limits how often it may be called; a later run goes on.',
}

function unreachable(error: Error, target: Target, calls: Calls): Failure {
  const code = codeOf(error)
  const why = code === undefined ? oneLine(error.message, LONGEST_MESSAGE) : code
  const message = `cannot reach ${target.provider} at ${target.address}: ${redactSensitiveText(why, { mode: 'tools' })}`
  const hint = `Is the server running? Check ${calls.section}.base_url in config.yaml.`
  return {
    error: calls.failed(message, { fault: 'provider', ...target, ...given({ code }) }, { hint }),
    retryable: true,
  }
}

function garbled(target: Target, calls: Calls): Failure {
  const hint = `Check ${calls.section}.base_url in config.yaml: is it the right server, with /v1 at its end where it wants that?`
  return {
    error: calls.failed(`${target.provider} answered something that is no ${calls.answer}`, { fault: 'input', ...target }, { hint }),
    retryable: true,
  }
}

function codeOf(error: Error): string | undefined {
  for (let current: unknown = error, depth = 0; current instanceof Error && depth < 6; current = current.cause, depth++) {
    const { code } = current as NodeJS.ErrnoException
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code
  }
  return undefined
}

function saying(error: CallError, status: number): string {
  if (ABOUT_THE_CALLER.has(status)) return `: ${oneLine(redactSensitiveText(error.message, { mode: 'tools' }), LONGEST_MESSAGE)}`
  const kind = kindOf(error.data)
  return kind === undefined ? '' : ` (${kind})`
}

function kindOf(data: unknown): string | undefined {
  const inner = typeof data === 'object' && data !== null ? (data as { error?: unknown }).error : undefined
  if (typeof inner !== 'object' || inner === null) return undefined
  const { code, status, type } = inner as Record<string, unknown>
  return [code, status, type].find((name): name is string => typeof name === 'string' && /^[A-Za-z_]{3,40}$/.test(name))
}

function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const ms = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (ms >= 0) return ms
  const value = headers['retry-after']?.trim()
  if (value === undefined || value === '') return undefined
  const seconds = Number(value)
  const wait = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}
