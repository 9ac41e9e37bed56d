/** Turns a failed tool call into an answer with reason and advice, in terms of tools. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { asMnemonicError } from '../core/error.ts'
import { escapeMarks } from '../core/marked-text.ts'
import { redactVisible } from '../core/redact.ts'
import { toolHint } from './hints.ts'

export function refusalText(thrown: unknown): string {
  const { code, message, hint } = asMnemonicError(thrown)
  return escapeMarks(`${code}: ${redactVisible(message)}${hint === undefined ? '' : `\nTry: ${toolHint(redactVisible(hint))}`}`)
}

/** For resources and prompts, whose only failure is a protocol error. */
export function refusedRequest(thrown: unknown): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown
  const { code } = asMnemonicError(thrown)
  const isAsked = code === 'NOT_FOUND' || code === 'USAGE' || code === 'AMBIGUOUS_ID' || code === 'VALIDATION_ERROR'
  return new ProtocolError(isAsked ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError, refusalText(thrown))
}
