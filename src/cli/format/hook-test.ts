import type { HookTest } from '../../library/index.ts'
import { printable } from './printable.ts'

export function formatHookTest(test: HookTest): string {
  const { harness, event, gate, context, notice, tasks, steps, total_ms: total, budget_ms: budget } = test
  const took = steps.map(({ name, ms }) => `${name} ${ms} ms`).join(', ')
  const given = context === '' ? 'nothing is injected' : `${context.length} characters are injected`
  return [
    `${harness} ${event}: ${gate === null ? given : `stopped at the gate (${gate}); nothing is loaded`}`,
    `${total} ms here (${took}); in a hook the start of its process adds to that, and the budget of ${budget} ms counts all of it`,
    ...(notice === null ? [] : [`to the person: ${printable(notice)}`]),
    ...(tasks.length === 0 ? [] : [`left for the writer: ${tasks.join(', ')}`]),
    ...(context === '' ? [] : ['', printable(context)]),
  ].join('\n')
}
