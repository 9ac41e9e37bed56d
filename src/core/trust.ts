/** Says whose text it is. It stays with the text through every stage and is never raised. */
export type Trust = 'owner' | 'agent' | 'contact' | 'untrusted'

const ORDER: readonly Trust[] = ['owner', 'agent', 'contact', 'untrusted']

export function isTrust(value: unknown): value is Trust {
  return ORDER.some((label) => label === value)
}

/** Trust of a text made from several. */
export function leastTrusted(labels: Iterable<Trust>): Trust {
  let worst = 0
  for (const label of labels) worst = Math.max(worst, ORDER.indexOf(label))
  return ORDER[worst] ?? 'untrusted'
}
