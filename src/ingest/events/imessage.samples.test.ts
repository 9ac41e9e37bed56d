/** Real samples, if available; each test explains its expected values. */
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { runAdapter } from '../../../test/helpers/run-adapters.ts'
import { tempFolder, tempStore } from '../../../test/helpers/store.ts'
import { readAttributedText } from './imessage/attributed-text.ts'
import { balloonText, readBalloon } from './imessage/balloon.ts'
import { readEdits } from './imessage/edits.ts'
import { readTypedStream } from './imessage/typedstream.ts'
import { imessage } from './imessage.ts'

const root = resolve('../shared/fixtures/imessage')
const present = existsSync(root)
if (!present) process.stderr.write('skipped: the public samples of Messages are not on this machine\n')

const blob = (name: string) => readFileSync(join(root, 'typedstream', `${name}.bin`))
const plist = (name: string) => readFileSync(join(root, 'plist', `${name}.plist`))

/** Independent parser: the first text after the class name. */
function firstText(bytes: Buffer): string {
  const at = bytes.indexOf(Buffer.from([0x84, 1, 0x2b]), bytes.indexOf('NSString')) + 3
  const mark = bytes[at] as number
  const [length, from] =
    mark === 0x81 ? [bytes.readUInt16LE(at + 1), at + 3] : mark === 0x82 ? [bytes.readUInt32LE(at + 1), at + 5] : [mark, at + 1]
  return bytes.toString('utf8', from, from + length)
}

describe.skipIf(!present)('the public samples of Messages', () => {
  const names = present ? readdirSync(join(root, 'typedstream')).map((name) => name.slice(0, -4)) : []

  it.each(names)('%s is read to its end', (name) => {
    expect(readTypedStream(blob(name)).problem).toBeUndefined()
  })

  it('every one that is an attributed string says what a plain search of its bytes finds, and its runs cover it', () => {
    const read = names.map((name) => ({ name, bytes: blob(name), found: readAttributedText(blob(name)) }))
    // One blob belongs to another program.
    expect(read.filter(({ found }) => found === undefined).map(({ name }) => name)).toEqual(['HugeWithRefs'])
    for (const { name, bytes, found } of read) {
      if (found === undefined) continue
      expect([name, found.text]).toEqual([name, firstText(bytes)])
      expect([name, found.runs.at(-1)?.to]).toEqual([name, found.text.length])
    }
  })

  it('attachments, mentions, links and parts are those that the blobs were made for', () => {
    const runs = (name: string) => readAttributedText(blob(name))?.runs ?? []
    expect(runs('MultiAttachment').map(({ attachment, part }) => [attachment?.slice(0, 5), part])).toEqual(
      Array.from({ length: 19 }, (_, n) => [`at_${n}_`.slice(0, 5), n]),
    )
    expect(runs('Mention').flatMap(({ mention }) => mention ?? [])).toEqual(['+15558675309'])
    expect(runs('StyledLink')[0]?.link).toBe('https://github.com/ReagentX/imessage-exporter/discussions/553')
    expect(runs('MultiPart').map(({ part }) => part)).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('edits and what was unsent', () => {
    expect(readEdits(plist('edited_message-Deleted'))).toMatchObject({ unsent: [0], earlier: [], parts: 1 })
    const edited = readEdits(plist('edited_message-Edited'))
    expect(edited?.earlier.map(({ text }) => text)).toEqual(['First message  ', 'Edit 1', 'Edit 2'])
    expect([...(edited?.current ?? [])]).toEqual([[0, 'Edited message']])
    const linked = readEdits(plist('edited_message-EditedToLink'))
    expect(linked?.earlier).toEqual([{ text: 'here we go!', at: 1_668_821_204_271, part: 1 }])
    expect(linked?.current.get(1)).toBe('https://github.com/ReagentX/imessage-exporter/issues/10')
    expect(readEdits(plist('edited_message-EditedToLinkAndBack'))?.earlier).toHaveLength(2)
  })

  it('links and apps can be read', () => {
    const link = (name: string) => readBalloon('com.apple.messages.URLBalloonProvider', plist(`url_message-${name}`))?.link
    expect(link('URL')).toEqual({ url: 'https://chrissardegna.com/', title: 'Christopher Sardegna' })
    expect(link('Twitter')).toMatchObject({
      title: 'Christopher Sardegna on Twitter',
      summary: '“Hello Twitter, meet Bella”',
      site: 'Twitter',
    })
    expect(link('MetadataURL')).toMatchObject({ url: 'https://chrissardegna.com', summary: 'Sample page description' })
    expect(link('Reminder')?.url).toContain('https://www.icloud.com/reminders/')
    const app = (name: string) => balloonText(readBalloon('some.app', plist(`app_message-${name}`)) ?? {}, '')
    expect(['Business', 'CheckinEnded', 'Game', 'Sent265', 'ApplePayRecurring', 'FindMy', 'Slideshow'].map(app)).toEqual([
      '[Business: Yes, connect me with Goldman Sachs.]',
      '[Check\xa0In: Check\xa0In: Ended]',
      '[GamePigeon: Your move.]',
      '[Apple\xa0Pay: Apple\xa0Cash, $265\xa0Payment]',
      '[Apple\xa0Cash: Sending you $1 weekly starting Nov 18, 2023]',
      '[Find My: Started Sharing Location]',
      '[Photos: Home, 37 Photos] https://share.icloud.com/photos/1337h4x0r_jk#Home',
    ])
  })

  it('a database with the newest columns: as many events, threads and attachments as it has rows', async () => {
    const [store, path] = [await tempStore(), join(tempFolder(), 'chat.db')]
    copyFileSync(join(root, 'macos-ts', 'chat.db'), path)
    const report = await runAdapter(store, imessage({ paths: [path] }))
    const db = new Database(readFileSync(path))
    const count = (sql: string) => db.prepare(sql).pluck().get() as number
    expect(report.records).toBe(count('select count(*) from message where associated_message_type = 0'))
    const events = await store.read.selectFrom('events').selectAll().execute()
    expect(new Set(events.map(({ thread_id }) => thread_id)).size).toBe(count('select count(*) from chat'))
    expect(events.filter(({ metadata_json }) => metadata_json?.includes('"attachments"'))).toHaveLength(
      count('select count(*) from message_attachment_join'),
    )
    const plain = db.prepare('select guid, text from message where text is not null').all() as { guid: string; text: string }[]
    for (const { guid, text } of plain) expect(events.find(({ source_id }) => source_id === guid)?.content?.startsWith(text)).toBe(true)
    db.close()
  })
})
