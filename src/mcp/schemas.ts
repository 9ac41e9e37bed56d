/** What the tools take and give. Inputs are strict: what is not known is refused. Outputs may gain keys, never lose one. */
import { z } from 'zod'
import { UNTOLD } from './tool-input.ts'

/** What is described here, every session of every agent reads: lengths are checked, not told. */
const name = z
  .string()
  .trim()
  .refine((text) => text.length >= 1 && text.length <= 65_536, 'must have 1 to 65536 characters')
const text = (description: string) => name.describe(description).optional()
const short = name.refine((given) => given.length <= 4000, 'must have at most 4000 characters')
const some = <T extends z.ZodType>(kind: T, most: number) => z.array(kind).refine(({ length }) => length <= most, `must be at most ${most}`)
const limit = (most: number) => z.int().min(1).max(most).optional()
const count = z.number().refine((given) => Number.isInteger(given) && given >= 1, 'must be a whole number from 1 on')

const untold = name.meta(UNTOLD).optional()
const span = { after: text('ISO date or time, or "3 days ago"'), before: name.optional(), since: untold, until: untold }

const filters = z.strictObject({
  ...span,
  speaker: text('user, assistant, or a name'),
  topics: some(name, 50).optional(),
  has_decision: z.boolean().optional(),
  project: text('name or path'),
  session: text('id, label, or a unique prefix'),
  channel: text('imessage, gmail, calendar, or a harness'),
  from: text('messages, mails, meetings from: name, address, number, me'),
  to: name.optional(),
  with: text('they take part'),
  entity: text('names this person, project or thing'),
  file: text('tool calls on such a file; glob'),
  tool: text('calls of it: Bash, Edit, apply_patch'),
  command: text('tool calls whose command holds this'),
  errors: z.boolean().describe('tool calls that failed').optional(),
  branches: z.boolean().describe('abandoned branches too').optional(),
})

/** Told once: of two tools that take the same filters, the second says so, and checks them all the same. */
const sameFilters = z
  .looseObject({})
  .describe('as of memory_search')
  .superRefine((given, context) => {
    for (const { message, path } of filters.safeParse(given).error?.issues ?? []) context.addIssue({ code: 'custom', message, path })
  }) as unknown as typeof filters

/** What `limit` counts; whether typing errors are left as they are. */
const by = z.enum(['hit', 'session']).optional()
const exact = z.boolean().optional()

const query = short.describe(
  'The question, an identifier, a path or an error message; quotes make a phrase. May be left out with file, tool, command or errors.',
)
const queries = some(short, 8).describe(
  'Give 3 or 4 other phrasings, which find what the question does not: likely terms and identifiers; other words; a statement as the answer would put it.',
)

export const memorySearchInput = z.strictObject({
  query: query.optional(),
  queries: queries.optional(),
  sources: some(name, 20).describe('sessions, events (messages, mail, meetings), memory (documents), or a harness').optional(),
  limit: limit(50),
  by,
  exact,
  filters: filters.optional(),
})

export const sessionSearchInput = z.strictObject({
  query: short.optional(),
  queries: some(short, 8).optional(),
  filters: sameFilters.optional(),
  limit: limit(50),
  by,
  exact,
})

export const memoryGetInput = z.strictObject({
  id: text(
    'A number of the last answer, an id (c010174c:7 is a turn, c010174c a session, e:3f2a1c9d a conversation), a citation or a path',
  ),
  path: untold,
  from: count.describe('go on from this line (of a session: turn)').optional(),
  lines: count.optional(),
  budget: z.int().min(20).max(15_000).describe('most tokens; when absent 600, of a hit 300').optional(),
  around: z.int().min(0).max(50).describe('so many turns before and after it, too').optional(),
})

export const sessionListInput = z.strictObject({
  text: text('words of the title, project, label or first prompt'),
  project: name.optional(),
  source: text('a harness'),
  ...span,
  after: name.optional(),
  from: count.describe('go on from this number').optional(),
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
  thread_id: z.string(),
  channel: z.string().nullable(),
  people: z.array(z.string()),
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
  superseded_by: z
    .looseObject({ id: z.string(), cite: z.string().nullable(), decided_at: time, text: z.string() })
    .optional()
    .describe('What was decided here holds no longer: what holds instead.'),
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
  thread_id: z.string(),
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

export const sessionListOutput = z.looseObject({
  sessions: z.array(z.looseObject({ id: z.string(), session_id: z.string() })),
  total: z.int(),
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
