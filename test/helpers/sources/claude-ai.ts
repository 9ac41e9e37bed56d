import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { claudeAi } from '../../../src/ingest/capture/claude-ai.ts'
import type { Exchange, SampleSource } from '../sample-source.ts'

export const claudeAiSource: SampleSource = {
  name: 'claude-ai',
  kind: 'json',
  adapter: (folder) => claudeAi({ paths: [folder] }),
  write(folder, session, exchanges) {
    const path = join(folder, session, 'conversations.json')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify([claudeAiConversation(session, exchanges)]))
    return path
  },
}

const ROOT = '00000000-0000-4000-8000-000000000000'

export function claudeAiConversation(session: string, exchanges: readonly Exchange[]): Record<string, unknown> {
  const messages = exchanges.flatMap(({ prompt, answer, at, tool }, n) => {
    const id = `${session}-${n}`
    const call =
      tool === undefined
        ? []
        : [
            { type: 'tool_use', id: `toolu_${id}`, name: tool.name, input: tool.params, ...between(at + 1000) },
            {
              type: 'tool_result',
              tool_use_id: `toolu_${id}`,
              name: tool.name,
              content: [{ type: 'text', text: tool.result }],
              is_error: false,
            },
          ]
    const content = [...call, { type: 'text', text: answer, citations: [], ...between(at + 2000) }]
    return [
      messageOf({ uuid: `${id}-q`, sender: 'human', text: prompt, content: [{ type: 'text', text: prompt, citations: [] }], at }),
      messageOf({ uuid: `${id}-a`, sender: 'assistant', text: answer, content, at: at + 3000 }),
    ]
  })
  return {
    uuid: session,
    name: `About ${session}`,
    summary: '',
    created_at: micros(exchanges[0]?.at ?? 0),
    updated_at: micros(exchanges.at(-1)?.at ?? 0),
    account: { uuid: '11111111-2222-4333-8444-555555555555' },
    chat_messages: messages.map((message, n) => ({ ...message, parent_message_uuid: messages[n - 1]?.uuid ?? ROOT })),
  }
}

interface Message {
  readonly uuid: string
  readonly sender: 'human' | 'assistant'
  readonly text: string
  readonly content: readonly unknown[]
  readonly at: number
}

function messageOf({ at, ...message }: Message): Omit<Message, 'at'> & Record<string, unknown> {
  return { ...message, created_at: micros(at), updated_at: micros(at), attachments: [], files: [] }
}

function between(at: number): { start_timestamp: string; stop_timestamp: string } {
  return { start_timestamp: micros(at), stop_timestamp: micros(at + 500) }
}

/** The service writes microseconds. */
function micros(at: number): string {
  return new Date(at).toISOString().replace('Z', '000Z')
}
