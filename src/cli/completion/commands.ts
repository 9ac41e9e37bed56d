import type { Command, Option } from 'commander'

export interface CommandWords {
  readonly path: readonly string[]
  readonly summary: string
  readonly options: readonly OptionWords[]
  /** Subcommands, and the fixed values of the first argument. */
  readonly words: readonly { readonly word: string; readonly summary: string }[]
}

export interface OptionWords {
  readonly flags: readonly string[]
  readonly summary: string
  readonly takesValue: boolean
  readonly values: readonly string[]
  readonly isPath: boolean
}

export function describeCommands(program: Command): CommandWords[] {
  return describe(program, [], program.options.map(optionWords))
}

function describe(command: Command, path: readonly string[], everywhere: readonly OptionWords[]): CommandWords[] {
  const below = command.commands.filter((one) => one.name() !== 'help')
  const own = path.length === 0 ? [] : command.options.map(optionWords)
  const words = [
    ...below.flatMap((one) => [one.name(), ...one.aliases()].map((word) => ({ word, summary: line(one.summary() || one.description()) }))),
    ...(command.registeredArguments[0]?.argChoices ?? []).map((word) => ({ word, summary: '' })),
  ]
  const help: OptionWords = { flags: ['-h', '--help'], summary: 'print the help', takesValue: false, values: [], isPath: false }
  const one = { path, summary: line(command.summary() || command.description()), options: [...own, ...everywhere, help], words }
  return [
    one,
    ...below.flatMap((child) => [child.name(), ...child.aliases()].flatMap((name) => describe(child, [...path, name], everywhere))),
  ]
}

function optionWords({ short, long, description, required, optional, argChoices, flags }: Option): OptionWords {
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    summary: line(description),
    takesValue: required || optional,
    values: argChoices ?? [],
    isPath: /<(?:file|dir|path)>/.test(flags),
  }
}

function line(text: string): string {
  return (text.split(/[.:;(]/)[0] ?? '').replace(/[^\p{L}\p{N} ,/’-]/gu, '').trim()
}
