/** Final to-do list and plans of a session, recognised by tool and parameter names of any harness. */
import { isRecord } from '../../ledgers/deeds/json.ts'
import { planTitle } from '../../ledgers/names/title-of-text.ts'
import { plainName } from './made.ts'

export interface TodoEntry {
  readonly text: string
  readonly status: 'open' | 'done'
  readonly at: number
}

const LISTS = ['todos', 'plan', 'items', 'tasks', 'steps', 'todo_list', 'entries'] as const
const TEXTS = ['content', 'step', 'description', 'subject', 'title', 'text', 'task', 'name'] as const
const DONE = /^(?:completed?|done|finished|closed|cancell?ed|deleted|skipped|obsolete)$/i
const LIST_TOOL = /(?:todo|task|plan|checklist)/
const CREATES = /^(?:(?:task|todo)(?:create|add|new)|(?:create|add|new)(?:task|todo))/
const UPDATES = /^(?:(?:task|todo)(?:update|complete|set|done|delete)|(?:update|complete|finish|delete)(?:task|todo))$/
const PLANS = /^(?:exitplanmode|createplan|presentplan|planmoderespond|submitplan)$/
const MOST = 100

export interface TodoList {
  read(tool: string | null, params: unknown, at: number, text: () => string): void
  entries(): TodoEntry[]
}

export function todoList(): TodoList {
  let entries = new Map<string, TodoEntry>()
  let made = 0

  function update(id: string, params: Readonly<Record<string, unknown>>, at: number): void {
    const before = entries.get(id)
    const text = textOf(params) ?? before?.text
    const status = params.status ?? params.state
    if (/^deleted$/i.test(String(status))) entries.delete(id)
    else if (text !== undefined) {
      entries.set(id, {
        text,
        status: statusOf(params) ?? before?.status ?? 'open',
        at: statusOf(params) === undefined ? (before?.at ?? at) : at,
      })
    }
  }

  return {
    read(tool, params, at, answer) {
      const name = plainName(tool)
      if (!LIST_TOOL.test(name) || !isRecord(params)) return
      const list = LISTS.map((key) => params[key]).find((value) => Array.isArray(value) && value.some(isEntry)) as unknown[] | undefined
      if (list !== undefined) {
        // Harnesses rewrite the whole list, unless `merge` says otherwise.
        if (params.merge !== true) entries = new Map()
        for (const [i, item] of list.slice(0, MOST).entries()) if (isRecord(item)) update(String(item.id ?? i + 1), item, at)
      } else if (CREATES.test(name) && entries.size < MOST) {
        made += 1
        update(/#(\d{1,6})/.exec(answer().slice(0, 500))?.[1] ?? String(made), params, at)
      } else if (UPDATES.test(name)) {
        const id = params.taskId ?? params.task_id ?? params.id
        if (id !== undefined) update(String(id), params, at)
      }
    },
    entries: () => [...entries.values()],
  }
}

export function planOf(tool: string | null, params: unknown): string | undefined {
  if (!isRecord(params)) return undefined
  const { plan, content, file_path: path, name } = params
  if (PLANS.test(plainName(tool))) {
    const text = typeof plan === 'string' ? plan : typeof params.response === 'string' ? params.response : undefined
    return text !== undefined ? planTitle(text) : typeof name === 'string' ? planTitle(`# ${name}`) : undefined
  }
  // Harnesses store plans as files.
  return typeof path === 'string' && typeof content === 'string' && /[\\/]\.?\w+[\\/]plans[\\/][^\\/]+\.md$/.test(path)
    ? planTitle(content)
    : undefined
}

function isEntry(value: unknown): boolean {
  return isRecord(value) && textOf(value) !== undefined && statusOf(value) !== undefined
}

function textOf(entry: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of TEXTS) {
    const value = entry[key]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return undefined
}

function statusOf(entry: Readonly<Record<string, unknown>>): TodoEntry['status'] | undefined {
  const status = entry.status ?? entry.state
  if (typeof status === 'string') return DONE.test(status) ? 'done' : 'open'
  const done = entry.done ?? entry.completed
  return typeof done === 'boolean' ? (done ? 'done' : 'open') : undefined
}
