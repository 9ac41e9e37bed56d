/** The high-signal head of MEMORY.md: where projects stand, what holds, what is open, what the owner prefers, who, where to look. Nothing of untrusted origin is in it. */
import { readsAsCommand } from '../../analyze/memory-sentence-anchors.ts'
import { quoted } from '../../analyze/session-summary.ts'
import { statedAs } from '../../core/stated-as.ts'
import { oneLine, plural } from '../../core/text.ts'
import { inline } from '../format/quote.ts'
import { sanitizeTranscriptV3 } from '../format/sanitize-transcript.ts'
import { wikilink } from '../format/wikilink.ts'
import type { HeadFacts, HeadItem, HeadPerson, HeadStanding } from './head-item.ts'
import { dayOf } from './ledger-row.ts'

const LONGEST_ITEM = 200
/** Where what was answered stands before the answer. */
const LONGEST_PART = 140
const LONGEST_NAME = 60

/** The sections of the head with at most `most` entries in each list. */
export function memoryHead(facts: HeadFacts, most: number): string[] {
  const pointers = facts.pointers.slice(0, most).map(({ text, path }) => `- ${wikilink(path)}: ${inline(text, LONGEST_ITEM)}`)
  const people = [...knownLines(facts.known, most), ...names('People', facts.people, most)]
  return [
    ...standing(facts.standing, most),
    ...section('Decisions that hold', facts.decisions, most),
    ...section('Open actions', facts.actions, most),
    ...section('Preferences of the owner', facts.preferences, most),
    ...(people.length === 0 ? [] : ['', '## People', ...people]),
    ...(pointers.length === 0 ? [] : ['', '## Pointers', ...pointers]),
  ]
}

/** A name is what others call a project: one that reads as an order is left out. */
function standing(projects: readonly HeadStanding[], most: number): string[] {
  const safe = projects.flatMap((project) => {
    const name = oneLine(sanitizeTranscriptV3(project.name), LONGEST_NAME)
    return name === '' || readsAsCommand(name) ? [] : [{ ...project, name }]
  })
  const shown = safe.slice(0, most).map(({ name, at, text, sessions, path }) => {
    const link = path === undefined ? '' : ` ${wikilink(path, 'summary')}`
    return `- ${inline(name, LONGEST_NAME)} (${plural(sessions, 'session')}, last ${dayOf(at)}): ${inline(sanitizeTranscriptV3(text), LONGEST_ITEM)}${link}`
  })
  return shown.length === 0 ? [] : ['', `## Where projects stand${countOf(shown.length, safe.length)}`, ...shown]
}

function countOf(shown: number, all: number): string {
  return shown < all ? ` (${shown} of ${all})` : ''
}

function section(heading: string, items: readonly HeadItem[], most: number): string[] {
  const ours = items.filter(({ trust }) => trust === 'owner' || trust === 'agent')
  const shown = ours.slice(0, most).map(({ text, at, path, rule = null, about = null }) => {
    const link = path === undefined ? '' : ` ${wikilink(path, 'summary')}`
    const quote = (said: string, longest = LONGEST_PART) => quoted(oneLine(sanitizeTranscriptV3(said), longest))
    return `- ${dayOf(at)} ${statedAs({ text, rule, about }, quote) ?? quote(text, LONGEST_ITEM)}${link}`
  })
  if (shown.length === 0) return []
  return ['', `## ${heading}${countOf(shown.length, ours.length)}`, ...shown]
}

/** What is known of each: a name that reads as an order is left out. */
function knownLines(known: readonly HeadPerson[], most: number): string[] {
  return known
    .map((person) => ({ ...person, name: oneLine(sanitizeTranscriptV3(person.name), LONGEST_NAME) }))
    .filter(({ name, text }) => name !== '' && !readsAsCommand(name) && !readsAsCommand(text))
    .slice(0, most)
    .map(({ name, text, at, path, id }) => {
      const link = path !== undefined ? ` ${wikilink(path, 'summary')}` : id === undefined ? '' : ` (${inline(id, LONGEST_NAME)})`
      return `- ${inline(name, LONGEST_NAME)}: ${dayOf(at)} ${quoted(oneLine(sanitizeTranscriptV3(text), LONGEST_PART))}${link}`
    })
}

/** Names are what others call themselves: one that reads as an order is left out. */
function names(label: string, all: readonly string[], most: number): string[] {
  const safe = all.map((name) => oneLine(sanitizeTranscriptV3(name), LONGEST_NAME)).filter((name) => name !== '' && !readsAsCommand(name))
  const shown = safe.slice(0, most).map((name) => inline(name, LONGEST_NAME))
  if (shown.length === 0) return []
  const more = safe.length - shown.length
  return [`- ${label}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
}
