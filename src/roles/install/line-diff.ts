type Step = { readonly sign: ' ' | '-' | '+'; readonly line: string }

const CONTEXT = 3

export function lineDiff(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return ''
  const steps = stepsOf(linesOf(before ?? ''), linesOf(after ?? ''))
  const head = [`--- ${before === undefined ? '/dev/null' : path}`, `+++ ${after === undefined ? '/dev/null' : path}`]
  return [...head, ...hunks(steps)].join('\n')
}

function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  // A carriage return would move the terminal's cursor.
  const shown = lines.map((line) => line.replace(/\r$/, ''))
  return text.endsWith('\n') ? shown.slice(0, -1) : shown
}

/** Myers' algorithm: its cost grows with the differences, not with the file. */
function stepsOf(a: readonly string[], b: readonly string[]): Step[] {
  const reached: Map<number, number>[] = []
  let furthest = new Map<number, number>([[1, 0]])
  for (let d = 0; d <= a.length + b.length; d++) {
    reached.push(new Map(furthest))
    const next = new Map(furthest)
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (next.get(k - 1) ?? -1) < (next.get(k + 1) ?? -1))
      let x = down ? (next.get(k + 1) ?? 0) : (next.get(k - 1) ?? 0) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      next.set(k, x)
      if (x >= a.length && x - k >= b.length) return wayBack(a, b, reached, d)
    }
    furthest = next
  }
  return []
}

function wayBack(a: readonly string[], b: readonly string[], reached: readonly Map<number, number>[], depth: number): Step[] {
  const steps: Step[] = []
  let x = a.length
  let y = b.length
  for (let d = depth; d >= 0; d--) {
    const at = reached[d] ?? new Map<number, number>()
    const k = x - y
    const down = k === -d || (k !== d && (at.get(k - 1) ?? -1) < (at.get(k + 1) ?? -1))
    const from = down ? k + 1 : k - 1
    const fromX = d === 0 ? 0 : (at.get(from) ?? 0)
    const fromY = d === 0 ? 0 : fromX - from
    while (x > fromX && y > fromY) {
      x--
      y--
      steps.push({ sign: ' ', line: a[x] ?? '' })
    }
    if (d === 0) break
    if (down) steps.push({ sign: '+', line: b[--y] ?? '' })
    else steps.push({ sign: '-', line: a[--x] ?? '' })
  }
  return steps.reverse()
}

function hunks(steps: readonly Step[]): string[] {
  const isShown = steps.map((_, i) => steps.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some(({ sign }) => sign !== ' '))
  const lines: string[] = []
  let oldLine = 1
  let newLine = 1
  steps.forEach(({ sign, line }, i) => {
    if (isShown[i]) {
      if (i === 0 || !isShown[i - 1]) lines.push(`@@ -${oldLine} +${newLine} @@`)
      lines.push(sign + line)
    }
    if (sign !== '+') oldLine++
    if (sign !== '-') newLine++
  })
  return lines
}
