/** A tool call in plain lines: what it did, and the matches in its parameters or result. */
import { redactVisible } from '../../core/redact.ts'
import { clip, stripControls } from '../../core/text.ts'
import { safeAround, safeLines } from '../../index/safe-lines.ts'
import { isWords } from '../../index/work-text.ts'
import { deedsOf } from '../../ledgers/deeds/deeds.ts'
import { openedParams, parsed } from '../../ledgers/deeds/json.ts'
import { resultOf } from '../../ledgers/deeds/result.ts'
import type { Term, WorkCall } from '../../store/work.ts'

const LONGEST_LINE = 240
const LONGEST_COMMAND = 400
const MOST_FILES = 4
const MOST_PLACES = 3
const MOST_LINES = 4
const AROUND = 20_000

export interface WorkText {
  readonly content: string
  readonly excerpt: string
}

export function workText(call: WorkCall, terms: readonly Term[], project: string | null): WorkText {
  const row = { tool_name: call.tool, params_json: call.params_json, result_json: call.result_json, status: call.status }
  const deeds = deedsOf(row)
  const head = shown(headOf(call, deeds, project), LONGEST_COMMAND)
  const result = resultOf(row).coloured
  const params = paramText(openedParams(parsed(call.params_json)))
  const inResult = placesIn(result, terms)
  const inHead = terms.some((term) => pattern(term).test(head))
  const places = (inResult.length > 0 || inHead ? inResult : placesIn(params, terms)).slice(0, MOST_PLACES)
  const lines = places.length > 0 ? [] : safeLines(result, deeds.lines.slice(0, MOST_LINES)).map((line) => shown(line, LONGEST_LINE))
  const failed = call.failed === 1 ? '(failed)' : ''
  const first = [head, failed].filter(Boolean).join(' ')
  const found = places.map(({ lines: around }) => around.join('\n'))
  const content = [first, ...lines, ...distinct(found, head)].join('\n')
  const best = holdingMost(places, terms)?.line
  const excerpt = best === undefined || head.includes(best) ? [first, ...lines.slice(0, 2)].join('\n') : `${first}\n${best}`
  return { content: redactVisible(content), excerpt: redactVisible(excerpt) }
}

/** `Bash: go test ./...`, `Edit: src/a.ts`, `Grep: "pattern"`. */
function headOf(call: WorkCall, deeds: ReturnType<typeof deedsOf>, project: string | null): string {
  const tool = call.tool ?? 'a tool'
  const files = deeds.files.map(({ path }) => relative(path, project))
  const what =
    deeds.commands[0] ??
    ([...deeds.patterns.slice(0, 2).map((text) => JSON.stringify(text)), ...new Set(files)].slice(0, MOST_FILES).join(', ') ||
      deeds.urls[0] ||
      paramText(openedParams(parsed(call.params_json))))
  return `${tool}: ${redactVisible(what.slice(0, AROUND)).replace(/\s*\n\s*/g, ' ⏎ ')}`
}

/** Relative to the project if inside it. */
export function relative(path: string, project: string | null): string {
  const root = project === null ? '' : `${project.replaceAll('\\', '/').replace(/\/+$/, '')}/`
  return root.length > 1 && path.startsWith(root) ? path.slice(root.length) : path
}

function paramText(params: unknown): string {
  if (typeof params === 'string') return params
  if (typeof params !== 'object' || params === null) return ''
  return Object.entries(params)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : isWords(value) ? value.join(' ') : JSON.stringify(value)}`)
    .join('\n')
}

interface Place {
  readonly line: string
  readonly lines: readonly string[]
}

/** Phrases first, one match per line. Redacts before it splits into lines. */
function placesIn(text: string, terms: readonly Term[]): Place[] {
  const around = safeAround(text)
  const places = new Map<string, { at: number; place: Place }>()
  for (const term of terms.toSorted((a, b) => b.words.length - a.words.length)) {
    // Colour codes may split a phrase.
    const at = pattern(term).exec(text)?.index ?? (text.includes('\u001b') ? 0 : undefined)
    if (at === undefined) continue
    const safe = around(at)
    const match = pattern(term).exec(safe)
    if (match === null) continue
    const start = safe.lastIndexOf('\n', match.index) + 1
    const place = placeAt(safe, { start, end: endOfLine(safe, match.index + match[0].length), at: match.index })
    if (!places.has(place.line)) places.set(place.line, { at, place })
    if (places.size === MOST_PLACES) break
  }
  return [...places.values()].sort((a, b) => a.at - b.at).map(({ place }) => place)
}

/** "exit status 128" must not match the line "Exit code 1", though that comes first. */
function holdingMost(places: readonly Place[], terms: readonly Term[]): Place | undefined {
  const held = ({ line }: Place) => terms.filter((term) => pattern(term).test(line)).length
  return places.toSorted((a, b) => held(b) - held(a))[0]
}

function placeAt(text: string, { start, end, at }: { start: number; end: number; at: number }): Place {
  const before = start === 0 ? '' : text.slice(text.lastIndexOf('\n', start - 2) + 1, start - 1)
  const after = end >= text.length ? '' : text.slice(end + 1, endOfLine(text, end + 1))
  // A line may be a whole file: keeps the part around the match.
  const line = shown(text.slice(start, end), LONGEST_LINE, at - start)
  return { line, lines: [shown(before, LONGEST_LINE), line, shown(after, LONGEST_LINE)].filter((one) => one.trim() !== '') }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/** Redacts before it cuts, so that no part of a secret stays. */
function shown(raw: string, max: number, at = 0): string {
  const from = Math.max(0, at - AROUND)
  const safe = stripControls(redactVisible(raw.slice(from, at + AROUND)).replace(/\t/g, '  ')).trimEnd()
  if (safe.length <= max) return safe
  const middle = Math.max(0, Math.min(at - from - Math.floor(max / 3), safe.length - max))
  return middle === 0 ? clip(safe, max) : `…${clip(safe.slice(middle), max - 1)}`
}

const patterns = new WeakMap<Term, RegExp>()

function pattern(term: Term): RegExp {
  let made = patterns.get(term)
  if (made === undefined) {
    const words = term.words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    made = new RegExp(`(?<![\\p{L}\\p{N}])${words.join('[^\\p{L}\\p{N}]{1,40}')}${term.prefix ? '' : '(?![\\p{L}\\p{N}])'}`, 'iu')
    patterns.set(term, made)
  }
  return made
}

function distinct(found: readonly string[], head: string): string[] {
  return [...new Set(found)].filter((text) => !head.includes(text))
}
