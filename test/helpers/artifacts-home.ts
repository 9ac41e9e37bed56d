import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Artifacts, type ArtifactsOptions, artifacts } from '../../src/artifacts/artifacts.ts'
import { shortHash } from '../../src/core/hash.ts'
import type { AgentRecord, MessageRecord } from '../../src/ledgers/agent-record.ts'
import { agentsWriter } from '../../src/ledgers/agents-writer.ts'
import type { Store } from '../../src/store/store.ts'
import { NOON } from './store.ts'

export const DAY = 86_400_000

export interface SessionSeed {
  readonly name: string
  /** Milliseconds UTC. */
  readonly at: number
  readonly turns?: number
  readonly project?: string
  readonly agentId?: string
  readonly title?: string
  readonly compaction?: string
  readonly prompt?: string
}

export function sessionRecords({
  name,
  at,
  turns = 2,
  project = '/home/dev/atlas',
  agentId,
  title,
  compaction,
  prompt,
}: SessionSeed): AgentRecord[] {
  const message = (n: number, role: MessageRecord['role'], text: string, more: Partial<MessageRecord> = {}): MessageRecord => ({
    ...{ type: 'message', session: name, id: `${name}-${n}-${role}`, hash: shortHash(16, role, text), role, text },
    ...{ kind: role === 'user' ? 'prompt' : 'reply', timestamp: at + n * 60_000, trust: role === 'user' ? 'owner' : 'agent' },
    ...more,
  })
  const records: AgentRecord[] = [
    { type: 'session', session: name, firstHash: name, project, ...(agentId === undefined ? {} : { agentId }) },
  ]
  if (title !== undefined) records.push({ type: 'title', session: name, title, rank: 4 })
  for (let n = 0; n < turns; n++) {
    const asked = n === 0 && prompt !== undefined ? prompt : `Please fix the parser of the atlas gateway, step ${n} of session ${name}.`
    records.push(message(2 * n, 'user', asked))
    records.push(
      message(2 * n + 1, 'assistant', `I fixed src/parser-${n}.ts. We decided to keep SQLite for session ${name}.`, {
        toolCalls: [{ id: `${name}-${n}`, name: 'Edit', params: JSON.stringify({ file_path: `${project}/src/parser-${n}.ts` }) }],
      }),
    )
    if (n === 0 && compaction !== undefined) {
      records.push(message(2 * n + 1.5, 'system', compaction, { kind: 'summary', compaction: { trigger: 'auto', tokensBefore: 9000 } }))
    }
  }
  return records
}

export async function seedSessions(store: Store, seeds: readonly SessionSeed[], clock: () => number = () => NOON): Promise<void> {
  const writer = agentsWriter({ source: 'claude-code', clock, quietMs: 7_200_000 })
  await store.write(async (tx) => {
    await writer.apply(tx, seeds.flatMap(sessionRecords))
    await writer.finish(tx)
  })
}

export function artifactsOf(store: Store, workspace: string, more: Partial<ArtifactsOptions> = {}): Artifacts {
  const budget = { maxLines: 200, maxBytes: 25_600 }
  return artifacts({ store, workspace, clock: () => NOON, agentId: 'main', budget, exclude: () => false, ...more })
}

export function filesIn(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {}
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    names.filter((name) => statSync(join(folder, name)).isFile()).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}
