import { type CallValues, isRecord, openedParams } from '../../ledgers/deeds/json.ts'
import type { FileAction } from '../../ledgers/deeds/path.ts'
import { plainPath } from '../../ledgers/deeds/path.ts'
import { simpleCommands } from '../../ledgers/deeds/shell-words.ts'
import { toolKind } from '../../ledgers/deeds/tools.ts'

export interface FileText {
  readonly path: string
  readonly text: string
  readonly isWhole: boolean
  readonly action: FileAction
}

const PATHS = ['file_path', 'filePath', 'path', 'filename', 'file', 'target_file', 'absolute_path', 'notebook_path'] as const
const WRITTEN = ['content', 'contents', 'file_text', 'text', 'new_string', 'newString', 'new_str', 'code_edit', 'replacement'] as const
const NUMBERED = /^ {0,8}(\d{1,6})(?:→|\t|: |\| ?)/
const REMINDER = /<system-reminder>[\s\S]*?(?:<\/system-reminder>|$)/g
const WRAPPED = /^\s*<(?:file|content)(?:\s[^>]*)?>\n?([\s\S]*?)\n?(?:\(End of file[^)]*\)\s*)?<\/(?:file|content)>\s*$/

export function fileOf(tool: string | null, values: CallValues, resultText: () => string): FileText | undefined {
  const params = openedParams(values.params)
  if (!isRecord(params)) return undefined
  const kind = toolKind(tool)
  const path = firstText(params, PATHS)
  if (path !== undefined && kind === 'read') {
    const { text, start } = unnumbered(resultText())
    return { path, text, isWhole: start <= 1 && !isPart(params), action: 'read' }
  }
  if (path !== undefined && (kind === 'create' || kind === 'edit')) {
    const text = firstText(params, WRITTEN) ?? editedTexts(params.edits)
    return text === undefined ? undefined : { path, text, isWhole: kind === 'create', action: kind }
  }
  const command = kind === 'shell' ? commandOf(params) : undefined
  const shown = command === undefined ? undefined : shownFile(command)
  return shown === undefined ? undefined : { path: shown, text: unnumbered(resultText()).text, isWhole: true, action: 'read' }
}

export function pathOf(params: unknown): string | undefined {
  return isRecord(params) ? firstText(params, PATHS) : undefined
}

export function commandOf(params: unknown): string | undefined {
  if (typeof params === 'string') return params
  if (!isRecord(params)) return undefined
  return (
    firstText(params, ['command', 'cmd', 'script', 'commandLine', 'CommandLine', 'code', 'input']) ?? joined(params.command ?? params.cmd)
  )
}

function isPart({ offset, limit, start_line, end_line, view_range }: Readonly<Record<string, unknown>>): boolean {
  return [offset, limit, start_line, end_line, view_range].some((value) => value !== undefined && value !== null)
}

function firstText(params: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  for (const name of names) if (typeof params[name] === 'string' && params[name] !== '') return params[name]
  return undefined
}

function joined(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined
  const words = value.filter((word) => typeof word === 'string')
  return /sh$/.test(words[0] ?? '') && /^-[a-z]*c$/.test(words[1] ?? '') ? words[2] : words.join(' ')
}

function editedTexts(edits: unknown): string | undefined {
  if (!Array.isArray(edits)) return undefined
  const texts = edits.flatMap((edit) => (isRecord(edit) ? (firstText(edit, WRITTEN) ?? []) : []))
  return texts.length === 0 ? undefined : texts.join('\n')
}

/** `cat FILE`, `cd SUB && cat FILE`: one whole file. */
function shownFile(command: string): string | undefined {
  if (command.length > 500 || !/\b(?:cat|bat)\b/.test(command)) return undefined
  const simple = simpleCommands(command)
  if (simple === undefined || simple.some(({ bracket, piped }) => bracket !== undefined || piped)) return undefined
  let folder: string | undefined
  let shown: string | undefined
  for (const { words, redirects } of simple) {
    const [program, first, ...more] = words
    if (program?.text === 'cd' && first?.plain && more.length === 0) folder = plainPath(first.text, folder)
    else if (program?.text === 'cat' && first?.plain && more.length === 0 && redirects.length === 0 && shown === undefined)
      shown = plainPath(first.text, folder)
    else return undefined
  }
  return shown
}

/** Strips line numbers of tools and trailing notes of the harness. */
export function unnumbered(raw: string): { text: string; start: number } {
  const cut = raw.includes('<system-reminder>') ? raw.replace(REMINDER, '') : raw
  const inner = WRAPPED.exec(cut)?.[1] ?? cut
  const first = NUMBERED.exec(inner)
  if (first === null) return { text: inner, start: 1 }
  const lines = inner.split('\n')
  let numbered = 0
  const plain = lines.map((line) => {
    const found = NUMBERED.exec(line)
    if (found === null) return line
    numbered += 1
    return line.slice(found[0].length)
  })
  const filled = lines.filter((line) => line.trim() !== '').length
  return numbered >= filled * 0.8 ? { text: plain.join('\n'), start: Number(first[1]) } : { text: inner, start: 1 }
}
