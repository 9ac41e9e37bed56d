/** Parsers for option values. A bad value is a usage error that names the option. */
import { InvalidArgumentError } from 'commander'

/** For options that may be given several times. */
export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value]
}

/** For options that take one value: of two, commander would drop the first without a word. */
export function once(value: string, before: string | undefined): string {
  if (before !== undefined) throw new InvalidArgumentError('It can be given once: run the command for each.')
  return value
}

export function wholeNumber(max: number): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < 1 || number > max) throw new InvalidArgumentError(`Give a whole number from 1 to ${max}.`)
    return number
  }
}

/** The block of examples at the end of a command's help. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ mnemonic ${line}`).join('\n')}`
}
