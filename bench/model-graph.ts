/** Observations in the graph by author, the `know` questions they answer, and a sample to judge. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { holds, type KnowQuestion } from './know-data.ts'
import { shuffled } from './model-folder.ts'
import type { Store } from './retrieval-home.ts'

const AROUND = 700
const MOST_BEFORE = 4
const LONGEST_BEFORE = 300

export interface GraphLine {
  readonly subject: string
  readonly object: string
  readonly type: string
  readonly fact: string
  readonly byModel: boolean
  readonly byRules: boolean
  readonly source_type: string
  readonly valid_at: number | null
  readonly invalid_at: number | null
  readonly message_id: string | null
  readonly span_start: number | null
  readonly span_end: number | null
}

export async function graphLines({ read }: Store): Promise<GraphLine[]> {
  const rows = await read
    .selectFrom('relationships as r')
    .innerJoin('entities as s', 's.id', 'r.subject_id')
    .leftJoin('entities as o', 'o.id', 'r.object_id')
    .leftJoin('analysis_runs as a', 'a.id', 'r.run_id')
    .select(['r.type', 'r.fact', 'r.source_type', 'r.valid_at', 'r.invalid_at', 'r.message_id', 'r.span_start', 'r.span_end'])
    .select(['s.name as subject', 'o.name as object', 'r.target_literal as literal', 'a.implementation'])
    .orderBy('r.id')
    .execute()
  return rows.map(({ object, literal, implementation, ...row }) => ({
    ...{ ...row, object: object ?? literal ?? '' },
    ...{ byModel: implementation?.startsWith('command:') ?? false, byRules: implementation === 'rules' },
  }))
}

/** Lines about entities in the question: an answer, or anything. */
export function answeredBy(lines: readonly GraphLine[], question: KnowQuestion): { readonly named: boolean; readonly any: boolean } {
  const right = lines.filter((line) => holds(`${line.subject} ${line.type} ${line.object}: ${line.fact}`, question))
  const words = new Set(question.question.match(/[\p{L}\p{N}_./-]+/gu)?.map((word) => word.replace(/['’]s$/, '').toLowerCase()))
  const isNamed = (name: string) => name.split(' ').some((word) => word.length > 2 && words.has(word.toLowerCase()))
  return { named: right.some(({ subject, object }) => isNamed(subject) || isNamed(object)), any: right.length > 0 }
}

export interface Sampled {
  readonly id: string
  readonly room: string
  readonly subject: string
  readonly type: string
  readonly object: string
  readonly from: string | null
  readonly until: string | null
  readonly source_type: string
  readonly quote: string
  readonly speaker: string
  readonly at: string
  readonly message: string
  readonly before: readonly string[]
}

/** With the context that a judge needs. */
export async function sampled(store: Store, room: string, line: GraphLine): Promise<Sampled> {
  const { message, before } = await spoken(store, line.message_id ?? '')
  const [start, end] = [line.span_start ?? 0, line.span_end ?? 0]
  const day = (time: number | null) => (time === null ? null : new Date(time).toISOString().slice(0, 10))
  return {
    id: createHash('sha256')
      .update(JSON.stringify([room, line.subject, line.type, line.object, line.fact]))
      .digest('hex')
      .slice(0, 12),
    ...{ room, subject: line.subject, type: line.type, object: line.object, from: day(line.valid_at), until: day(line.invalid_at) },
    ...{ source_type: line.source_type, quote: line.fact, speaker: message?.speaker ?? '', at: day(message?.at ?? 0) ?? '' },
    message: (message?.text ?? '').slice(Math.max(0, start - AROUND), end + AROUND),
    before: before.map(({ speaker, text }) => `${speaker}: ${text.slice(0, LONGEST_BEFORE)}`),
  }
}

interface Said {
  readonly speaker: string
  readonly at: number
  readonly text: string
}

async function spoken({ read }: Store, id: string): Promise<{ message: Said | undefined; before: Said[] }> {
  const message = await read.selectFrom('agent_messages').selectAll().where('id', '=', id).executeTakeFirst()
  const event = message ?? (await read.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst())
  if (event === undefined) return { message: undefined, before: [] }
  const said = (row: { timestamp: number | null; content: string | null; speaker: string | null; trust: string; role?: string }) => ({
    ...{ speaker: row.trust === 'owner' ? `owner ${row.speaker ?? ''}` : (row.speaker ?? row.role ?? ''), at: row.timestamp ?? 0 },
    text: row.content ?? '',
  })
  const earlier =
    message === undefined
      ? await read
          .selectFrom('events')
          .selectAll()
          .where('thread_id', '=', 'thread_id' in event ? event.thread_id : null)
          .where('timestamp', '<=', event.timestamp ?? 0)
          .where('id', '<>', id)
          .orderBy('timestamp', 'desc')
          .limit(MOST_BEFORE)
          .execute()
      : await read
          .selectFrom('agent_messages')
          .selectAll()
          .where('session_id', '=', message.session_id)
          .where('sequence', '<', message.sequence)
          .where('role', 'in', ['user', 'assistant'])
          .where('content', 'is not', null)
          .orderBy('sequence', 'desc')
          .limit(MOST_BEFORE)
          .execute()
  return { message: said(event), before: earlier.toReversed().map(said) }
}

export function writeSample(answers: string, all: readonly Sampled[], most: number): Sampled[] {
  const once = [...new Map(all.map((one) => [one.id, one])).values()]
  const sample = shuffled(once, ({ id }) => id, 'sample').slice(0, most)
  writeFileSync(join(answers, 'sample.jsonl'), sample.map((one) => `${JSON.stringify(one)}\n`).join(''))
  return sample
}

/** Verdicts of a reader, one per line: `{"id": …, "right": true, "why": "…"}`. */
export function verdictsIn(answers: string): Map<string, boolean> {
  const file = join(answers, 'verdicts.jsonl')
  if (!existsSync(file)) return new Map()
  const lines = readFileSync(file, 'utf8').split('\n')
  const verdicts = lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as { id: string; right: boolean })
  return new Map(verdicts.map(({ id, right }) => [id, right]))
}
