/** The high-signal head of MEMORY.md: what is open, who and what the window was about, where to look. Nothing of untrusted origin stands in it. */
import { readsAsCommand } from '../../analyze/memory-sentence-anchors.ts'
import { quoted } from '../../analyze/session-summary.ts'
import { oneLine } from '../../core/text.ts'
import type { Trust } from '../../core/trust.ts'
import { inline } from '../format/quote.ts'
import { sanitizeTranscriptV2 } from '../format/sanitize-transcript.ts'
import { wikilink } from '../format/wikilink.ts'
import { dayOf } from './memory-window.ts'

export interface HeadItem {
  readonly text: string
  /** When it was said: milliseconds UTC. */
  readonly at: number
  readonly trust: Trust
  /** The artifact that it stands in. */
  readonly path?: string
}

export interface HeadPointer {
  /** What is to be found there, in our own words. */
  readonly text: string
  readonly path: string
}

/** Lists in the order of their weight: what does not fit is left out from the end. */
export interface HeadFacts {
  readonly decisions: readonly HeadItem[]
  readonly actions: readonly HeadItem[]
  readonly people: readonly string[]
  readonly projects: readonly string[]
  readonly pointers: readonly HeadPointer[]
}

export const EMPTY_HEAD: HeadFacts = { decisions: [], actions: [], people: [], projects: [], pointers: [] }

const LONGEST_ITEM = 200
const LONGEST_NAME = 60

/** The sections of the head with at most `most` entries in each list. */
export function memoryHead(facts: HeadFacts, most: number): string[] {
  const pointers = facts.pointers.slice(0, most).map(({ text, path }) => `- ${wikilink(path)}: ${inline(text, LONGEST_ITEM)}`)
  const about = [...names('People', facts.people, most), ...names('Projects', facts.projects, most)]
  return [
    ...section('Open decisions', facts.decisions, most),
    ...section('Open actions', facts.actions, most),
    ...(about.length === 0 ? [] : ['', '## People and projects', ...about]),
    ...(pointers.length === 0 ? [] : ['', '## Pointers', ...pointers]),
  ]
}

function section(heading: string, items: readonly HeadItem[], most: number): string[] {
  const ours = items.filter(({ trust }) => trust === 'owner' || trust === 'agent')
  const shown = ours.slice(0, most).map(({ text, at, path }) => {
    const link = path === undefined ? '' : ` ${wikilink(path, 'summary')}`
    return `- ${dayOf(at)} ${quoted(oneLine(sanitizeTranscriptV2(text), LONGEST_ITEM))}${link}`
  })
  if (shown.length === 0) return []
  const count = shown.length < ours.length ? ` (${shown.length} of ${ours.length})` : ''
  return ['', `## ${heading}${count}`, ...shown]
}

/** Names are what others call themselves: one that reads as an order is left out. */
function names(label: string, all: readonly string[], most: number): string[] {
  const safe = all.map((name) => oneLine(sanitizeTranscriptV2(name), LONGEST_NAME)).filter((name) => name !== '' && !readsAsCommand(name))
  const shown = safe.slice(0, most).map((name) => inline(name, LONGEST_NAME))
  if (shown.length === 0) return []
  const more = safe.length - shown.length
  return [`- ${label}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
}
