/** A request that cannot be answered is an answer that says why, and what to do, in words of tools. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { asMnemonicError } from '../core/error.ts'
import { escapeMarks } from '../core/marked-text.ts'
import { redactVisible } from '../core/redact.ts'
import { toolHint } from './hints.ts'

export function refusalText(thrown: unknown): string {
  const { code, message, hint } = asMnemonicError(thrown)
  return escapeMarks(`${code}: ${redactVisible(message)}${hint === undefined ? '' : `\nTry: ${toolHint(redactVisible(hint))}`}`)
}

/** The same where the protocol has no answer but an error: of resources and prompts. */
export function refusedRequest(thrown: unknown): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown
  const { code } = asMnemonicError(thrown)
  const isAsked = code === 'NOT_FOUND' || code === 'USAGE' || code === 'AMBIGUOUS_ID' || code === 'VALIDATION_ERROR'
  return new ProtocolError(isAsked ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError, refusalText(thrown))
}
