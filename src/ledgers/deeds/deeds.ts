/** Works by names of tools and parameters, never by harness. Pure; linear in time, bounded in output. */
import { openedParams, valuesOf } from './json.ts'
import { linesThatMatter } from './lines.ts'
import { namedDeeds } from './params.ts'
import type { FileAction, FileDeed } from './path.ts'
import { type CallResult, resultOf, type ToolCall } from './result.ts'
import { shellDeeds } from './shell.ts'
import { toolKind } from './tools.ts'

export type { FileAction, FileDeed, ToolCall }

export interface Deeds {
  readonly commands: readonly string[]
  /** A failed or refused call touched no files, unless it is a command. */
  readonly files: readonly FileDeed[]
  readonly patterns: readonly string[]
  readonly urls: readonly string[]
  readonly lines: readonly string[]
  /** Reported by the harness, by a non-zero exit code, or by output whose failure a pipe hid. */
  readonly failed: boolean
}

const MOST_FILES = 200
const MOST_OTHERS = 20
const LONGEST_COMMAND = 8_000
const LONGEST_OTHER = 1_000

/** Result lines are lazy: most callers need only commands and files. */
export function deedsOf(call: ToolCall, values = valuesOf(call), result = resultOf(call, values.result)): Deeds {
  const kind = toolKind(call.tool_name)
  const params = openedParams(values.params)
  const named = namedDeeds(params, kind, result)
  const shells = named.commands.map((command) => shellDeeds(command, named.folder))
  const isShell = named.commands.length > 0
  const untouched = result.refused || (result.failed && !isShell)
  let found: ReturnType<typeof linesThatMatter> | undefined
  const printed = () => {
    found ??= linesOf(call, result, isShell ? shells.some(({ shows }) => shows === 'output') : undefined)
    return found
  }
  return {
    commands: bounded(named.commands, MOST_OTHERS, LONGEST_COMMAND),
    files: untouched ? [] : filesOnce([...named.files, ...(result.refused ? [] : shells.flatMap(({ files }) => files))]),
    patterns: bounded([...named.patterns, ...shells.flatMap(({ patterns }) => patterns)], MOST_OTHERS, LONGEST_OTHER),
    urls: bounded([...named.urls, ...shells.flatMap(({ urls }) => urls)], MOST_OTHERS, LONGEST_OTHER),
    get lines() {
      return printed().lines
    },
    get failed() {
      return result.failed || printed().failure
    },
  }
}

/** `shows`: whether the command prints program output; undefined if the call ran no command. */
function linesOf(call: ToolCall, result: CallResult, shows: boolean | undefined): ReturnType<typeof linesThatMatter> {
  const kind = toolKind(call.tool_name)
  const prints = shows !== undefined || kind === 'other' || kind === 'shell' || result.failed
  return prints && !result.refused
    ? linesThatMatter(result.text, { all: result.failed, output: shows ?? kind === 'shell' })
    : { lines: [], failure: false }
}

const readOnce = new WeakMap<ToolCall, Deeds>()

/** Cached while the call lives, for several rules. */
export function deedsOnce(call: ToolCall): Deeds {
  const known = readOnce.get(call)
  if (known !== undefined) return known
  // Copied, so that the lazy lines do not retain the result text.
  const deeds = { ...deedsOf(call) }
  readOnce.set(call, deeds)
  return deeds
}

function bounded(texts: readonly string[], most: number, longest: number): string[] {
  return [...new Set(texts)].slice(0, most).map((text) => text.slice(0, longest).toWellFormed())
}

function filesOnce(files: readonly FileDeed[]): FileDeed[] {
  const once = new Map(files.map((file) => [`${file.action} ${file.path}`, file] as const))
  return [...once.values()].slice(0, MOST_FILES)
}
