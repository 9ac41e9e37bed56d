/** Slow inputs for the sanitizer: time ratio for ten times the text. */
import { HOSTILE_KINDS, timeSanitizer } from '../test/helpers/sanitizer-timing.ts'
import type { BenchContext } from './run.ts'
import { milliseconds, table } from './table.ts'

const BOUND = 12

export async function sanitizerBench({ full, print }: BenchContext): Promise<void> {
  const timings = HOSTILE_KINDS.map((kind) => timeSanitizer(kind, { runs: full ? 30 : 10 }))
  const rows = timings.map(({ kind, smallMs, largeMs, ratio }) => [
    ...[kind, milliseconds(smallMs), milliseconds(largeMs), ratio.toFixed(1)],
    ratio <= BOUND ? 'yes' : 'no',
  ])
  print(table('Sanitizer: 1 MB against 100 KB of hostile text', ['text', '100 KB, ms', '1 MB, ms', 'ratio', `≤ ${BOUND}`], rows))
}
