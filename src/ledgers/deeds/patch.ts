import { type FileDeed, plainPath } from './path.ts'

const LONGEST = 2_000_000
/** Inside a string literal, lines end with an escaped newline. */
const PATCHED = /\*\*\* (Add File|Update File|Delete File|Move to): ([^\n\\"'`]{1,400})/g
const ACTIONS = { 'Add File': 'create', 'Update File': 'edit', 'Delete File': 'delete', 'Move to': 'create' } as const

export function isPatch(text: string): boolean {
  return text.includes('*** Begin Patch')
}

export function patchedFiles(text: string, folder: string | undefined): FileDeed[] {
  if (text.length > LONGEST || !isPatch(text)) return []
  return [...text.matchAll(PATCHED)].flatMap(([, what, raw]) => {
    const path = plainPath(raw as string, folder)
    return path === undefined ? [] : [{ path, action: ACTIONS[what as keyof typeof ACTIONS] }]
  })
}
