import { parse, TomlError } from 'smol-toml'
import { MnemonicError } from '../../core/error.ts'
import { valueAt } from './entries.ts'
import type { ConfigPart } from './part.ts'

export interface TomlConfig {
  readonly path: string
  readonly what: string
  readonly table: readonly string[]
  readonly value: { readonly command: string; readonly args: readonly string[] }
  readonly isOurs: (found: unknown) => boolean
}

export function tomlConfig(config: TomlConfig): ConfigPart {
  return {
    path: config.path,
    what: config.what,
    holds: (text) => config.isOurs(valueAt(parsed(config, text), config.table)),
    add(text = '') {
      const found = valueAt(parsed(config, text), config.table)
      if (found === undefined) return checked(config, text, withTable(config, text, tableText(config)))
      if (!config.isOurs(found)) throw taken(config, text)
      if (JSON.stringify(pick(found)) === JSON.stringify(pick(config.value))) return text
      return checked(config, text, moved(config, text))
    },
    remove(text, before) {
      if (!config.isOurs(valueAt(parsed(config, text), config.table))) return text
      const ours = sectionsOf(config, text).map(({ start, end }) => text.slice(start, end))
      const own = ours.join('').trimEnd()
      if (before === undefined && withTable(config, '', own) === text) return undefined
      if (before !== undefined && withTable(config, before, own) === text) return before
      return checked(config, text, without(config, text))
    },
  }
}

const SAYS = '# Written by "mnemonic install codex"; "mnemonic uninstall codex" removes it.'

function tableText({ table, value: { command, args } }: TomlConfig): string {
  const list = args.map((one) => JSON.stringify(one)).join(', ')
  return [SAYS, `[${table.join('.')}]`, `command = ${JSON.stringify(command)}`, `args = [${list}]`].join('\n')
}

/** At the end, so that it takes no key from another table. */
function withTable(_config: TomlConfig, text: string, table: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol
  return `${text}${gap}${table.replace(/\r?\n/g, eol)}${eol}`
}

interface Section {
  readonly start: number
  readonly end: number
}

const HEADER = /^[ \t]*\[{1,2}[^\]\n]*\]{1,2}[ \t]*(?:#.*)?\r?$/

function sectionsOf(config: TomlConfig, text: string): Section[] {
  const lines = linesOf(text)
  const name = config.table.map((part) => `(?:${part}|"${part}"|'${part}')`).join('[ \\t]*\\.[ \\t]*')
  const own = new RegExp(`^[ \\t]*\\[[ \\t]*${name}[ \\t]*(?:\\.[^\\]]*)?\\][ \\t]*(?:#.*)?\\r?$`)
  const sections: Section[] = []
  for (let i = 0; i < lines.length; i++) {
    if (!own.test(lines[i]?.text ?? '')) continue
    let last = i
    for (let j = i + 1; j < lines.length && !HEADER.test(lines[j]?.text ?? ''); j++) {
      // Comments and empty lines before the next table belong to that table.
      if (!/^\s*(?:#.*)?$/.test(lines[j]?.text ?? '')) last = j
    }
    const first = lines[i - 1]?.text.trimEnd() === SAYS ? i - 1 : i
    sections.push({ start: lines[first]?.start ?? 0, end: lines[last]?.end ?? text.length })
    i = last
  }
  return sections
}

interface Line extends Section {
  /** Without line end. A line inside a multi-line string is given as "x". */
  readonly text: string
}

const LONG_STRING = /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#.*/g

function linesOf(text: string): Line[] {
  const inside = [...text.matchAll(LONG_STRING)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }))
  const lines: Line[] = []
  for (let start = 0; start < text.length; ) {
    const at = text.indexOf('\n', start)
    const end = at === -1 ? text.length : at + 1
    const isInside = inside.some((string) => string.start < start && start < string.end)
    lines.push({ text: isInside ? 'x' : text.slice(start, end).replace(/\n$/, ''), start, end })
    start = end
  }
  return lines
}

function without(config: TomlConfig, text: string): string {
  const sections = sectionsOf(config, text)
  if (sections.length === 0) throw byHand(config)
  let now = text
  for (const { start, end } of sections.reverse()) {
    const before = now.slice(0, start)
    // Also removes the empty line that we added.
    now = (/\n\r?\n$/.test(before) ? before.replace(/\r?\n$/, '') : before) + now.slice(end)
  }
  return now
}

/** Updates the program's path and keeps other changes of the person. */
function moved(config: TomlConfig, text: string): string {
  const [section] = sectionsOf(config, text)
  if (section === undefined) throw byHand(config)
  const { command, args } = config.value
  const list = args.map((one) => JSON.stringify(one)).join(', ')
  const table = text
    .slice(section.start, section.end)
    .replace(/^([ \t]*command[ \t]*=[ \t]*).*?(\r?)$/m, (_, key: string, end: string) => `${key}${JSON.stringify(command)}${end}`)
    .replace(/^([ \t]*args[ \t]*=[ \t]*)\[[^\]]*\].*?(\r?)$/m, (_, key: string, end: string) => `${key}[${list}]${end}`)
  return text.slice(0, section.start) + table + text.slice(section.end)
}

function pick(value: unknown): unknown[] {
  return [valueAt(value, ['command']), valueAt(value, ['args'])]
}

/** Throws if the result does not parse or differs outside our table. */
function checked(config: TomlConfig, before: string, after: string): string {
  const rest = (text: string) => {
    const tree = structuredClone(parsed(config, text)) as Record<string, unknown>
    for (let end = config.table.length; end > 0; end--) {
      const holder = valueAt(tree, config.table.slice(0, end - 1)) as Record<string, unknown> | undefined
      const key = config.table[end - 1] as string
      const held = holder?.[key]
      const isEmpty = end === config.table.length || (typeof held === 'object' && held !== null && Object.keys(held).length === 0)
      if (holder !== undefined && isEmpty) delete holder[key]
    }
    return JSON.stringify(tree)
  }
  if (rest(before) !== rest(after)) throw byHand(config)
  return after
}

function parsed(config: TomlConfig, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const reason = error.message.split('\n')[0]?.replace('Invalid TOML document: ', '')
    throw new MnemonicError('CONFIG_INVALID', `${config.path}, line ${error.line}: not valid TOML (${reason})`, {
      details: { file: config.path, line: error.line },
      hint: 'Correct that line, then run it again. Nothing was changed.',
      cause: error,
    })
  }
}

function lineOf(config: TomlConfig, text: string): number {
  const [section] = sectionsOf(config, text)
  const at = section?.start ?? Math.max(text.indexOf(config.table.at(-1) ?? ''), 0)
  return text.slice(0, at).split('\n').length
}

function taken(config: TomlConfig, text: string): MnemonicError {
  const line = lineOf(config, text)
  const key = config.table.join('.')
  return new MnemonicError('CONFIG_INVALID', `${config.path}, line ${line}: ${key} is there and is not Mnemonic's`, {
    details: { file: config.path, line, key },
    hint: 'Give that table another name, or remove it, then run it again. Nothing was changed.',
  })
}

function byHand(config: TomlConfig): MnemonicError {
  const key = config.table.join('.')
  return new MnemonicError('CONFIG_INVALID', `${config.path}: ${key} cannot be changed without changing more than it`, {
    details: { file: config.path, key },
    hint: `It is written in another form than Mnemonic writes. Change ${key} there by hand. Nothing was changed.`,
  })
}
