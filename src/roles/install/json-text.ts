/** Inserts or removes one value in JSON text. Comments, order, indentation, newlines and commas stay. */
import { createScanner, type Node, parseTree } from 'jsonc-parser'

/** Token kinds of jsonc-parser: its const enum does not exist at run time. */
const Token = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, space: 15 } as const

export type JsonPath = readonly (string | number)[]

export function nodeAt(root: Node | undefined, path: JsonPath): Node | undefined {
  let node = root
  for (const step of path) node = childOf(node, step)
  return node
}

function childOf(node: Node | undefined, step: string | number): Node | undefined {
  if (node?.type === 'array' && typeof step === 'number') return node.children?.[step]
  if (node?.type !== 'object') return undefined
  return node.children?.find(({ children }) => children?.[0]?.value === step)?.children?.[1]
}

export function insertInto(text: string, at: Node, key: string | undefined, value: unknown): string {
  const layout = layoutOf(text)
  const inside = text.slice(at.offset, at.offset + at.length)
  const last = at.children?.at(-1)
  const isOneLine = layout.minified || (last !== undefined && !inside.includes('\n'))
  const own = isOneLine ? '' : indentOf(text, at.offset) + layout.unit
  const space = layout.minified ? '' : ' '
  const written = isOneLine ? JSON.stringify(value) : spread(value, layout, own)
  const child = key === undefined ? written : `${JSON.stringify(key)}:${space}${written}`
  if (last === undefined) {
    const end = at.offset + at.length - 1
    const before = text.slice(0, end).trimEnd()
    const close = isOneLine ? '' : layout.eol + indentOf(text, at.offset)
    return `${before}${isOneLine ? '' : layout.eol + own}${child}${close}${text.slice(end)}`
  }
  const lastEnd = last.offset + last.length
  const comma = commaAfter(text, lastEnd, at.offset + at.length)
  // A comment on the same line belongs to the last child.
  const place = endOfLineComment(text, comma === undefined ? lastEnd : comma + 1)
  const before = comma === undefined ? `${text.slice(0, lastEnd)},${text.slice(lastEnd, place)}` : text.slice(0, place)
  const glue = isOneLine ? space : layout.eol + own
  return `${before}${glue}${child}${comma === undefined ? '' : ','}${text.slice(place)}`
}

export function removeAt(text: string, path: JsonPath): string {
  const root = parseTree(text, [], { allowTrailingComma: true })
  const value = nodeAt(root, path)
  const child = value?.parent?.type === 'property' ? value.parent : value
  const at = child?.parent
  if (child === undefined || at === undefined) return text
  const end = child.offset + child.length
  const close = at.offset + at.length - 1
  const siblings = at.children ?? []
  const index = siblings.indexOf(child)
  if (siblings.length === 1) {
    const inside = text.slice(at.offset + 1, child.offset) + text.slice(afterComma(text, end, close), close)
    return inside.trim() === ''
      ? text.slice(0, at.offset + 1) + text.slice(close)
      : text.slice(0, child.offset).trimEnd() + text.slice(afterComma(text, end, close))
  }
  const start = text.slice(0, child.offset).trimEnd().length
  const comma = commaAfter(text, end, close)
  if (comma !== undefined && index < siblings.length - 1) return text.slice(0, start) + text.slice(comma + 1)
  // The last child: removes the comma before it, unless the file uses trailing commas.
  if (comma !== undefined) return text.slice(0, start) + text.slice(comma + 1)
  const before = siblings[index - 1]
  const leading = before === undefined ? undefined : commaAfter(text, before.offset + before.length, child.offset)
  if (leading === undefined) return text
  return text.slice(0, leading) + text.slice(leading + 1, start > leading ? start : leading + 1) + text.slice(end)
}

export function replaceAt(text: string, path: JsonPath, value: unknown): string {
  const node = nodeAt(parseTree(text, [], { allowTrailingComma: true }), path)
  if (node === undefined) return text
  const layout = layoutOf(text)
  const isOneLine = layout.minified || !text.slice(node.offset, node.offset + node.length).includes('\n')
  const written = isOneLine ? JSON.stringify(value) : spread(value, layout, indentOf(text, node.offset))
  return text.slice(0, node.offset) + written + text.slice(node.offset + node.length)
}

interface Layout {
  readonly eol: string
  readonly unit: string
  readonly minified: boolean
}

function layoutOf(text: string): Layout {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const unit = /^([ \t]+)["\]}[{/]/m.exec(text)?.[1] ?? '  '
  return { eol, unit: unit.startsWith('\t') ? '\t' : unit, minified: !text.trim().includes('\n') && /[:[]/.test(text) }
}

function indentOf(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

function spread(value: unknown, { eol, unit }: Layout, own: string): string {
  const text = JSON.stringify(value, null, unit).replace(/\[\s*((?:"(?:[^"\\]|\\.)*"(?:,\s*)?)*)\s*\]/g, (list: string, items: string) =>
    items === '' ? list : `[${items.replace(/,\s*(?=")/g, ', ').trimEnd()}]`,
  )
  return text.replaceAll('\n', eol + own)
}

function commaAfter(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text.slice(0, to), false)
  scanner.setPosition(from)
  for (;;) {
    const token: number = scanner.scan()
    if (token === Token.comma) return scanner.getTokenOffset()
    if (!isBetween(token)) return undefined
  }
}

function afterComma(text: string, from: number, to: number): number {
  const comma = commaAfter(text, from, to)
  return comma === undefined ? from : comma + 1
}

function isBetween(token: number): boolean {
  return token >= Token.lineComment && token <= Token.space
}

function endOfLineComment(text: string, from: number): number {
  const scanner = createScanner(text, false)
  scanner.setPosition(from)
  let end = from
  for (;;) {
    const token: number = scanner.scan()
    const isComment = token === Token.lineComment || token === Token.blockComment
    if (!isComment && token !== Token.space) return end
    if (isComment) end = scanner.getTokenOffset() + scanner.getTokenLength()
  }
}
