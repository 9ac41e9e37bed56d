/** A database of Messages of any size; deterministic by seed. */
import { random } from './generate-claude.ts'
import { appleTime, openMessages } from './messages-database.ts'

export interface GeneratedMessages {
  /** Without tapbacks. */
  readonly messages: number
  readonly tapbacks: number
  readonly chats: number
}

const WORDS =
  'the a of to and is in that dinner launch train key friday photo call later yes no maybe where when we you see send plan'.split(' ')
const FIRST = Date.UTC(2016, 0, 1)
const PEOPLE = 400

/** Of `count` rows every twelfth is a tapback, every hundredth has an attachment, every 200th was edited. */
export function generateMessages(path: string, count: number, seed = 11): GeneratedMessages {
  const rand = random(seed)
  const messages = openMessages(path)
  const { db } = messages
  db.pragma('synchronous = off')
  const pick = <T>(list: readonly T[]): T => list[Math.floor(rand() * list.length)] as T
  const handles = Array.from({ length: PEOPLE }, (_, n) => messages.handle(`+1415555${String(n).padStart(4, '0')}`))
  const chats = handles.map((handle, n) =>
    n % 10 === 0
      ? messages.chat(
          { guid: `iMessage;+;chat${n}`, style: 43, chat_identifier: `chat${n}`, service_name: 'iMessage', group_id: `GROUP-${n}` },
          handles.slice(n, n + 5),
        )
      : messages.chat({ guid: `iMessage;-;${n}`, style: 45, chat_identifier: `+1415555${n}`, service_name: 'iMessage' }, [handle]),
  )
  let tapbacks = 0
  const recent: string[] = []
  for (let from = 0; from < count; from += 20_000) {
    db.transaction(() => {
      for (let n = from; n < Math.min(count, from + 20_000); n++) {
        const at = FIRST + n * 300_000
        const who = Math.floor(rand() * PEOPLE)
        const author = rand() < 0.5 ? {} : { from: handles[who] as number }
        const base = { guid: `${String(n).padStart(8, '0')}-MESSAGE`, chat: chats[who] as number, at, ...author }
        if (n % 12 === 11) {
          const columns = { associated_message_guid: `p:0/${pick(recent)}`, associated_message_type: 2000 + Math.floor(rand() * 6) }
          messages.message({ ...base, text: 'Loved a message', columns })
          tapbacks += 1
          continue
        }
        recent[n % 50] = base.guid
        const text = Array.from({ length: 3 + Math.floor(rand() * 20) }, () => pick(WORDS)).join(' ')
        const row = messages.message({ ...base, text, columns: n % 200 === 0 ? { date_edited: appleTime(at + 60_000) } : {} })
        if (n % 100 === 0)
          messages.attach(row, { guid: `at-${n}`, mime_type: 'image/heic', transfer_name: `IMG_${n}.HEIC`, total_bytes: 2e6 })
      }
    })()
  }
  db.pragma('wal_checkpoint(truncate)')
  messages.close()
  return { messages: count - tapbacks, tapbacks, chats: chats.length }
}
