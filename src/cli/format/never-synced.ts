/** Shown before the first sync has ended. Hooks may have captured sessions already. */

export function neverSynced(isEmpty: boolean): string {
  return isEmpty ? 'nothing is imported yet: mnemonic sync' : 'only what hooks captured is known so far; to import the rest: mnemonic sync'
}
