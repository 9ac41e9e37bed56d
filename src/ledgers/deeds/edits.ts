/** Works by parameter names (`params.ts`). Pure. */
import { isRecord, openedParams, valuesOf } from './json.ts'
import { isPatch } from './patch.ts'
import { plainPath } from './path.ts'
import { resultOf, type ToolCall } from './result.ts'
import { toolKind } from './tools.ts'

export interface FileEdit {
  readonly path: string
  readonly movedFrom?: string
  readonly hunks: readonly EditHunk[]
}

export interface EditHunk {
  /** Undefined if the call wrote the whole file and nothing shows the old content. */
  readonly old: readonly string[] | undefined
  readonly new: readonly string[]
  /** Context lines, nearest last and nearest first. White space may differ from the file's. */
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** False if the first and last lines may be partial. */
  readonly isWholeLines: boolean
}

type Fields = Readonly<Record<string, unknown>>

const LONGEST = 2_000_000
const MOST_HUNKS = 200
const MOST_FILES = 50
const DEEPEST = 3
const CONTEXT = 12

export function editsOf(call: ToolCall): FileEdit[] {
  const values = valuesOf(call)
  const result = resultOf(call, values.result)
  if (result.failed || result.refused) return []
  const params = openedParams(values.params)
  const folder = isRecord(params) ? text(params, 'workdir', 'cwd', 'working_directory') : undefined
  const patches = patchesIn(params, 0)
  if (patches.length > 0) return patches.flatMap((patch) => patchEdits(patch, folder)).slice(0, MOST_FILES)
  if (!isRecord(params)) return []
  const changes = isRecord(params.changes) ? params.changes : undefined
  if (changes !== undefined) return changeEdits(changes, folder)
  const path = plainPath(
    text(params, 'file_path', 'filePath', 'path', 'target_file', 'notebook_path', 'absolute_path', 'filename', 'file', 'relative_path') ??
      '',
    folder,
  )
  if (path === undefined) return []
  const hunks = namedHunks(params, { kind: toolKind(call.tool_name), existed: result.existed })
  return hunks.length === 0 ? [] : [{ path, hunks: withContext(hunks.slice(0, MOST_HUNKS), structuredPatch(values.result)) }]
}

function text(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string' && value.length <= LONGEST) return value
  }
  return undefined
}

const lines = (value: string): string[] => value.replaceAll('\r\n', '\n').split('\n')
/** A trailing newline starts no line. */
const wholeFile = (value: string): string[] => lines(value.replace(/\r?\n$/, ''))
const bare = { before: [], after: [] } as const

function namedHunks(params: Fields, { kind, existed }: { kind: string; existed: boolean | undefined }): EditHunk[] {
  const many = Array.isArray(params.edits) ? params.edits.filter(isRecord) : []
  const replaced = (many.length > 0 ? many : [params]).flatMap((one) => replacedText(one))
  if (replaced.length > 0) return replaced
  const inserted = params.command === 'insert' || kind === 'edit' ? text(params, 'insert_text', 'new_str', 'content_to_insert') : undefined
  if (inserted !== undefined) return [{ old: [], new: lines(inserted.replace(/\n$/, '')), ...bare, isWholeLines: true }]
  const whole = text(params, 'content', 'file_text', 'contents', 'text', 'code_content', 'new_source')
  if (whole === undefined || (kind !== 'create' && kind !== 'edit' && params.command !== 'create')) return []
  return [{ old: existed === false ? [] : undefined, new: wholeFile(whole), ...bare, isWholeLines: true }]
}

function replacedText(one: Fields): EditHunk[] {
  const old = text(one, 'old_string', 'oldString', 'old_str', 'oldText', 'old_text', 'search', 'old_code')
  const fresh = text(one, 'new_string', 'newString', 'new_str', 'newText', 'new_text', 'replace', 'new_code')
  if (old === undefined || fresh === undefined) return []
  // Gemini and others create a file by replacing nothing.
  return [{ old: old === '' ? [] : lines(old), new: lines(fresh), ...bare, isWholeLines: old === '' }]
}

function patchesIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return value.length <= LONGEST && isPatch(value) ? [value] : []
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return []
  return Object.values(value)
    .slice(0, 100)
    .flatMap((item) => patchesIn(item, depth + 1))
}

function patchEdits(patch: string, folder: string | undefined): FileEdit[] {
  const edits: { path: string; movedFrom?: string; hunks: EditHunk[] }[] = []
  let current: (typeof edits)[number] | undefined
  let body: string[] = []
  const flush = () => {
    if (current !== undefined && body.length > 0) current.hunks.push(...diffHunks(body))
    body = []
  }
  for (const line of lines(patch)) {
    const header = /^\*\*\* (Add File|Update File|Delete File|Move to): (.{1,400})$/.exec(line)
    const path = header === null ? undefined : plainPath(header[2] as string, folder)
    if (header?.[1] === 'Move to') {
      if (current !== undefined && path !== undefined) {
        current.movedFrom = current.path
        current.path = path
      }
    } else if (header !== null) {
      flush()
      current = path === undefined || header[1] === 'Delete File' ? undefined : { path, hunks: [] }
      if (current !== undefined) edits.push(current)
    } else if (/^\*\*\* (?:End Patch|End of File|Begin Patch)/.test(line)) flush()
    else if (line.startsWith('@@')) flush()
    else body.push(line)
  }
  flush()
  return edits.filter(({ hunks, movedFrom }) => hunks.length > 0 || movedFrom !== undefined)
}

