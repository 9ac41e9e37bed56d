/** Checks `memory_sentence_v1` for MEMORY.md. Reports every violation; changes nothing. */
import { redactSensitiveText } from '../core/redact.ts'
import { isCjk, oneLine } from '../core/text.ts'
import { type Anchor, readsAsCommand } from './memory-sentence-anchors.ts'
import { sentencesOf } from './plain-line.ts'

export type FloorReason =
  | 'too-few-words'
  | 'too-many-words'
  | 'no-terminal-punctuation'
  | 'no-anchor'
  | 'low-signal'
  | 'not-one-line'
  | 'not-one-sentence'
  | 'too-long'
  | 'secret'
  | 'instruction'

export const LEAST_WORDS = 12
export const MOST_WORDS = 48
/** Not in the spec: a text without spaces would count as few words. */
const LONGEST = 600

/** Empty templates, including those of the spec, without filler words. */
const LOW_SIGNAL = new Set(
  `investigated issue|worked task|reviewed code|fixed bug|fixed issue|updated code|made changes|helped user|answered question|wrote code|debugged issue|continued work`.split(
    '|',
  ),
)
const FILLERS = new Set(
  'the a an some various several user users and in on of for with this that session project repo repository'.split(' '),
)

export function sentenceFloor(sentence: string, anchors: readonly Anchor[]): FloorReason[] {
  const reasons: FloorReason[] = []
  const words = countWords(sentence)
  if (words < LEAST_WORDS) reasons.push('too-few-words')
  if (words > MOST_WORDS) reasons.push('too-many-words')
  if (!/[.!?]$/.test(sentence)) reasons.push('no-terminal-punctuation')
  if (!anchors.some((anchor) => containsAnchor(sentence, anchor.text))) reasons.push('no-anchor')
  if (isLowSignal(sentence)) reasons.push('low-signal')
  if (sentence !== oneLine(sentence, Number.POSITIVE_INFINITY) || !sentence.isWellFormed()) reasons.push('not-one-line')
  if (sentencesOf(sentence).length > 1) reasons.push('not-one-sentence')
  if (sentence.length > LONGEST) reasons.push('too-long')
  if (redactSensitiveText(sentence, { mode: 'tools' }) !== sentence) reasons.push('secret')
  // Quoted text reports an instruction and gives none.
  if (readsAsCommand(sentence.replace(/“[^“”]*”/g, ' '))) reasons.push('instruction')
  return reasons
}

/** Two characters count as a word in scripts without spaces. */
export function countWords(text: string): number {
  let words = 0
  for (const token of text.split(/\s+/)) {
    if (!/[\p{L}\p{N}]/u.test(token)) continue
    let ideographs = 0
    for (const character of token) if (isCjk(character.codePointAt(0) ?? 0)) ideographs++
    words += Math.max(1, Math.round(ideographs / 2))
  }
  return words
}

function containsAnchor(sentence: string, anchor: string): boolean {
  const text = sentence.toLowerCase()
  const wanted = anchor.toLowerCase()
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (!isWordPart(text.slice(at - 1, at)) && !isWordPart(text.slice(at + wanted.length, at + wanted.length + 1))) return true
  }
  return false
}

function isWordPart(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character)
}

function isLowSignal(sentence: string): boolean {
  const said = sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return LOW_SIGNAL.has(said.filter((word) => !FILLERS.has(word)).join(' ')) || LOW_SIGNAL.has(said.join(' '))
}
