import type { Tokens } from '../../../store/spend.ts'

export interface HeadlessRun {
  readonly folder: string
  readonly mostTurns: number
}

export interface HeadlessHarness {
  readonly name: string
  /** Flags that the owner wrote win. */
  args(written: readonly string[], run: HeadlessRun): string[]
  read(stdout: string): HeadlessAnswer
  /** Usage of one model answer, from an output line. Absent if reported only at the end. */
  usageIn?(line: string): { readonly answer: string; readonly usage: Tokens } | undefined
}

export interface HeadlessAnswer {
  readonly text: string
  readonly usage?: Tokens | undefined
  /** The harness's own error message. */
  readonly failed?: string
  readonly denied?: number
}

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

export function tokensIn(usage: unknown, inputs: readonly string[], output: string): Tokens | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined
  const of = (key: string) => {
    const value = (usage as Record<string, unknown>)[key]
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0
  }
  return { input: inputs.reduce((sum, key) => sum + of(key), 0), output: of(output) }
}
