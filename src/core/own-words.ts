/** The part of a chunk that one speaker said. */

export interface Spoken {
  readonly speakers: string
  readonly said_user: string
  readonly said_assistant: string
}

export interface SpokenBy {
  readonly role?: 'user' | 'assistant'
  readonly names?: readonly string[]
}

type Role = 'user' | 'assistant'

export function ownWords(row: Spoken, { role, names }: SpokenBy): Record<Role, string> {
  const said = (one: Role) => (role !== undefined && role !== one ? '' : names ? ownLines(row, one, names) : row[`said_${one}`])
  return { user: said('user'), assistant: said('assistant') }
}

/** Messages of others start with `Name: ` after a blank line. Text before the first name belongs to the owner, or to the role. */
function ownLines(row: Spoken, role: Role, names: readonly string[]): string {
  const people = (JSON.parse(row.speakers) as string[]).filter((name) => name !== 'user' && name !== 'assistant')
  const labels = [...people, 'User', 'Assistant', 'Summary']
  const labelOf = (paragraph: string) => labels.find((name) => paragraph.startsWith(`${name}: `))
  const paragraphs = row[`said_${role}`].split(/\n{2,}/)
  const own: string[] = []
  let mine = [role, ...people.filter((name) => !isLabelled(row, name))].some((name) => isCalled(name, names))
  let labelled = false
  for (const paragraph of paragraphs) {
    const label = labelOf(paragraph)
    if (label !== undefined) mine = isCalled(label, names)
    labelled ||= label !== undefined
    if (mine) own.push(label === undefined ? paragraph : paragraph.slice(label.length + 2))
  }
  return labelled || own.length === 0 ? own.join('\n\n') : row[`said_${role}`]
}

function isLabelled({ said_user, said_assistant }: Spoken, name: string): boolean {
  return [said_user, said_assistant].some((text) => text.startsWith(`${name}: `) || text.includes(`\n\n${name}: `))
}

/** Equal to a name, or starting with it as a first name. */
export function isCalled(label: string, names: readonly string[]): boolean {
  const folded = foldName(label)
  return names.some((name) => {
    const wanted = foldName(name)
    return folded === wanted || folded.startsWith(`${wanted} `)
  })
}

export function foldName(text: string): string {
  return text.normalize('NFC').toLowerCase().trim()
}
