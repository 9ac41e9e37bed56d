/** An excerpt with code in it, row by row: each line of code is one, with its indentation; what is said between is one row. Pure. */
import type { SearchResult } from '../../library/index.ts'
import { shorten, width } from './layout.ts'
import { printable } from './printable.ts'
import { termsIn } from './terms.ts'
import { withoutMarkup } from './without-markup.ts'

const FENCE = /^\s*(?:[^\s:`][^:`\n]{0,40}: )?(?:`{3,}|~{3,})/
const LABEL_ALONE = /^[^\s:][^:]{0,40}:\s*$/
const LEFT_OUT = '…'
const TAB = '  '

/** Undefined where there is no code in it. */
export function codeRows({ excerpt, content, matched }: SearchResult): string[] | undefined {
  const code = codeIn(content)
  const rows: { text: string; isCode: boolean }[] = []
  for (const line of excerpt.split('\n')) {
    const isCode = code.has(line.trimEnd()) && line.trim() !== ''
    const last = rows.at(-1)
    if (line === LEFT_OUT || LABEL_ALONE.test(line) || line.trim() === '') continue
    if (!isCode && last !== undefined && !last.isCode) rows[rows.length - 1] = { text: `${last.text}\n${line}`, isCode }
    else rows.push({ text: line, isCode })
  }
  if (!rows.some(({ isCode }) => isCode)) return undefined
  return rows.map(({ text, isCode }) =>
    isCode ? printable(text.replaceAll('\t', TAB)).trimEnd() : withoutMarkup(printable(text), matched),
  )
}

/** The lines between fences. A text may begin in the middle of code: then what stands before a fence that names no language is code, too. */
function codeIn(content: string): ReadonlySet<string> {
  const parts = content.split('\n').reduce<string[][]>(
    (all, line) => {
      if (FENCE.test(line)) all.push([])
      else (all.at(-1) as string[]).push(line.trimEnd())
      return all
    },
    [[]],
  )
  return new Set(parts.flatMap((lines, i) => (i % 2 === 1 ? lines : [])))
}

/** So many of the rows, one after the other, that hold most of the words; cut at the right. */
export function bestRows(
  rows: readonly string[],
  terms: readonly string[],
  { width: cells, lines, free = 0 }: { readonly width: number; readonly lines: number; readonly free?: number },
): string[] {
  const worth = (from: number) =>
    new Set(termsIn(rows.slice(from, from + lines).join('\n'), terms).map(({ word }) => word.toLowerCase())).size
  let best = 0
  for (let from = 1; from + lines <= rows.length; from++) if (worth(from) > worth(best)) best = from
  const shown = rows.slice(best, best + lines)
  const indent = Math.min(...shown.map((row) => row.length - row.trimStart().length))
  return shown.map((row, i) => {
    const own = ' '.repeat(Math.min(row.length - row.trimStart().length - indent, cells >> 1))
    return own + shorten(row, cells - own.length - (i === lines - 1 && width(row) + free > cells ? free : 0))
  })
}
