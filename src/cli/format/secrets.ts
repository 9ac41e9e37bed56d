import type { SecretList } from '../../library/index.ts'
import { table } from './layout.ts'
import { printable } from './printable.ts'
import { localTime } from './quantity.ts'

const DAY = '2026-09-14'.length
const FIXED = 84
const LEAST = 20

export function formatSecrets({ secrets }: SecretList, width: number): string {
  if (secrets.length === 0) return ''
  return table(
    [
      { title: 'kind' },
      { title: 'same' },
      { title: 'where' },
      { title: 'in', max: 14 },
      { title: 'day' },
      { title: 'file', max: Math.max(LEAST, width - FIXED) },
    ],
    secrets.map(({ kind, fingerprint, id, place, tool, at, path, source }) => [
      ...[kind, fingerprint.slice(0, 6), printable(id), printable(tool ?? place), at === null ? '' : localTime(at).slice(0, DAY)],
      printable(path ?? source),
    ]),
  )
}
