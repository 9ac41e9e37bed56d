/** Untrusted text must never read as an instruction. */
import { repetitionWords } from '../../analyze/history/said-again.ts'
import { readsAsCommand } from '../../analyze/memory-sentence-anchors.ts'
import { isNoDescription, ordersReader } from '../../analyze/orders-reader.ts'
import { quoted } from '../../analyze/session-summary.ts'
import { AGENT_SAID, statedAs } from '../../core/stated-as.ts'
import { oneLine, plural } from '../../core/text.ts'
import { inline } from '../format/quote.ts'
import { sanitizeTranscriptV6 } from '../format/sanitize-transcript.ts'
import { wikilink } from '../format/wikilink.ts'
import type { HeadCardLine, HeadCardPart, HeadFacts, HeadItem, HeadPerson, HeadPitfall, HeadProject, HeadSource } from './head-item.ts'
import { dayOf } from './ledger-row.ts'

const LONGEST_ITEM = 200
/** Used if question and answer share a line. */
const LONGEST_PART = 140
const LONGEST_NAME = 60
const MOST_PROJECTS = 6
/** The card goes before fewer entries than this are shown. */
const LEAST_FOR_CARD = 2

/** `most` limits the first project; later ones get fewer entries. */
export function memoryHead(facts: HeadFacts, most: number): string[] {
  const people = [...knownLines(facts.known, most), ...names('People', facts.people, most)]
  const elsewhere = [...decided(facts.decisions, most), ...list('Open actions', facts.actions, Math.ceil(most / 2))]
  return [
    ...rules(facts.rules, most),
    ...projects(facts.projects, most),
    ...(elsewhere.length === 0 ? [] : ['', '## In no project', ...elsewhere]),
    ...(people.length === 0 ? [] : ['', '## People', ...people]),
  ]
}

function rules(all: readonly HeadItem[], most: number): string[] {
  const lines = all.filter(isOurs).map((item) => itemLine(item))
  return lines.length === 0
    ? []
    : ['', `## Rules of the owner${countOf(Math.min(most, lines.length), lines.length)}`, ...lines.slice(0, most)]
}

