import { countryOf, normalHandle } from './handle.ts'

export interface Reachable {
  readonly emails?: readonly string[]
  readonly phones?: readonly string[]
}

const known = new WeakMap<Reachable, ReadonlySet<string>>()

export function ownHandles(owner: Reachable): ReadonlySet<string> {
  const found = known.get(owner)
  if (found !== undefined) return found
  const { emails = [], phones = [] } = owner
  const country = countryOf(phones)
  const own = new Set([...emails, ...phones].map((raw) => normalHandle(raw, country)))
  known.set(owner, own)
  return own
}
