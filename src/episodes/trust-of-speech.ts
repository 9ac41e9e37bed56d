/** Ignores tool output: nobody reads it as speech. */
import { leastTrusted, type Trust } from '../core/trust.ts'

export function trustOfSpeech(messages: readonly { readonly role: string; readonly trust: string }[]): Trust {
  const labels = messages.filter(({ role }) => role === 'user' || role === 'assistant').map(({ trust }) => trust as Trust)
  return labels.length > 0 ? leastTrusted(labels) : leastTrusted(messages.map(({ trust }) => trust as Trust))
}
