import { MnemonicError } from '../../core/error.ts'
import type { ConfigPart, TextPlace } from './part.ts'

const START = '# >>> mnemonic >>>'
const END = '# <<< mnemonic <<<'

export interface MarkedLines {
  readonly path: string
  readonly what: string
  readonly lines: readonly string[]
  readonly place: TextPlace
}

export function markedLines({ path, what, lines, place }: MarkedLines): ConfigPart {
  const block = [START, ...lines, END].join('\n')
  return {
    path,
    what,
    place,
    holds: (text) => rangeOf(path, text) !== undefined,
    add(text = '') {
      const range = rangeOf(path, text)
      if (range === undefined) return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${block}\n`
      return `${text.slice(0, range.start)}${block}\n${text.slice(range.end)}`
    },
    remove(text, before) {
      const range = rangeOf(path, text)
      if (range === undefined) return text
      const rest = text.slice(0, range.start) + text.slice(range.end)
      return rest === '' && before === undefined ? undefined : rest
    },
  }
}

function rangeOf(path: string, text: string): { start: number; end: number } | undefined {
  const start = lineAt(text, START, 0)
  if (start === -1) return undefined
  const end = lineAt(text, END, start)
  if (end === -1) {
    throw new MnemonicError('CONFIG_INVALID', `${path}, line ${text.slice(0, start).split('\n').length}: "${START}" has no end`, {
      details: { file: path },
      hint: `Remove that line and those of Mnemonic below it, or add the line "${END}". Nothing was changed.`,
    })
  }
  const after = text.indexOf('\n', end)
  return { start, end: after === -1 ? text.length : after + 1 }
}

function lineAt(text: string, line: string, from: number): number {
  for (let at = text.indexOf(line, from); at !== -1; at = text.indexOf(line, at + 1)) {
    const isStart = at === 0 || text[at - 1] === '\n'
    if (isStart && /^\s*$/.test(text.slice(at + line.length).split('\n', 1)[0] ?? '')) return at
  }
  return -1
}
