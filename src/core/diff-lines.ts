/** Lines that two texts share, in order. */

/** Larger ranges compare only rare lines. */
const MOST_CELLS = 4_000_000

/** For each line of `b` its index in `a`, or -1. */
export function matchLines(a: readonly string[], b: readonly string[]): Int32Array {
  const match = new Int32Array(b.length).fill(-1)
  pair({ a, b, match }, [0, a.length], [0, b.length])
  return match
}

interface Pairing {
  readonly a: readonly string[]
  readonly b: readonly string[]
  readonly match: Int32Array
}

type Range = readonly [from: number, to: number]

function pair(texts: Pairing, [aFrom, aTo]: Range, [bFrom, bTo]: Range): void {
  const { a, b, match } = texts
  let [a0, b0, a1, b1] = [aFrom, bFrom, aTo, bTo]
  while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) match[b0++] = a0++
  while (a1 > a0 && b1 > b0 && a[a1 - 1] === b[b1 - 1]) match[--b1] = --a1
  if (a0 === a1 || b0 === b1) return
  const anchors = rareAnchors(texts, [a0, a1], [b0, b1])
  if (anchors.length > 0) {
    let [aAt, bAt] = [a0, b0]
    for (const [ai, bi] of [...anchors, [a1, b1] as const]) {
      pair(texts, [aAt, ai], [bAt, bi])
      if (ai < a1 && bi < b1) match[bi] = ai
      aAt = ai + 1
      bAt = bi + 1
    }
  } else if ((a1 - a0) * (b1 - b0) <= MOST_CELLS) longest(texts, [a0, a1], [b0, b1])
}

/** Unique lines of both sides, in the longest common order. */
function rareAnchors({ a, b }: Pairing, [a0, a1]: Range, [b0, b1]: Range): (readonly [number, number])[] {
  const once = (lines: readonly string[], from: number, to: number) => {
    const at = new Map<string, number>()
    for (let i = from; i < to; i++) at.set(lines[i] as string, at.has(lines[i] as string) ? -1 : i)
    return at
  }
  const inA = once(a, a0, a1)
  const pairs: [number, number][] = []
  for (const [line, bi] of once(b, b0, b1)) {
    const ai = inA.get(line) ?? -1
    if (ai >= 0 && bi >= 0) pairs.push([ai, bi])
  }
  pairs.sort((x, y) => x[1] - y[1])
  const piles: number[] = []
  const before = new Int32Array(pairs.length).fill(-1)
  for (const [i, [ai]] of pairs.entries()) {
    let [low, high] = [0, piles.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[piles[middle] as number] as [number, number])[0] < ai) low = middle + 1
      else high = middle
    }
    if (low > 0) before[i] = piles[low - 1] as number
    piles[low] = i
  }
  const chain: [number, number][] = []
  for (let i = piles.at(-1) ?? -1; i >= 0; i = before[i] as number) chain.push(pairs[i] as [number, number])
  return chain.reverse()
}

function longest({ a, b, match }: Pairing, [a0, a1]: Range, [b0, b1]: Range): void {
  const [n, m] = [a1 - a0, b1 - b0]
  const width = m + 1
  const length = new Uint32Array((n + 1) * width)
  for (let i = n - 1; i >= 0; i--)
    for (let j = m - 1; j >= 0; j--)
      length[i * width + j] =
        a[a0 + i] === b[b0 + j]
          ? (length[(i + 1) * width + j + 1] as number) + 1
          : Math.max(length[(i + 1) * width + j] as number, length[i * width + j + 1] as number)
  for (let i = 0, j = 0; i < n && j < m; ) {
    if (a[a0 + i] === b[b0 + j]) match[b0 + j++] = a0 + i++
    else if ((length[(i + 1) * width + j] as number) >= (length[i * width + j + 1] as number)) i++
    else j++
  }
}
