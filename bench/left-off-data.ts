/** Labels of states and of question wordings, and the test of an answer. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { LeftOffAnswer } from 'agent-mnemonic'

interface Standing {
  /** Native id. */
  readonly session: string
  /** Patterns; one of each list must match. */
  readonly achieved: readonly string[]
  readonly uncommitted: { readonly must: readonly string[]; readonly may: readonly string[] }
}

export interface Cut extends Standing {
  readonly half: 'built' | 'held'
  readonly ended: string
  readonly began: string
  readonly at: string
  readonly folder: string
  readonly branch: string
  readonly waits: 'question' | 'interrupted' | null
  readonly waits_may?: boolean
  readonly next: string | null
  readonly next_may?: string
  readonly failing: 'no' | 'may' | 'yes'
  /** Other acceptable answers. */
  readonly also?: readonly Standing[]
}

export interface Wording {
  readonly text: string
  readonly asks: boolean
  readonly held: boolean
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../../bench/left-off/${name}`, import.meta.url), 'utf8')) as unknown

export function leftOffCuts(): readonly Cut[] {
  return (read('cuts.json') as { readonly cuts: readonly Cut[] }).cuts
}

export function leftOffWordings(): readonly Wording[] {
  return (read('wordings.json') as { readonly wordings: readonly Wording[] }).wordings
}

/** Empty for a right answer. */
export function wrongIn({ sessions, state, text }: LeftOffAnswer, cut: Cut): string[] {
  const native = sessions[0]?.session_id.replace(/^[^:]*:/, '') ?? ''
  const other = cut.also?.find(({ session }) => session === native)
  if (native !== cut.session && other === undefined) return [`session ${native.slice(0, 8)} instead of ${cut.session.slice(0, 8)}`]
  if (state === null) return ['no state']
  const label: Standing & Partial<Cut> = other ?? cut
  const wrong: string[] = []
  for (const pattern of label.achieved) if (!new RegExp(pattern, 'i').test(text)) wrong.push(`achieved: ${pattern}`)
  wrong.push(...wrongFiles(state.uncommitted.files, label.uncommitted))
  if (state.failing !== null && cut.failing === 'no') wrong.push(`failing: ${state.failing.command}`)
  if (state.failing === null && cut.failing === 'yes') wrong.push('does not say that a check fails')
  const waits = state.interrupted !== null ? 'interrupted' : state.question !== null ? 'question' : null
  if (other === undefined && waits !== cut.waits && !(cut.waits_may === true && cut.waits === null))
    wrong.push(`waits: ${waits} instead of ${cut.waits}`)
  const said = [...state.next, state.question ?? '', state.interrupted ?? ''].join('\n')
  if (other === undefined && cut.next !== null && !new RegExp(cut.next, 'i').test(said)) wrong.push(`next: ${cut.next}`)
  if (cut.next === null && state.next.some((one) => cut.next_may === undefined || !new RegExp(cut.next_may, 'i').test(one)))
    wrong.push(`says something is next: ${state.next.join(' | ')}`)
  return wrong
}

function wrongFiles(files: readonly string[], { must, may }: Standing['uncommitted']): string[] {
  const names = new Set(files.map((path) => basename(path.replace(/\/$/, ''))))
  const found = must.filter((name) => names.has(name)).length
  const more = [...names].filter((name) => !must.includes(name) && !may.includes(name))
  return [
    ...(found < Math.min(2, must.length) ? [`uncommitted: ${found} of ${must.join(' ')}`] : []),
    ...(more.length > 0 ? [`uncommitted, wrongly: ${more.join(' ')}`] : []),
  ]
}
