import { InvalidArgumentError } from 'commander'

export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value]
}

/** For single-value options: commander would silently drop the first of two. */
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

export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ mnemonic ${line}`).join('\n')}`
}
