/** Which call a tool's message answers. The export names none: it is the nearest call above it that has no answer yet, by the tool's name. */
import type { ToolCallPart } from '../../../ledgers/agent-record.ts'

interface Open {
  readonly id: string
  readonly name: string
  /** The call before it on the same way up. */
  readonly before: Open | undefined
  answered: boolean
}

export interface OpenCalls {
  /** A node, and the node it follows. */
  follow(node: string, parent: string | undefined): void
  open(node: string, call: ToolCallPart): void
  /** Closes the call that a message of `tool` at `node` answers, and names it. */
  answer(node: string, tool: string | undefined): string | undefined
}

export function openCalls(): OpenCalls {
  const above = new Map<string, Open | undefined>()
  return {
    follow: (node, parent) => void above.set(node, parent === undefined ? undefined : above.get(parent)),
    open: (node, { id, name }) => void above.set(node, { id, name, before: above.get(node), answered: false }),
    answer(node, tool) {
      const nearest = find(above.get(node), (call) => isOf(call.name, tool)) ?? find(above.get(node), () => tool === undefined)
      if (nearest === undefined) return undefined
      nearest.answered = true
      return nearest.id
    },
  }
}

/** How many calls back a result may lie. */
const REACH = 50

function find(from: Open | undefined, fits: (call: Open) => boolean): Open | undefined {
  let call = from
  for (let i = 0; call !== undefined && i < REACH; i++, call = call.before) if (!call.answered && fits(call)) return call
  return undefined
}

/** `web` answers `web.run`, and `dalle.text2im` answers itself. */
function isOf(called: string, tool: string | undefined): boolean {
  if (tool === undefined) return false
  return called === tool || called.split('.')[0] === tool.split('.')[0]
}
