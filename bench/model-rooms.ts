/**
 * Homes for the model: coding sessions by seed, and two LoCoMo conversations. Kept beside the answers: prompts hold ids, so a new home
 * would ask again.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ConfigInput, type Mnemonic, openMnemonic } from 'agent-mnemonic'
import { openMessages } from '../test/helpers/messages-database.ts'
import { ASKED_AT, codingFolder } from './coding-data.ts'
import { PROJECT, type Room } from './know-bench.ts'
import { type KnowQuestion, knowLabels } from './know-data.ts'
import { folder } from './retrieval-bench.ts'
import type { CachedEmbedder } from './retrieval-cache.ts'
import { type Haystack, locomo } from './retrieval-data.ts'
import type { BenchContext } from './run.ts'

const CONVERSATIONS = ['26', '41']
const SECONDS_A_TURN = 30
const PHONES = { owner: '+14155550100', other: '+14155550142' }

/** `questions` are those of `know`; `file` selects logs. */
export interface ModelRoom extends Pick<Room, 'name' | 'questions' | 'now' | 'config'> {
  readonly folder?: string
  readonly write: (logs: string) => void
  readonly adapters: readonly string[]
}

export function modelRooms(context: BenchContext): ModelRoom[] {
  const { questions } = knowLabels(context)
  const conversations = (folder(context, 'locomo', locomo) ?? []).filter(({ name }) => CONVERSATIONS.includes(name))
  const coding = codingRoom(context, {
    name: 'coding',
    questions: questions.filter(({ set }) => set === 'coding'),
  })
  return [coding, ...conversations.map((haystack) => peopleRoom(haystack, questions))]
}

export function codingRoom(
  context: BenchContext,
  { name, questions, only }: { name: string; questions: readonly KnowQuestion[]; only?: ReadonlySet<string> },
): ModelRoom {
  return {
    ...{ name, questions, now: ASKED_AT, folder: PROJECT, adapters: ['claude-code'], config: { owner: { timezone: 'UTC' } } },
    write(logs) {
      mkdirSync(logs, { recursive: true })
      execFileSync('tar', ['xJf', join(codingFolder(context), 'sessions.tar.xz'), '-C', logs])
      if (only === undefined) return
      for (const file of readdirSync(logs, { recursive: true, encoding: 'utf8' }))
        if (file.endsWith('.jsonl') && !only.has(file.split('/').at(-1)?.replace('.jsonl', '') ?? '')) rmSync(join(logs, file))
    },
  }
}

/** `know` gives every second turn to an agent, which cannot be observed. Here the first speaker is the owner. */
function peopleRoom({ name, now, sessions }: Haystack, questions: readonly KnowQuestion[]): ModelRoom {
  const [owner = '', other = ''] = [...new Set(sessions.flatMap(({ turns }) => turns.map(({ speaker }) => speaker ?? '')))]
  const config: ConfigInput = {
    owner: { name: owner, timezone: 'UTC', phones: [PHONES.owner] },
    sources: { imessage: { enabled: true }, contacts: { enabled: true } },
  }
  return {
    ...{ name: `locomo-${name}`, now, config, adapters: ['imessage', 'contacts'] },
    questions: questions.filter(({ set, conversation }) => set === 'locomo' && conversation === name),
    write(logs) {
      const messages = openMessages(join(logs, 'chat.db'))
      const from = messages.handle(PHONES.other)
      const chat = messages.chat(
        { guid: `iMessage;-;${PHONES.other}`, style: 45, chat_identifier: PHONES.other, service_name: 'iMessage' },
        [from],
      )
      for (const { at, turns } of sessions)
        for (const [i, { id, speaker, text }] of turns.entries())
          messages.message({
            ...{ guid: `locomo-${name}-${id}`, text, chat, at: at + i * SECONDS_A_TURN * 1000 },
            ...(speaker === owner ? { columns: { is_from_me: 1, destination_caller_id: PHONES.owner } } : { from }),
          })
      messages.close()
      const card = ['BEGIN:VCARD', 'VERSION:3.0', `FN:${other}`, `TEL;TYPE=CELL:${PHONES.other}`, 'END:VCARD', '']
      writeFileSync(join(logs, 'contacts.vcf'), card.join('\r\n'))
    },
  }
}

export async function keptHome(answers: string, room: ModelRoom): Promise<string> {
  const at = join(answers, 'homes', room.name)
  if (existsSync(at)) return at
  const unfinished = `${at}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  room.write(join(unfinished, 'logs'))
  const mnemonic = await opened(unfinished, room)
  try {
    await mnemonic.sync({ path: join(unfinished, 'logs'), embed: false, adapters: [...room.adapters] })
    await mnemonic.analyze()
  } finally {
    await mnemonic.close()
  }
  rmSync(join(unfinished, 'logs'), { recursive: true })
  renameSync(unfinished, at)
  return at
}

export function copyOf(home: string, to: string): string {
  cpSync(home, to, { recursive: true })
  return to
}

export function opened(at: string, { now, config }: Pick<ModelRoom, 'now' | 'config'>, more: OpenMore = {}): Promise<Mnemonic> {
  const { analyze, embedder } = more
  return openMnemonic({
    ...{ home: join(at, 'home'), workspace: join(at, 'workspace'), clock: () => now },
    config: { ...config, embedding: { sync_seconds: 0 }, ...(analyze === undefined ? {} : { analyze }) },
    ...(embedder === undefined ? {} : { embedder }),
  })
}

export interface OpenMore {
  readonly analyze?: NonNullable<ConfigInput['analyze']>
  readonly embedder?: CachedEmbedder
}
