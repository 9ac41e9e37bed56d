/** Reads config.yaml strictly. Never writes it and never follows an alias. */
import { lstatSync, readFileSync, statSync } from 'node:fs'
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type ScalarTag, visit, type YAMLError } from 'yaml'
import { configInvalid } from './problem.ts'
import { emptyTree, isMapping, type KeyPath, type Tree } from './tree.ts'

export interface ConfigFile {
  readonly tree: Tree
  /** Falls back to the line of the nearest parent mapping. */
  lineOf(path: KeyPath): number | undefined
  /** Permission bits; 0 if the platform has none. */
  readonly mode: number
}

const MAX_BYTES = 256 * 1024
const MAX_DEPTH = 50

/**
 * Returns undefined only if the file does not exist. Any other failure, even a broken symlink, throws CONFIG_INVALID: continuing would
 * ignore the file's privacy settings.
 */
export function readConfigFile(file: string): ConfigFile | undefined {
  const raw = readRaw(file)
  if (raw === undefined) return undefined
  const lines = new LineCounter()
  const document = parse(raw.text, file, lines)
  const contents = document.contents as Node | null
  if (contents !== null && !(isScalar(contents) && contents.value === null) && !isMap(contents)) {
    throw configInvalid([{ file, problem: 'is not a mapping of keys to values', fix: 'Write "key: value" lines.' }])
  }
  return {
    tree: withoutNull(document.toJS()),
    lineOf: (path) => lineOf(document, lines, path),
    mode: raw.mode,
  }
}

function readRaw(file: string): { text: string; mode: number } | undefined {
  let bytes: Buffer
  let mode: number
  try {
    const stat = statSync(file)
    if (!stat.isFile()) throw configInvalid([{ file, problem: 'is not a file', fix: 'Put a YAML file there, or move it away.' }])
    if (stat.size > MAX_BYTES) throw tooLarge(file)
    mode = process.platform === 'win32' ? 0 : stat.mode & 0o777
    bytes = readFileSync(file)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' && lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined
    if (code === undefined || code === 'CONFIG_INVALID') throw error
    throw configInvalid([{ file, problem: `cannot be read (${code})`, fix: 'Make it readable for your user, or move it away.' }], error)
  }
  // The file may have grown since the stat.
  if (bytes.length > MAX_BYTES) throw tooLarge(file)
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), mode }
  } catch (error) {
    throw configInvalid([{ file, problem: 'is not UTF-8 text', fix: 'Save it as UTF-8.' }], error)
  }
}

function tooLarge(file: string): Error {
  return configInvalid([{ file, problem: `is larger than ${MAX_BYTES / 1024} KB`, fix: 'Keep only settings in it.' }])
}

type Parsed = ReturnType<typeof parseDocument>

function parse(text: string, file: string, lineCounter: LineCounter): Parsed {
  try {
    const document = parseDocument(text, {
      lineCounter,
      // Pretty errors quote the line, which may hold a secret.
      prettyErrors: false,
      strict: true,
      stringKeys: true,
      uniqueKeys: true,
      customTags: (tags) => tags.map((tag) => (isIntegerTag(tag) ? { ...tag, test: /^-?(?:0|[1-9][0-9]*)$/ } : tag)),
    })
    const [first] = [...document.errors, ...document.warnings]
    if (first !== undefined) throw syntaxError(first, document, { file, text, lineCounter })
    refuseAliasesAndDepth(document, file, lineCounter)
    return document
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(file)
    throw error
  }
}

/** Aliases would allow self-reference and exponential expansion. */
function refuseAliasesAndDepth(document: Parsed, file: string, lineCounter: LineCounter): void {
  visit(document, {
    Alias(_, alias) {
      const { line } = lineCounter.linePos(alias.range?.[0] ?? 0)
      const fix = 'Write the value out; put text that begins with * in quotes: "*.tmp".'
      throw configInvalid([{ file, line, problem: 'an alias (*…) is used', fix }])
    },
    Node(_, __, ancestors) {
      if (ancestors.length > MAX_DEPTH) throw tooDeep(file)
    },
  })
}

function tooDeep(file: string): Error {
  return configInvalid([{ file, problem: 'is nested too deeply', fix: 'Use only the keys that docs/configuration.md lists.' }])
}

/** Integers as in JSON. YAML would read the phone numbers +49… and 0049… as numbers. */
function isIntegerTag(tag: unknown): tag is ScalarTag {
  const { tag: name, format } = tag as ScalarTag
  return name === 'tag:yaml.org,2002:int' && format === undefined
}

const SYNTAX: Readonly<Record<string, readonly [problem: string, fix: string]>> = {
  TAB_AS_INDENT: ['a tab is used for indentation', 'Indent with spaces.'],
  MULTIPLE_DOCS: ['the file holds more than one document', 'Remove the "---" line and the document that does not belong there.'],
  TAG_RESOLVE_FAILED: ['a tag (!…) is not known', 'Remove the tag; put text that begins with ! in quotes.'],
  NON_STRING_KEY: ['a key is not plain text', 'Write "key: value".'],
  BAD_INDENT: ['the indentation is wrong, or a bracket is not closed', 'Indent all keys of one mapping by the same number of spaces.'],
  MISSING_CHAR: [
    'a character is missing (a quote, bracket, comma or colon)',
    'Close the quote or bracket that was opened before this line.',
  ],
}

interface Text {
  readonly file: string
  readonly text: string
  readonly lineCounter: LineCounter
}

function syntaxError(error: YAMLError, document: Parsed, { file, text, lineCounter }: Text): Error {
  const { line } = lineCounter.linePos(error.pos[0])
  if (error.code === 'DUPLICATE_KEY') {
    const key = keyAtOffset(document, error.pos[0])
    return configInvalid([{ file, line, key, problem: 'is given twice', fix: 'Keep one of the two.' }], error)
  }
  const code = /^ *\t/.test(text.split('\n')[line - 1] ?? '') ? 'TAB_AS_INDENT' : error.code
  const [problem, fix] = SYNTAX[code] ?? ['this is not valid YAML', 'Check quotes, colons, brackets and indentation at this line.']
  return configInvalid([{ file, line, problem, fix }])
}

function keyAtOffset(document: Parsed, offset: number): string | undefined {
  let found: string | undefined
  visit(document, {
    Pair(_, pair, ancestors) {
      if (!isScalar(pair.key) || pair.key.range?.[0] !== offset) return undefined
      const above = ancestors.flatMap((node) => ('key' in node && isScalar(node.key) ? [String(node.key.value)] : []))
      found = [...above, String(pair.key.value)].join('.')
      return visit.BREAK
    },
  })
  return found
}

function withoutNull(value: unknown): Tree {
  const tree = emptyTree()
  for (const [key, child] of Object.entries(value ?? {})) {
    tree[key] = child === null ? undefined : isMapping(child) ? withoutNull(child) : child
  }
  return tree
}

function lineOf(document: Parsed, lines: LineCounter, path: KeyPath): number | undefined {
  let node: unknown = document.contents
  let offset: number | undefined
  for (const segment of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(segment))
      if (pair === undefined) break
      offset = (pair.key as Node).range?.[0]
      node = pair.value
    } else if (isSeq(node) && typeof segment === 'number') {
      node = node.items[segment]
      offset = (node as Node | undefined)?.range?.[0] ?? offset
    } else break
  }
  return offset === undefined ? undefined : lines.linePos(offset).line
}
