import { join } from 'node:path'
import { imessage } from '../../../src/ingest/events/imessage.ts'
import type { EventSource } from '../event-source.ts'
import { openMessages } from '../messages-database.ts'

export const imessageSource: EventSource = {
  name: 'imessage',
  kind: 'database',
  adapter: (folder) => imessage({ paths: [join(folder, 'chat.db')], platform: 'linux' }),
  write(folder, name, happenings) {
    const path = join(folder, 'chat.db')
    const messages = openMessages(path)
    const { db } = messages
    db.transaction(() => {
      const row = (sql: string, ...values: string[]) =>
        db
          .prepare(sql)
          .pluck()
          .get(...values) as number | undefined
      const handleOf = (id: string) => row('select ROWID from handle where id = ?', id) ?? messages.handle(id)
      const others = [...new Set(happenings.flatMap(({ from }) => from ?? []))]
      const guid = `iMessage;-;${name}`
      const columns = { guid, style: 45, chat_identifier: others[0] ?? name, service_name: 'iMessage' }
      const chat = row('select ROWID from chat where guid = ?', guid) ?? messages.chat(columns, others.map(handleOf))
      const known = db.prepare('select guid from message where guid like ?').pluck().all(`${name}-%`) as string[]
      const guids = happenings.map((_, n) => `${name}-${n}`)
      for (const gone of known.filter((one) => !guids.includes(one))) db.prepare('delete from message where guid = ?').run(gone)
      for (const [n, { text, from, at }] of happenings.entries()) {
        if (known.includes(`${name}-${n}`)) continue
        messages.message({ guid: `${name}-${n}`, text, chat, at, ...(from === undefined ? {} : { from: handleOf(from) }) })
      }
    })()
    messages.close()
    return path
  },
}
