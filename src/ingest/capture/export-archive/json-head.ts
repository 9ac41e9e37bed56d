/** What the first bytes of a JSON document tell of its shape: enough to say whose it is. Never throws, and needs no end. */

export interface JsonHead {
  /** What the document is; undefined where it begins like no JSON list or object. */
  readonly shape: 'list' | 'object' | undefined
  /** Of each object at hand (the document, or the elements of the list): its keys, and the first byte of each value, as text. */
  readonly objects: readonly ReadonlyMap<string, string>[]
}

/** How many bytes of a document are looked at. */
export const HEAD_BYTES = 64 * 1024

export function jsonHead(bytes: Buffer): JsonHead {
  const text = bytes.toString('latin1', bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0, HEAD_BYTES)
  const begin = /\S/.exec(text)?.index ?? 0
  const shape = text[begin] === '[' ? 'list' : text[begin] === '{' ? 'object' : undefined
  return { shape, objects: shape === undefined ? [] : objectsOf(text, begin, shape === 'list' ? 2 : 1) }
}

/** Tokens of JSON that matter here: strings, brackets and colons; a quote alone begins a string that is cut off. */
const TOKEN = /"([^"\\]*(?:\\.[^"\\]*)*)"|[[\]{}:"]/gs

function objectsOf(text: string, begin: number, level: number): Map<string, string>[] {
  const objects: Map<string, string>[] = []
  let depth = 0
  let last = ''
  TOKEN.lastIndex = begin
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const token = match[0]
    if (token === '"') break
    if (token === '{' || token === '[') {
      depth += 1
      if (depth === level && token === '{') objects.push(new Map())
    } else if (token === '}' || token === ']') depth -= 1
    else if (depth !== level) continue
    else if (token !== ':') last = match[1] as string
    else objects.at(-1)?.set(last, /\S/.exec(text.slice(TOKEN.lastIndex, TOKEN.lastIndex + 40))?.[0] ?? '')
  }
  return objects
}
