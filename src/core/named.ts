/** Ids and titles for an agent: one line, unable to begin or end marked text. */
import { escapeMarks } from './marked-text.ts'
import { oneLine, printable } from './text.ts'

const LONGEST = 200

export function safe(text: string): string {
  return escapeMarks(oneLine(printable(text), LONGEST))
}

/** Escapes line ends and controls as JSON does, and adds quotes if any occur. */
export function named(id: string): string {
  const plain = JSON.stringify(id)
    .slice(1, -1)
    .replace(
      /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  return escapeMarks(plain === id ? id : `"${plain}"`)
}

export function projectName({
  project,
  project_name,
}: {
  readonly project: string | null
  readonly project_name: string | null
}): string | undefined {
  if (project_name !== null) return project_name
  const name = project
    ?.replace(/[\\/]+$/, '')
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/\.git$/, '')
  return name === '' ? undefined : name
}
