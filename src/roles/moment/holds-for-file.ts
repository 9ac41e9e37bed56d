/** Finds what applies to a file: project decisions that name it, and owner rules stated for it in two sessions. Redacted. */
import { isAbsolute, join } from 'node:path'
import { redactSensitiveText } from '../../core/redact.ts'
import { inWords } from '../../core/stated-as.ts'
import { projectLocator } from '../../ingest/project-of.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { StatedRow } from '../../store/reader-rows.ts'
import type { Store } from '../../store/store.ts'

export interface FileRequest {
  readonly agent: string
  readonly scope: ProjectScope
  readonly folder: string | undefined
  readonly file: string
}

export interface HeldForFile {
  readonly line: string
  readonly eventId: string
  readonly turnId: string | null
}

const LOOKED_AT = 20
const MOST_PARTS = 8
const LEAST_SESSIONS = 2
const LONGEST_WORDS = 240
/** Common file names count only with their folder. */
const COMMON =
  /^(?:index|main|mod|lib|app|types?|utils?|helpers?|constants?|config|setup|test|tests|common|client|server|errors?|models?|routes?|schema|settings|metadata|__init__|conftest|readme|license|changelog|claude|agents|package|tsconfig|cargo|go|makefile|dockerfile|docker-compose|compose|pyproject|requirements|gitignore|env|release|ci)\.[\p{L}\p{N}]{1,10}$/u
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

export async function holdsForFile(store: Store, { agent, scope, folder, file }: FileRequest): Promise<HeldForFile | undefined> {
  const names = namesOf(file, folder)
  if (names.length === 0) return undefined
  const stated = async (type: 'decision' | 'preference_stated') =>
    (await store.reader.stated({ agentId: agent, type, terms: names, least: 1, limit: LOOKED_AT }))
      .filter(({ session_id, repository, project }) => session_id !== null && scope.keys.includes(repository ?? project ?? ''))
      // A plan's heading describes work, not a rule.
      .filter(({ rule }) => rule !== 'rules:plan approved')
      .map((row) => ({ row, words: wordsOf(row) }))
      .filter(({ words }) => words.length <= LONGEST_WORDS && names.some((name) => isNamed(words, name)))
      .sort((a, b) => b.row.made_at - a.row.made_at)
  const rules = (await stated('preference_stated')).filter(({ row }) => row.trust === 'owner')
  const repeated = new Set(rules.map(({ row }) => row.session_id)).size >= LEAST_SESSIONS ? rules[0] : undefined
  const found = repeated ?? (await stated('decision'))[0]
  if (found === undefined) return undefined
  const { row, words } = found
  const day = new Date(row.made_at).toISOString().slice(0, 10)
  const who = row.trust === 'owner' ? 'the owner' : 'an agent'
  const line =
    repeated === undefined
      ? `Decided for this file by ${who} on ${day}, and it holds: “${words}”`
      : `Said by the owner in ${new Set(rules.map((one) => one.row.session_id)).size} sessions, last ${day}, of this file: “${words}”`
  return { line, eventId: row.event_id, turnId: row.turn_id }
}

function wordsOf({ content, rule, about }: StatedRow): string {
  const clean = (text: string) => redactSensitiveText(text, { mode: 'tools' })
  return inWords({ text: clean(content ?? ''), rule, about: about === null ? null : clean(about) })
    .replace(/\s+/g, ' ')
    .trim()
}

function namesOf(file: string, folder: string | undefined): string[] {
  const path = (isAbsolute(file) || folder === undefined ? file : join(folder, file)).replaceAll('\\', '/')
  const parts = path
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '')
  const name = parts.at(-1)?.replace(EDGES, '') ?? ''
  if (!/\.[\p{L}\p{N}]{1,10}$/u.test(name)) return []
  const root = folder === undefined ? undefined : (projectLocator()(folder)?.project ?? folder).replaceAll('\\', '/').toLowerCase()
  const isAtRoot = root !== undefined && path.toLowerCase() === `${root.replace(/\/$/, '')}/${parts.at(-1)}`
  const names = new Set<string>()
  for (let count = COMMON.test(name) && !isAtRoot ? 2 : 1; count <= Math.min(parts.length, MOST_PARTS); count += 1)
    names.add(parts.slice(-count).join('/').replace(EDGES, ''))
  return [...names]
}

/** Whole names only: `a/b.ts` is not `b.ts` in another folder. */
function isNamed(words: string, name: string): boolean {
  const lower = words.toLowerCase().replaceAll('\\', '/')
  for (let at = lower.indexOf(name); at !== -1; at = lower.indexOf(name, at + 1)) {
    const before = lower.slice(Math.max(0, at - 2), at)
    const after = lower.slice(at + name.length, at + name.length + 2)
    if (!/[\p{L}\p{N}_/-]$/u.test(before.replace(/(?<![\p{L}\p{N}])\.\/$/u, '')) && !/^(?:[\p{L}\p{N}_/-]|\.[\p{L}\p{N}])/u.test(after))
      return true
  }
  return false
}
