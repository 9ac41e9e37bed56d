/** Dry run of a hook with timings. Queues no task, starts no worker. */

import { agentMemory } from '../config/agent-memory.ts'
import { given } from '../core/given.ts'
import { gateStops } from '../core/hook-gate.ts'
import { needsNoMemory } from '../core/needs-no-memory.ts'
import { answerCall } from '../roles/hooks/answer-call.ts'
import { isToolEvent } from '../roles/hooks/hook-call.ts'
import { toolOf } from '../roles/hooks/payload-fields.ts'
import type { MomentRequest } from '../roles/moment/moment.ts'
import { calledHook } from './called-hook.ts'
import type { HookTest, HookTestRequest } from './hook-request.ts'
import { hookServices } from './hook-services.ts'
import type { Home } from './open-home.ts'

export async function testHook(home: Home, request: HookTestRequest): Promise<HookTest> {
  const { prompt = '', agent } = request
  const steps: { name: string; ms: number }[] = []
  const began = performance.now()
  let last = began
  const onStep = (name: string) => {
    const now = performance.now()
    steps.push({ name, ms: Math.round((now - last) * 10) / 10 })
    last = now
  }
  const { harness, event } = calledHook(request)
  const tool = isToolEvent(event) ? toolPayload(request) : {}
  const gate =
    event === 'prompt' ? (needsNoMemory(prompt) ?? null) : isToolEvent(event) ? (gateStops(home.paths.home, event, tool) ?? null) : null
  const tasks: string[] = []
  const made = hookServices(home, onStep)
  const services = {
    ...made,
    enqueue: async ({ kind }: { readonly kind: string }) => void tasks.push(kind),
    countTurn: async () => tasks.push('capture') > 0,
    startWorker: async () => undefined,
    clearFailures: () => undefined,
    moment: (asked: MomentRequest) => made.moment({ ...asked, notes: false }),
  }
  const call = {
    harness: harness.name,
    event,
    session: 'hook-test',
    ...given({ prompt: request.prompt, folder: request.folder, reason: request.reason, agent }),
  }
  const asked = event === 'prompt' || event === 'session_start' ? withoutSession(call) : { ...call, ...toolOf(event, tool) }
  const words = await answerCall(asked, services)
  onStep('answer')
  return {
    ...{ harness: harness.name, event, gate, context: words.context, notice: words.notice ?? null, tasks, steps },
    output: words.context === '' && words.notice === undefined ? '' : harness.answer(event, words),
    total_ms: Math.round((performance.now() - began) * 10) / 10,
    budget_ms: agentMemory(home.config, agent).read.budget_ms,
  }
}

function toolPayload({ tool, command, file, output }: HookTestRequest): Record<string, unknown> {
  const name = tool ?? (file === undefined ? 'Bash' : 'Edit')
  return { tool_name: name, tool_input: given({ command, file_path: file }), ...given({ error: output }) }
}

/** With a session, the reader would record what it gave and not repeat it. */
function withoutSession<T extends { readonly session: string }>({ session: _, ...call }: T): Omit<T, 'session'> {
  return call
}
