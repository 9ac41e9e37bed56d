import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { chatgpt } from '../../../src/ingest/capture/chatgpt.ts'
import type { Exchange, SampleSource } from '../sample-source.ts'

interface Said {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly content: Readonly<Record<string, unknown>>
  readonly at: number
  readonly name?: string
  readonly recipient?: string
}

export const chatgptSource: SampleSource = {
  name: 'chatgpt',
  kind: 'json',
  adapter: (folder) => chatgpt({ paths: [folder] }),
  write(folder, session, exchanges) {
    const path = join(folder, session, 'conversations.json')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify([chatgptConversation(session, exchanges)]))
    return path
  },
}

/** A root without a message, an empty system message, then the exchanges. */
export function chatgptConversation(session: string, exchanges: readonly Exchange[]): Record<string, unknown> {
  const said = exchanges.flatMap(saidIn)
  const ids = ['root', 'system', ...said.map((_, n) => `message-${n}`)].map((id) => `${session}-${id}`)
  const mapping: Record<string, unknown> = {}
  for (const [n, id] of ids.entries()) {
    const message = n === 0 ? null : n === 1 ? systemMessage(id) : messageOf(id, said[n - 2] as Said)
    mapping[id] = { id, message, parent: ids[n - 1] ?? null, children: ids.slice(n + 1, n + 2) }
  }
  return {
    title: `About ${session}`,
    create_time: (exchanges[0]?.at ?? 0) / 1000,
    update_time: (exchanges.at(-1)?.at ?? 0) / 1000,
    mapping,
    moderation_results: [],
    current_node: ids.at(-1),
    default_model_slug: 'gpt-5',
    is_archived: false,
    conversation_id: session,
    id: session,
  }
}

function saidIn({ prompt, answer, at, tool }: Exchange): Said[] {
  const call: Said[] =
    tool === undefined
      ? []
      : [
          {
            role: 'assistant',
            recipient: tool.name,
            content: { content_type: 'code', language: 'json', text: JSON.stringify(tool.params) },
            at: at + 1000,
          },
          { role: 'tool', name: tool.name, content: { content_type: 'execution_output', text: tool.result }, at: at + 2000 },
        ]
  return [
    { role: 'user', content: { content_type: 'text', parts: [prompt] }, at },
    ...call,
    { role: 'assistant', content: { content_type: 'text', parts: [answer] }, at: at + 3000 },
  ]
}

function systemMessage(id: string): Record<string, unknown> {
  const content = { content_type: 'text', parts: [''] }
  return { id, author: { role: 'system', metadata: {} }, create_time: null, content, weight: 0, metadata: {}, recipient: 'all' }
}

function messageOf(id: string, { role, content, at, name, recipient = 'all' }: Said): Record<string, unknown> {
  return {
    id,
    author: { role, name: name ?? null, metadata: {} },
    create_time: at / 1000,
    update_time: null,
    content,
    status: 'finished_successfully',
    end_turn: role === 'assistant' && recipient === 'all' ? true : null,
    weight: 1,
    metadata: role === 'user' ? {} : { model_slug: 'gpt-5' },
    recipient,
    channel: null,
  }
}

export function zipOf(files: Readonly<Record<string, string | Buffer>>, options: { readonly stored?: boolean } = {}): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content as string)
    const packed = options.stored ? data : deflateRawSync(data)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(0x800, 2)
    fields.writeUInt16LE(options.stored ? 0 : 8, 4)
    fields.writeUInt32LE(crc32(data), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(data.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, rest, Buffer.from(name)]))
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listed, end])
}
