import { given } from '../../../core/given.ts'
import { type Attachment, placeOf } from './attachments.ts'
import { type AttributedText, readAttributedText, type TextRun } from './attributed-text.ts'
import { type Balloon, balloonText, readBalloon } from './balloon.ts'
import type { Edits } from './edits.ts'
import type { MessageRow } from './message-row.ts'

export interface MessageText {
  readonly content: string | null
  /** A person wrote part of it. */
  readonly hasWords: boolean
  readonly mentions: readonly string[]
  readonly balloon?: Balloon
  /** Only `attributedBody` exists, and it cannot be decoded. */
  readonly undecoded?: true
}

const PLACE = '\ufffc'
const APP_PLACE = '\ufffd'
const MENTION = Buffer.from('__kIMMentionConfirmedMention')

export function messageText(row: MessageRow, attachments: readonly Attachment[], edits: Edits | undefined): MessageText {
  const { text: said, runs, undecoded } = bodyOf(row, edits)
  const balloon = row.balloon_bundle_id === null ? undefined : readBalloon(row.balloon_bundle_id, row.payload)
  const words = row.balloon_bundle_id === null ? said : said.replaceAll(APP_PLACE, '')
  const shown = withAttachments(words === said ? { text: said, runs } : { text: words, runs: [] }, attachments)
  const parts = [row.subject ?? '', shown, balloon === undefined ? '' : (balloonText(balloon, shown) ?? '')].filter(
    (part) => part.trim() !== '',
  )
  return {
    content: parts.length === 0 ? null : parts.join('\n'),
    hasWords: words.replaceAll(PLACE, '').trim() !== '' || (row.subject ?? '').trim() !== '' || balloon !== undefined,
    mentions: [...new Set(runs.flatMap(({ mention }) => mention ?? []))],
    ...given({ balloon, undecoded }),
  }
}

/** `text`, else `attributedBody`, else the last edited version. */
function bodyOf({ text, body }: MessageRow, edits: Edits | undefined): AttributedText & { readonly undecoded?: true } {
  const plain = text ?? ''
  const needed = plain === '' || plain.includes(PLACE) || (body?.includes(MENTION) ?? false)
  const attributed = body === null || !needed ? undefined : readAttributedText(body)
  if (plain !== '') return { text: plain, runs: attributed?.text === plain ? attributed.runs : [] }
  if (attributed !== undefined) return attributed
  const last = [...(edits?.current ?? [])].sort(([a], [b]) => a - b).map(([, version]) => version)
  return { text: last.join('\n'), runs: [], ...given({ undecoded: body !== null && last.length === 0 ? (true as const) : undefined }) }
}

/** Names each attachment once, at its place or at the end. Never changes written text. */
function withAttachments({ text, runs }: AttributedText, attachments: readonly Attachment[]): string {
  const left = [...attachments]
  const take = (guid: string | undefined): Attachment | undefined => {
    const at = guid === undefined ? 0 : left.findIndex((attachment) => attachment.guid === guid)
    return left.splice(at < 0 ? left.length : at, 1)[0]
  }
  const pieces: string[] = []
  let from = 0
  for (let at = text.indexOf(PLACE); at >= 0; at = text.indexOf(PLACE, from)) {
    pieces.push(text.slice(from, at), placeOf(take(runAt(runs, at)?.attachment)))
    from = at + 1
  }
  pieces.push(text.slice(from), ...left.map(placeOf))
  return pieces.filter((piece) => piece.trim() !== '').join('\n')
}

function runAt(runs: readonly TextRun[], at: number): TextRun | undefined {
  return runs.find(({ from, to }) => from <= at && at < to)
}
