import { redactVisible } from '../../core/redact.ts'
import { remembered } from '../../core/remembered.ts'
import { isRecord } from '../../ledgers/deeds/json.ts'
import type { Trial } from './trial.ts'

export interface LineChange {
  readonly file: string
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

const OLD = ['old_string', 'oldString', 'old_str', 'old_text', 'oldText', 'search', 'target_content', 'TargetContent']
const NEW = [
  'new_string',
  'newString',
  'new_str',
  'new_text',
  'newText',
  'replace',
  'replacement',
  'replacement_content',
  'ReplacementContent',
  'code_edit',
]
const LONGEST = 40_000
const LONGEST_LINE = 160
const MOST = 20
const MOST_COMPARED = 200

export function lineChanges({ kind, files, params }: Trial): LineChange[] {
  const patch = typeof params === 'string' ? params : isRecord(params) ? textAt(params, ['patch', 'input', 'command', 'diff']) : undefined
  if (patch?.includes('*** Begin Patch')) return ofPatch(patch)
  const file = files.find(({ action }) => action !== 'read')?.path
  if (file === undefined || !isRecord(params)) return []
  if (kind === 'create') return [{ file, removed: [], added: [] }]
  const all = Array.isArray(params.edits) ? params.edits.filter(isRecord) : [params]
  return all.slice(0, MOST).flatMap((one) => {
    const [before, after] = [textAt(one, OLD) ?? '', textAt(one, NEW) ?? '']
    return before === '' && after === '' ? [] : [changed(file, before, after)]
  })
}

export function editTexts(params: unknown): { before: string; after: string } | undefined {
  if (!isRecord(params)) return undefined
  const before = textAt(params, OLD)
  const after = textAt(params, NEW)
  return before === undefined && after === undefined ? undefined : { before: before ?? '', after: after ?? '' }
}

function textAt(from: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  for (const name of names) if (typeof from[name] === 'string') return from[name] as string
  return undefined
}

function changed(file: string, before: string, after: string): LineChange {
  const [old, now] = [linesOf(before), linesOf(after)]
  return change(file, old, now)
}

const safeText = remembered(redactVisible)

function linesOf(text: string): string[] {
  return safeText(text.length > LONGEST ? text.slice(0, text.lastIndexOf('\n', LONGEST)) : text).split('\n')
}

function change(file: string, old: readonly string[], now: readonly string[]): LineChange {
  const [removed, added] = [without(old, now, spaceless), without(now, old, spaceless)]
  if (removed.length > 0 || added.length > 0) return { file, removed, added }
  return { file, removed: without(old, now, String), added: without(now, old, String) }
}

/** Formatters realign neighbouring lines. */
function spaceless(line: string): string {
  return line.replace(/\s+/g, '')
}

function without(lines: readonly string[], others: readonly string[], keyOf: (line: string) => string): string[] {
  const left = new Map<string, number>()
  for (const line of others) left.set(keyOf(line), (left.get(keyOf(line)) ?? 0) + 1)
  return lines.filter((line) => {
    const count = left.get(keyOf(line)) ?? 0
    if (count > 0) left.set(keyOf(line), count - 1)
    return count === 0
  })
}

export function tellingLines({ removed, added }: LineChange, names: readonly string[]): { before?: string; after?: string } {
  const after = telling(added, names)
  const before = (after === undefined ? undefined : likest(removed, after)) ?? telling(removed, names)
  const cut = (line: string) => (before?.trim() === after?.trim() ? line.trimEnd() : line.trim()).slice(0, LONGEST_LINE).toWellFormed()
  return { ...(before === undefined ? {} : { before: cut(before) }), ...(after === undefined ? {} : { after: cut(after) }) }
}

const COMMENT = /^\s*(?:\/\/|#|\*|\/\*)/
const DIRECTIVE = /nolint|eslint-|@ts-|noqa|type: ignore|shellcheck|#!|#\[|#include|#define/

function telling(lines: readonly string[], names: readonly string[]): string | undefined {
  const said = lines.filter((one) => /\p{L}{2}/u.test(one) && (!COMMENT.test(one) || DIRECTIVE.test(one)))
  return said.find((one) => names.some((name) => one.includes(name))) ?? said[0] ?? lines.find((one) => /\S/.test(one))
}

function likest(lines: readonly string[], other: string): string | undefined {
  const words = new Set(wordsOf(other))
  let best: { line: string; share: number } | undefined
  for (const line of lines.slice(0, MOST_COMPARED)) {
    const own = wordsOf(line)
    const share = own.filter((word) => words.has(word)).length / Math.max(own.length, words.size, 1)
    if (share >= 0.5 && share > (best?.share ?? 0)) best = { line, share }
  }
  return best?.line
}

function wordsOf(line: string): string[] {
  return [...new Set(line.slice(0, LONGEST).match(/[\p{L}\p{N}_]+/gu))]
}

function ofPatch(patch: string): LineChange[] {
  const found: LineChange[] = []
  let file = ''
  let removed: string[] = []
  let added: string[] = []
  const end = () => {
    if (file !== '' && (removed.length > 0 || added.length > 0)) found.push(change(file, removed, added))
    removed = []
    added = []
  }
  for (const line of linesOf(patch)) {
    const named = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/.exec(line)?.[1]
    if (named !== undefined) {
      end()
      file = named.trim()
    } else if (line.startsWith('@@')) end()
    else if (line.startsWith('-')) removed.push(line.slice(1))
    else if (line.startsWith('+')) added.push(line.slice(1))
  }
  end()
  return found.slice(0, MOST)
}
