/** Human verdicts on observations: position and verdict, no text. The conversation tells tuning from held-out data. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Extracted, ExtractedObservation } from '../src/graph/extracted.ts'
import type { SetName } from './extraction-data.ts'

/** This file is compiled to bench/.out/bench. */
const FILE = new URL('../../../bench/labels/observations.json', import.meta.url)

export interface Label {
  readonly set: SetName
  readonly message: string
  readonly start: number
  readonly end: number
  readonly type: string
  /** Eight hex digits of the content: another reading of a sentence is another observation. */
  readonly of: string
  readonly right: boolean
  /** Found wrong before the rules were corrected: held-out data counts at first sight. */
  readonly mended?: true
}

export const readLabels = (): Label[] => JSON.parse(readFileSync(FILE, 'utf8')) as Label[]
export function writeLabels(labels: readonly Label[]): void {
  writeFileSync(FILE, `[\n${labels.map((label) => JSON.stringify(label)).join(',\n')}\n]\n`)
}

export const keyOf = ({ set, message, start, end, type, of }: Omit<Label, 'right'>): string =>
  [set, message, start, end, type, of].join(' ')

/** Not read before the rules were done. */
export function isKeptApart(message: string): boolean {
  let hash = 0
  for (const letter of message.slice(0, message.lastIndexOf('#'))) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0
  return hash % 2 === 1
}

export function ofObservation(
  { entities }: Extracted,
  { subject, object }: ExtractedObservation,
  hash: (...parts: string[]) => string,
): string {
  const name = (ref: string) => entities.find((entity) => entity.ref === ref)?.name ?? ref
  return hash(name(subject), 'ref' in object ? name(object.ref) : object.literal)
}
