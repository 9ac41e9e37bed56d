import type { Tombstones } from '../tombstones/tombstones.ts'

export function isForgottenEntity({ id, name }: { readonly id: string; readonly name: string }, tombstones: Tombstones): boolean {
  return tombstones.holds('entity', id) || tombstones.holds('entity', name.trim().toLowerCase()) || tombstones.holds('value', name)
}
