/**
 * The verdicts of a person on what the rules observe in conversations of others: where it stands and whether it is right, no word of the text.
 * What the rules were tuned on and what was kept apart is told by the conversation.
 */
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
  /** Eight hex digits of who and what: another reading of the same sentence is another observation. */
  readonly of: string
  readonly right: boolean
  /** It was found and wrong before the rules were mended: what it says of the half that was kept apart counts for the first sight of it. */
  readonly mended?: true
}

export const readLabels = (): Label[] => JSON.parse(readFileSync(FILE, 'utf8')) as Label[]
export function writeLabels(labels: readonly Label[]): void {
  writeFileSync(FILE, `[\n${labels.map((label) => JSON.stringify(label)).join(',\n')}\n]\n`)
}

export const keyOf = ({ set, message, start, end, type, of }: Omit<Label, 'right'>): string =>
  [set, message, start, end, type, of].join(' ')

/** Conversations of the second half were not looked at before the rules were done. */
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
