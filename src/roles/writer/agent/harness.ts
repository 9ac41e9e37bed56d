/** The port of a harness that runs headless: how it is started for one run of the memory-writer, and how what it prints is read. */
import type { Tokens } from '../../../store/spend.ts'

export interface HeadlessRun {
  /** The new empty folder in which it works. */
  readonly folder: string
  /** Turns of its own that it may take. */
  readonly mostTurns: number
}

export interface HeadlessHarness {
  readonly name: string
  /** The arguments, from those of the owner. A flag that the owner wrote stays as it is. */
  args(written: readonly string[], run: HeadlessRun): string[]
  /** What it said in the end, from all that it printed. */
  read(stdout: string): HeadlessAnswer
  /** What one answer of its model took, from a line that it printed. Absent where it says so only at its end. */
  usageIn?(line: string): { readonly answer: string; readonly usage: Tokens } | undefined
}

export interface HeadlessAnswer {
  readonly text: string
  readonly usage?: Tokens | undefined
  /** Where the harness says itself that it failed: its words. */
  readonly failed?: string
  /** Calls of other tools that it refused to the model. */
  readonly denied?: number
}

/** The flags that the owner did not write. */
export function missingFlags(written: readonly string[], flags: readonly (readonly string[])[]): string[] {
  return flags.filter(([flag]) => !written.some((word) => word === flag || word.startsWith(`${flag}=`))).flat()
}

export function parsedLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Numbers of one object, summed; undefined where the first of them is none. */
export function tokensIn(usage: unknown, inputs: readonly string[], output: string): Tokens | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined
  const of = (key: string) => {
    const value = (usage as Record<string, unknown>)[key]
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0
  }
  return { input: inputs.reduce((sum, key) => sum + of(key), 0), output: of(output) }
}
