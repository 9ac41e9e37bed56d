/** The owner's addresses and numbers as sources write them. */
import { countryOf, normalHandle } from './handle.ts'

export function ownHandles({ emails, phones }: { readonly emails: readonly string[]; readonly phones: readonly string[] }): Set<string> {
  return new Set([...emails, ...phones].map((handle) => normalHandle(handle, countryOf(phones))))
}