/** Codex lists changes by file name. */
function changeEdits(changes: Fields, folder: string | undefined): FileEdit[] {
  return Object.entries(changes)
    .slice(0, MOST_FILES)
    .flatMap(([name, change]) => {
      const from = plainPath(name, folder)
      if (from === undefined || !isRecord(change)) return []
      const inner = isRecord(change.add) ? change.add : isRecord(change.update) ? change.update : change
      const moved = plainPath(text(inner, 'move_path') ?? '', folder)
      const content = change.type === 'add' || change.add !== undefined ? text(inner, 'content') : undefined
      const diff = text(inner, 'unified_diff')
      const whole: EditHunk[] = content === undefined ? [] : [{ old: [], new: wholeFile(content), ...bare, isWholeLines: true }]
      const hunks = diff === undefined ? whole : diffHunks(lines(diff))
      if (hunks.length === 0 && moved === undefined) return []
      return [{ path: moved ?? from, ...(moved === undefined ? {} : { movedFrom: from }), hunks: hunks.slice(0, MOST_HUNKS) }]
    })
}

function diffHunks(body: readonly string[]): EditHunk[] {
  const signed = body.filter((line) => !/^(?:---|\+\+\+) /.test(line) && !line.startsWith('\\'))
  const hunks: EditHunk[] = []
  for (let at = 0; at < signed.length; ) {
    if (!isChange(signed[at])) {
      at++
      continue
    }
    const from = at
    while (at < signed.length && isChange(signed[at])) at++
    const run = signed.slice(from, at)
    const context = (some: readonly string[]) => some.filter((line) => line.startsWith(' ') || line === '').map((line) => line.slice(1))
    let start = from
    while (start > 0 && from - start < CONTEXT && !isChange(signed[start - 1]) && !signed[start - 1]?.startsWith('@@')) start--
    let end = at
    while (end < signed.length && end - at < CONTEXT && !isChange(signed[end]) && !signed[end]?.startsWith('@@')) end++
    hunks.push({
      old: run.filter((line) => line.startsWith('-')).map((line) => line.slice(1)),
      new: run.filter((line) => line.startsWith('+')).map((line) => line.slice(1)),
      ...{ before: context(signed.slice(start, from)), after: context(signed.slice(at, end)), isWholeLines: true },
    })
    if (hunks.length === MOST_HUNKS) break
  }
  return hunks
}

function isChange(line: string | undefined): boolean {
  return line !== undefined && (line.startsWith('+') || line.startsWith('-'))
}

/** Claude Code adds hunks to its result. */
function structuredPatch(result: unknown): string[][] {
  const noted = isRecord(result) && isRecord(result.toolUseResult) ? result.toolUseResult.structuredPatch : undefined
  if (!Array.isArray(noted)) return []
  return noted.slice(0, MOST_HUNKS).flatMap((hunk) => {
    if (!isRecord(hunk) || !Array.isArray(hunk.lines)) return []
    return [hunk.lines.map((line) => (typeof line === 'string' ? line : ' \u0000'))]
  })
}

/** Normalizes white space: Claude Code's notes turn tabs into spaces. */
export function lineKey(line: string): string {
  return line.trim().replace(/\s+/g, ' ')
}

export const UNKNOWN_LINE = '\u0000'

function withContext(hunks: readonly EditHunk[], patches: readonly string[][]): EditHunk[] {
  if (patches.length === 0) return [...hunks]
  return hunks.map((hunk) => {
    if (hunk.old === undefined) return rewritten(hunk, patches)
    const placed = patches.flatMap((patch) => {
      const side = patch.filter((line) => !line.startsWith('-')).map((line) => line.slice(1))
      const at = placeOf(hunk, side)
      return at === undefined ? [] : [{ side, at }]
    })
    const [only] = placed
    if (only === undefined || placed.length > 1) return hunk
    const end = only.at + hunk.new.length
    return {
      ...hunk,
      before: only.side.slice(Math.max(0, only.at - CONTEXT), only.at),
      after: only.side.slice(end, end + CONTEXT),
      isWholeLines: hunk.isWholeLines || wholeAt(hunk, only.side, only.at),
    }
  })
}

function placeOf({ new: fresh }: EditHunk, side: readonly string[]): number | undefined {
  const keys = side.map(lineKey)
  const wanted = fresh.map(lineKey)
  const found: number[] = []
  for (let at = 0; at + wanted.length <= keys.length && found.length < 2; at++) {
    const fits = wanted.every((key, i) => {
      const there = keys[at + i] as string
      if (there === key || there === UNKNOWN_LINE) return true
      if (wanted.length === 1) return there.includes(key)
      return i === 0 ? there.endsWith(key) : i === wanted.length - 1 && there.startsWith(key)
    })
    if (fits) found.push(at)
  }
  return found.length === 1 ? found[0] : undefined
}

function wholeAt({ new: fresh }: EditHunk, side: readonly string[], at: number): boolean {
  const first = lineKey(fresh[0] ?? '')
  const last = lineKey(fresh.at(-1) ?? '')
  return lineKey(side[at] ?? '') === first && lineKey(side[at + fresh.length - 1] ?? '') === last
}

/** Whole-file overwrite: lines not marked as added existed before. */
function rewritten(hunk: EditHunk, patches: readonly string[][]): EditHunk {
  const added = new Map<string, number>()
  for (const line of patches.flat()) {
    if (!line.startsWith('+')) continue
    const key = lineKey(line.slice(1))
    added.set(key, (added.get(key) ?? 0) + 1)
  }
  const old = hunk.new.filter((line) => {
    const left = added.get(lineKey(line)) ?? 0
    if (left > 0) added.set(lineKey(line), left - 1)
    return left === 0
  })
  return { ...hunk, old }
}
