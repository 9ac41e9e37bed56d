/** Who stands behind a text. The label travels with the text through every stage and is never raised on the way. */
export type Trust = 'owner' | 'agent' | 'contact' | 'untrusted'

const ORDER: readonly Trust[] = ['owner', 'agent', 'contact', 'untrusted']

export function isTrust(value: unknown): value is Trust {
  return ORDER.some((label) => label === value)
}

/** The least trusted of several: what a text made of them all deserves. */
export function leastTrusted(labels: Iterable<Trust>): Trust {
  let worst = 0
  for (const label of labels) worst = Math.max(worst, ORDER.indexOf(label))
  return ORDER[worst] ?? 'untrusted'
}
