/**
 * What a tool call did, whichever harness made it: the commands it ran, the files it touched, what it looked for, where it went, and the lines
 * of its result that matter. By the names of tools and parameters, never by a list of harnesses. Pure; linear in the length of the row, and
 * bounded in what it gives.
 */
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
  /** Files that were touched; a call that failed or was refused touched none, unless it is a command. */
  readonly files: readonly FileDeed[]
  readonly patterns: readonly string[]
  readonly urls: readonly string[]
  /** Errors, failing tests, exit codes, stack frames, commits with their subjects, pull requests; in their order. */
  readonly lines: readonly string[]
  /** The harness says so, the exit code is not zero, or the output of a command ends in a failure that a pipe has hidden. */
  readonly failed: boolean
}

const MOST_FILES = 200
const MOST_OTHERS = 20
const LONGEST_COMMAND = 8_000
const LONGEST_OTHER = 1_000

/** Reads the lines of the result only if a caller asks for them: most want commands and files alone. */
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

/** `shows`: whether a command of a shell prints what a program says; undefined if the call ran no command. */
function linesOf(call: ToolCall, result: CallResult, shows: boolean | undefined): ReturnType<typeof linesThatMatter> {
  const kind = toolKind(call.tool_name)
  const prints = shows !== undefined || kind === 'other' || kind === 'shell' || result.failed
  return prints && !result.refused
    ? linesThatMatter(result.text, { all: result.failed, output: shows ?? kind === 'shell' })
    : { lines: [], failure: false }
}

const readOnce = new WeakMap<ToolCall, Deeds>()

/** The deeds of a call that several rules look at one after the other; known as long as the call is. */
export function deedsOnce(call: ToolCall): Deeds {
  const known = readOnce.get(call)
  if (known !== undefined) return known
  // Copied, so that the text of the result is not kept for lines that are read later.
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
