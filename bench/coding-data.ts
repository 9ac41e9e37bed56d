/** The questions on coding sessions, what each needs, and what an agent asked beside it. Reads only. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchContext } from './run.ts'

const SHARED = fileURLToPath(new URL('../../../../shared/bench/coding', import.meta.url))

export interface CodingQuestion {
  readonly type: string
  readonly question: string
  /** The question and other phrasings of it, as an agent gave them without seeing a session; the question alone where there are none. */
  readonly phrasings: readonly string[]
  /** The needed facts: the ids of any message that holds it. */
  readonly facts: readonly ReadonlySet<string>[]
}

interface Asked {
  readonly id: string
  readonly type: string
  readonly question: string
  /** One entry is one needed fact; any of its lines counts as found. */
  readonly evidence: readonly { readonly uuids: readonly string[] }[]
}

export function codingFolder({ options }: BenchContext): string {
  const given = options.get('coding')
  // npm runs scripts in the package's folder; what was typed counts from where it was typed.
  return given === undefined ? SHARED : isAbsolute(given) ? given : resolve(process.env.INIT_CWD ?? '.', given)
}

/** `logs` are the sessions as their harness wrote them: a hit names messages, the questions name lines. */
export function codingQuestions(folder: string, logs: string): CodingQuestion[] {
  const names = namesOfLines(logs)
  const file = join(folder, 'queries.json')
  const asked = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { id: string; queries: string[] }[]) : []
  const phrasings = new Map(asked.map(({ id, queries }) => [id, queries]))
  return (JSON.parse(readFileSync(join(folder, 'questions.json'), 'utf8')) as Asked[]).map(({ id, type, question, evidence }) => ({
    type,
    question,
    phrasings: [...new Set([question, ...(phrasings.get(id) ?? [])])],
    facts: evidence.map(({ uuids }) => new Set(uuids.flatMap((uuid) => [uuid, names.get(uuid) ?? uuid]))),
  }))
}

/** The message that each line of an answer belongs to, as hits name it. */
function namesOfLines(logs: string): Map<string, string> {
  const names = new Map<string, string>()
  for (const entry of readdirSync(logs, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.jsonl')) continue
    for (const line of readFileSync(join(entry.parentPath, entry.name), 'utf8').split('\n')) {
      // Not parsed: real logs have lines that are no JSON. Only answers have an id of this form, and the line's own uuid stands behind it.
      const name = /"id":"(msg_\w+)"/.exec(line)?.[1]
      const uuid = /"uuid":"([\w-]+)"/.exec(line)?.[1]
      if (uuid !== undefined && name !== undefined) names.set(uuid, name)
    }
  }
  return names
}
