import { plural, stripControls } from '../../core/text.ts'
import type { ShowAnswer } from '../../library/index.ts'
import { shorten, wrap } from './layout.ts'
import { localTime, tokens } from './quantity.ts'
import type { Style } from './style.ts'

type Tree = Extract<ShowAnswer, { readonly kind: 'tree' }>
type Node = Tree['nodes'][number]

const DEEPEST_INDENT = 12

export function formatTree({ nodes, session_id }: Tree, { style, width }: { readonly style: Style; readonly width: number }): string {
  const blocks = nodes.map((node) => {
    const indent = '  '.repeat(Math.min(node.depth, DEEPEST_INDENT))
    const room = Math.max(width - indent.length - 4, 30)
    const isAsked = node.session_id === session_id
    const title = shorten(stripControls(node.title ?? node.label), room - 12)
    const mark = isAsked ? style.green('▶ ') : node.depth === 0 ? '● ' : '↳ '
    const head = `${indent}${mark}${isAsked ? style.bold(title) : title}${stateOf(node, style)}`
    return [head, ...detailLines(node).map((line) => style.dim(wrap(line, width, `${indent}  `)))].join('\n')
  })
  const subagents = nodes.filter((node) => node.depth > 0).length
  return [...blocks, '', style.dim(subagents === 0 ? 'no subagents' : plural(subagents, 'subagent'))].join('\n')
}

const FAILED: ReadonlySet<string> = new Set(['error', 'failed'])
const DONE: ReadonlySet<string> = new Set(['completed', 'ended'])

function stateOf(node: Node, style: Style): string {
  const status = node.task_status ?? node.status
  const paint = FAILED.has(status) ? style.red : DONE.has(status) ? style.dim : style.yellow
  return `  ${paint(stripControls(status))}`
}

function detailLines(node: Node): string[] {
  const facts = [
    ...(node.started_at === null ? [] : [localTime(node.started_at)]),
    ...(node.models.length > 0 ? [node.models.join(', ')] : node.model === null ? [] : [node.model]),
    plural(node.message_count, 'message'),
    tokens(node),
  ]
  const orphan = node.is_subagent && node.parent_session_id === null
  return [
    stripControls(node.session_id),
    stripControls(facts.join(' · ')),
    ...startedBy(node),
    ...(node.missing_parent !== null
      ? [stripControls(`its parent ${node.missing_parent} is not imported`)]
      : orphan
        ? ['its parent is not known']
        : []),
  ]
}

/** Drops the parent's id, which is printed above. `show` accepts this form. */
function startedBy({ started_by, parent_session_id }: Node): string[] {
  if (started_by === null) return []
  const own = (id: string) => (id.startsWith(`${parent_session_id}/`) ? id.slice(`${parent_session_id}/`.length) : id)
  const { tool_call_id, tool, message_id } = started_by
  return [stripControls(`started by ${tool ?? 'call'} ${own(tool_call_id)}${message_id === null ? '' : ` in message ${own(message_id)}`}`)]
}