function projects(all: readonly HeadProject[], most: number): string[] {
  const safe = all.flatMap((project) => (isName(project.name) ? [project] : []))
  if (safe.length === 0) return []
  const own = safe.filter(hasMore).slice(0, MOST_PROJECTS)
  const blocks = own.flatMap((project, i) => block(project, Math.ceil(most / (i + 1))))
  const rest = safe.filter((project) => !own.includes(project))
  const others = rest
    .slice(0, most)
    .map((project) => `${nameOf(project.name)} (${plural(project.sessions, 'session')}, last ${dayOf(project.last)})`)
  const more = rest.length - others.length
  return [
    ...['', '## Projects', ...blocks],
    ...(others.length === 0 ? [] : ['', `- Other projects: ${others.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]),
  ]
}

function hasMore({ standing, rules, decisions, actions, pitfalls }: HeadProject): boolean {
  return standing !== undefined || rules.length + pitfalls.length > 0 || [...decisions, ...actions].some(isOurs)
}

function block(project: HeadProject, most: number): string[] {
  const { name, clones, sessions, first, last, standing } = project
  const also = clones.filter(isName).map(nameOf)
  const time = dayOf(first) === dayOf(last) ? dayOf(last) : `${dayOf(first)} to ${dayOf(last)}`
  const half = Math.ceil(most / 2)
  return [
    ...[
      '',
      `### Project ${nameOf(name)}${also.length === 0 ? '' : `, with its ${also.length === 1 ? 'clone' : 'clones'} ${also.join(', ')}`} (${plural(sessions, 'session')}, ${time})`,
    ],
    ...(most < LEAST_FOR_CARD ? [] : project.card.flatMap(cardLine)),
    ...(standing === undefined
      ? []
      : [`- Last done ${dayOf(standing.at)}: ${inline(sanitizeTranscriptV6(standing.text), LONGEST_ITEM)}${sourceOf(standing)}`]),
    ...list('Rules of the owner here', project.rules, most),
    ...decided(project.decisions, most),
    ...list('Open actions', project.actions, half),
    ...nested('Pitfalls', project.pitfalls.flatMap(pitfallLine), half),
  ]
}

function list(label: string, items: readonly HeadItem[], most: number): string[] {
  return nested(
    label,
    items.filter(isOurs).map((item) => itemLine(item)),
    most,
  )
}

/** Owner's decisions first; an agent's are marked. */
function decided(all: readonly HeadItem[], most: number): string[] {
  const own = all.filter(isOurs)
  const ordered = [...own.filter(({ trust }) => trust === 'owner'), ...own.filter(({ trust }) => trust !== 'owner')]
  return nested(
    'Decisions that hold',
    ordered.map((item) => itemLine(item, item.trust === 'owner' ? '' : AGENT_SAID)),
    most,
  )
}

function nested(label: string, lines: readonly string[], most: number): string[] {
  const shown = lines.slice(0, most)
  return shown.length === 0 ? [] : [`- ${label}${countOf(shown.length, lines.length)}:`, ...shown.map((line) => `  ${line}`)]
}

function countOf(shown: number, all: number): string {
  return shown < all ? ` (${shown} of ${all})` : ''
}

function isOurs({ trust }: HeadItem): boolean {
  return trust === 'owner' || trust === 'agent'
}

function itemLine(item: HeadItem, mark = ''): string {
  const { text, at, rule = null, about = null } = item
  const quote = (said: string, longest = LONGEST_PART) => quoted(oneLine(sanitizeTranscriptV6(said), longest))
  return `- ${dayOf(at)} ${statedAs({ text, rule, about }, quote) ?? quote(text, LONGEST_ITEM)}${repetitionWords(item)}${mark}${sourceOf(item)}`
}

function pitfallLine(pitfall: HeadPitfall): string[] {
  const { text, command } = pitfall
  if (isOrder(text) || (command !== undefined && isOrder(command, 'code'))) return []
  const told = quoted(oneLine(sanitizeTranscriptV6(text), LONGEST_ITEM))
  return [`- ${command === undefined ? '' : `${code(command)} failed: `}${told}${sourceOf(pitfall)}`]
}

function cardLine({ label, below, parts }: HeadCardLine): string[] {
  const shown = parts.filter(({ text, as }) => text.trim() !== '' && !isOrder(text, as)).map(partText)
  const where = below === undefined ? '' : ` below ${code(below)}`
  return shown.length === 0 ? [] : [`- ${label}${where}: ${shown.join(parts.some(({ before }) => before !== undefined) ? '; ' : ', ')}`]
}

function partText({ text, as, before }: HeadCardPart): string {
  const told =
    as === 'code'
      ? code(text)
      : as === 'quote'
        ? quoted(oneLine(sanitizeTranscriptV6(text), LONGEST_ITEM))
        : inline(sanitizeTranscriptV6(text), LONGEST_ITEM)
  return before === undefined ? told : `${before} ${told}`
}

/** Code span only if nothing can end it or form a link. */
function code(text: string): string {
  const line = oneLine(sanitizeTranscriptV6(text), LONGEST_PART)
  return /[`[\]|]|<!|&lt;/.test(line) ? inline(line, LONGEST_PART) : `\`${line}\``
}

/** `go test <path>` is no HTML tag. */
const PLACEHOLDER = /<(path|name|args|value|file|folder)>/g

function isOrder(text: string, as?: HeadCardPart['as']): boolean {
  const plain = as === 'code' ? text.replace(PLACEHOLDER, '$1') : text
  return readsAsCommand(plain) || (as === 'code' ? ordersReader(plain) : isNoDescription(plain))
}

/** Others choose names, so one that reads as an instruction is left out. */
function isName(name: string): boolean {
  const line = oneLine(sanitizeTranscriptV6(name), LONGEST_NAME)
  return line !== '' && !readsAsCommand(line)
}

function nameOf(name: string): string {
  return inline(sanitizeTranscriptV6(name), LONGEST_NAME)
}

function sourceOf({ cite, path }: HeadSource): string {
  return cite !== undefined ? ` (${inline(cite, LONGEST_NAME)})` : path === undefined ? '' : ` ${wikilink(path, 'summary')}`
}

function knownLines(known: readonly HeadPerson[], most: number): string[] {
  return known
    .filter(({ name, text }) => isName(name) && !readsAsCommand(text))
    .slice(0, most)
    .map((person) => {
      const { name, text, at, path, cite, id } = person
      const from = path === undefined && cite === undefined && id !== undefined ? ` (${inline(id, LONGEST_NAME)})` : sourceOf(person)
      return `- ${nameOf(name)}: ${dayOf(at)} ${quoted(oneLine(sanitizeTranscriptV6(text), LONGEST_PART))}${from}`
    })
}

function names(label: string, all: readonly string[], most: number): string[] {
  const safe = all.filter(isName)
  const shown = safe.slice(0, most).map(nameOf)
  if (shown.length === 0) return []
  const more = safe.length - shown.length
  return [`- ${label}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
}
