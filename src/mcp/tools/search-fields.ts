import { z } from 'zod'
import { limit, name, notice, short, some, text, time, untold } from '../fields.ts'
import { UNTOLD } from '../tool-input.ts'

export const span = { after: text('ISO date or time, or "3 days ago"'), before: name.optional(), since: untold, until: untold }

export const filters = z.strictObject({
  ...span,
  speaker: text('user, assistant, a name'),
  topics: some(name, 50).optional(),
  has_decision: z.boolean().optional(),
  project: text('name or path'),
  session: text('id'),
  channel: text('imessage, gmail, calendar, a harness'),
  from: text('name, address, me'),
  to: name.optional(),
  with: name.optional(),
  entity: text('person, project or thing named'),
  file: text('tool calls on it; glob'),
  tool: text('its calls: Bash, Edit'),
  command: text('tool calls whose command has this'),
  errors: z.boolean().describe('failed tool calls').optional(),
  branches: z.boolean().describe('abandoned ones too').optional(),
})

/** Described once: the second tool refers to the first, but still validates. */
export const sameFilters = z
  .looseObject({})
  .describe('as of memory_search')
  .superRefine((given, context) => {
    for (const { message, path } of filters.safeParse(given).error?.issues ?? []) context.addIssue({ code: 'custom', message, path })
  }) as unknown as typeof filters

export const queries = some(short, 8)
/** Each item is a list of phrasings, or a single text. */
export const questions = some(z.union([some(short, 9), short.meta(UNTOLD)]), 8).optional()
export const counted = {
  limit: limit(50),
  by: z.enum(['hit', 'session', 'history']).optional(),
  /** Disables typo correction. */
  exact: z.boolean().optional(),
  /** Includes results near in meaning if no word matches. */
  nearest: z.boolean().optional(),
}

export const sameCounted = {
  ...counted,
  by: z.enum(['hit', 'session', 'history']).meta(UNTOLD).optional(),
  exact: z.boolean().meta(UNTOLD).optional(),
  nearest: z.boolean().meta(UNTOLD).optional(),
  questions: questions.meta(UNTOLD),
}

export const hit = {
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
  taken_back: z
    .looseObject({ id: z.string(), turn_id: z.string(), text: z.string() })
    .optional()
    .describe('What was picked here, the next turn takes back.'),
  match_line: z.int().describe('The line that answers best.'),
  trust: z.string().describe('owner, agent, contact or untrusted: who wrote it'),
  matched: z.array(z.string()),
  context: z.string().describe('The beginning of the question, where the text does not contain it, and the text before and after.'),
  citation: z.string().describe('memory_get takes it as path.'),
}

const mode = z.looseObject({ requested: z.string(), realized: z.string() })
export const answer = {
  notice,
  query: z.string(),
  queries: z.array(z.string()),
  mode,
  last_sync: time.nullable(),
  hint: z.string().optional(),
  left_off: z
    .looseObject({ project: z.string().nullable(), sessions: z.array(z.looseObject({ id: z.string() })), text: z.string() })
    .optional()
    .describe('Where the work stands, for a question that asks it, as "where were we?".'),
  known: z
    .array(z.looseObject({ name: z.string(), text: z.string(), citations: z.array(z.string()), trust: z.string() }))
    .optional()
    .describe('What is known of whom the question asks for: what holds, since when, what held before.'),
}
