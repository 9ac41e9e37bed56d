/** What is said where no sync has ended yet: hooks may have captured sessions all the same. */

export function neverSynced(isEmpty: boolean): string {
  return isEmpty ? 'nothing is imported yet: mnemonic sync' : 'only what hooks captured is known so far; to import the rest: mnemonic sync'
}
