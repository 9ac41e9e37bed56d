/** What the tools take and give. Inputs are strict: what is not known is refused. Outputs may gain keys, never lose one. */
import { z } from 'zod'

const text = (description: string) => z.string().trim().min(1).max(65_536).describe(description)
const when = 'ISO date or time, or "3 days ago"'

const filters = z
  .strictObject({
    after: text(`From this time on: ${when}.`).optional(),
    before: text(`Before this time: ${when}.`).optional(),
    speaker: text('Only what was said by "user", "assistant", or a name.').optional(),
    topics: z.array(text('A topic tag.')).max(50).describe('Only text tagged with one of these topics.').optional(),
    has_decision: z.boolean().describe('true: only where something was decided.').optional(),
    project: text('Only sessions of this project: its path, or the end of it.').optional(),
    session: text('Only this session: id, label, or a unique prefix.').optional(),
    file: text('Only tool calls that touched such a file, by a glob: explain.go, src/**/*.ts.').optional(),
    tool: text('Only calls of this tool, as its harness calls it: Bash, Edit, apply_patch.').optional(),
    command: text('Only tool calls whose command holds these words.').optional(),
    errors: z.boolean().describe('true: only tool calls that failed.').optional(),
    branches: z.boolean().describe('true: abandoned branches too.').optional(),
  })
  .describe('All conditions must hold.')

const limit = (max: number) => z.int().min(1).max(max).describe(`Most hits, 1 to ${max}.`).optional()
const query = z.string().trim().min(1).max(4000).describe('The question, an identifier, a path or an error message; quotes make a phrase.')
const queries = z
  .array(z.string().trim().min(1).max(4000))
  .max(8)
  .describe(
    '3 or 4 other phrasings of the same question, which find what yours does not: likely technical terms, identifiers, a statement in the words an answer would use.',
  )

const asked = { query: query.optional(), queries: queries.optional() }

export const memorySearchInput = z.strictObject({
  ...asked,
  sources: z.array(text('A source.')).max(20).describe('"sessions", "memory" (documents), or a harness; all when absent.').optional(),
  limit: limit(50),
  filters: filters.optional(),
})

export const sessionSearchInput = z.strictObject({ ...asked, filters: filters.optional(), limit: limit(50) })

const budget = z.int().min(20).max(15_000).describe('Most tokens to read; 600 when absent.').optional()

export const memoryGetInput = z.strictObject({
  id: text('A number of the last answer, an id (c010174c:7 is a turn, c010174c a session), a citation or a path.').optional(),
  path: text('The same, by the name that citations have.').optional(),
  from: z.int().min(1).describe('Go on from this line (of a session: turn).').optional(),
  lines: z.int().min(1).max(100_000).describe('Most lines.').optional(),
  budget,
  around: z.int().min(0).max(50).describe('So many turns before and after it, too.').optional(),
})

export const sessionListInput = z.strictObject({
  text: text('Only sessions whose title, project or label holds these words.').optional(),
  project: text('Only this project: its name or path.').optional(),
  source: text('Only of this harness.').optional(),
  after: text(`With a message from this time on: ${when}.`).optional(),
  before: text('Before this time.').optional(),
  from: z.int().min(1).describe('Go on from this number.').optional(),
  limit: limit(200),
})

export const memoryStatusInput = z.strictObject({})

const time = z.string().describe('ISO 8601 UTC')
const notice = z.string().describe('How to read the text below.')
const mode = z.looseObject({ requested: z.string(), realized: z.string() })

const hit = {
  id: z.string(),
  excerpt: z.string(),
  session_id: z.string(),
  turn_id: z.string(),
  message_ids: z.array(z.string()),
  path: z.string(),
  source: z.string(),
  harness: z.string().nullable().describe('Whose session it is: claude-code, codex …; null for a document.'),
  timestamp: time,
  speakers: z.array(z.string()),
  session_title: z.string().nullable(),
  project: z.string().nullable(),
  topics: z.array(z.string()),
  has_decision: z.boolean(),
  trust: z.string().describe('owner, agent, contact or untrusted: who wrote it'),
  matched: z.array(z.string()),
  context: z.string().describe('The beginning of the question, where the text does not contain it, and the text before and after.'),
  citation: z.string().describe('memory_get takes it as path.'),
}

const answer = { notice, query: z.string(), queries: z.array(z.string()), mode, last_sync: time.nullable() }

export const memorySearchOutput = z.looseObject({
  ...answer,
  results: z.array(z.looseObject({ ...hit, start_line: z.int(), end_line: z.int(), score: z.number(), snippet: z.string() })),
})

export const sessionSearchOutput = z.looseObject({
  ...answer,
  results: z.array(z.looseObject({ ...hit, relevance_score: z.number(), content: z.string() })),
})

export const memoryGetOutput = z.looseObject({
  notice,
  id: z.string(),
  path: z.string(),
  source: z.string(),
  kind: z.string(),
  session_id: z.string(),
  turn_id: z.string(),
  title: z.string().nullable(),
  timestamp: time.nullable(),
  speakers: z.array(z.string()),
  trust: z.string(),
  text: z.string(),
  from: z.int(),
  lines: z.int(),
  total_lines: z.int(),
  next_from: z.int().nullable(),
  citation: z.string(),
})

export const sessionOutlineOutput = z.looseObject({
  session: z.looseObject({ session_id: z.string() }),
  turns: z.array(z.looseObject({ id: z.string() })),
})

export const sessionListOutput = z.looseObject({
  sessions: z.array(z.looseObject({ id: z.string(), session_id: z.string() })),
  next_from: z.int().nullable(),
})

const failure = z.looseObject({ code: z.string(), message: z.string() })

export const memoryStatusOutput = z.looseObject({
  version: z.string(),
  last_sync: time.nullable(),
  sessions: z.int(),
  turns: z.int(),
  documents: z.int(),
  chunks: z.int(),
  waiting_sessions: z.int(),
  error: failure.nullable().describe('Why the memory cannot be read, if so.'),
  sync: z.looseObject({
    state: z.enum(['off', 'running', 'done', 'failed', 'elsewhere']),
    started_at: time.nullable(),
    finished_at: time.nullable(),
    imported: z.int().nullable(),
    warnings: z.array(z.string()),
    error: failure.nullable(),
  }),
})
