import { basename, extname } from 'node:path/posix'
import type { SourceDatabase } from '../../../store/source-database.ts'
import type { Has } from './schema.ts'

export interface Attachment {
  readonly guid: string
  readonly name: string | null
  /** MIME type, else Apple's UTI. */
  readonly type: string | null
  readonly kind: 'image' | 'video' | 'audio' | 'file'
  readonly bytes: number | null
  readonly sticker?: true
}

interface AttachmentRow {
  readonly message: number
  readonly guid: string | null
  readonly filename: string | null
  readonly mime_type: string | null
  readonly uti: string | null
  readonly transfer_name: string | null
  readonly total_bytes: number | null
  readonly is_sticker: number | null
}

export type AttachmentsOf = (messages: readonly number[]) => ReadonlyMap<number, readonly Attachment[]>

export function attachmentReader(db: SourceDatabase, has: Has): AttachmentsOf {
  if (!has('message_attachment_join', 'message_id') || !has('attachment', 'guid')) return () => new Map()
  const typeOf = (name: string) => (name === 'total_bytes' || name === 'is_sticker' ? 'integer' : 'text')
  const column = (name: string) => (has('attachment', name) ? `cast(a.${name} as ${typeOf(name)}) as ${name}` : `null as ${name}`)
  const columns = ['guid', 'filename', 'mime_type', 'uti', 'transfer_name', 'total_bytes', 'is_sticker'].map(column).join(', ')
  // Skips hidden attachments of link previews.
  const shown = has('attachment', 'hide_attachment') ? 'and ifnull(a.hide_attachment, 0) = 0' : ''
  const sql = `select j.message_id as message, ${columns} from message_attachment_join j join attachment a on a.ROWID = j.attachment_id
    where j.message_id in (select value from json_each(?)) ${shown} order by j.message_id, a.ROWID`
  return (messages) => {
    const found = new Map<number, Attachment[]>()
    for (const row of db.rows<AttachmentRow>(sql, JSON.stringify(messages))) {
      const list = found.get(row.message) ?? []
      found.set(row.message, list)
      list.push(attachmentOf(row))
    }
    return found
  }
}

function attachmentOf({ guid, filename, mime_type, uti, transfer_name, total_bytes, is_sticker }: AttachmentRow): Attachment {
  const name = transfer_name || (filename ? basename(filename) : null)
  return {
    guid: guid ?? '',
    name,
    type: mime_type || uti || null,
    kind: kindOf(mime_type ?? '', uti ?? '', name ?? ''),
    bytes: typeof total_bytes === 'number' && total_bytes > 0 ? total_bytes : null,
    ...(is_sticker === 1 ? { sticker: true as const } : {}),
  }
}

const EXTENSIONS: Readonly<Record<string, 'image' | 'video' | 'audio'>> = {
  ...{ '.jpg': 'image', '.jpeg': 'image', '.png': 'image', '.gif': 'image', '.heic': 'image', '.webp': 'image', '.tiff': 'image' },
  ...{ '.mov': 'video', '.mp4': 'video', '.m4v': 'video', '.3gp': 'video' },
  ...{ '.caf': 'audio', '.m4a': 'audio', '.mp3': 'audio', '.amr': 'audio', '.wav': 'audio' },
}

function kindOf(mime: string, uti: string, name: string): Attachment['kind'] {
  const [major] = mime.split('/')
  if (major === 'image' || major === 'video' || major === 'audio') return major
  if (/image|jpeg|png|heic|heif|gif/i.test(uti)) return 'image'
  if (/movie|video|mpeg-4$|quicktime/i.test(uti)) return 'video'
  if (/audio/i.test(uti)) return 'audio'
  return EXTENSIONS[extname(name).toLowerCase()] ?? 'file'
}

export function placeOf(attachment: Attachment | undefined): string {
  if (attachment === undefined) return '[attachment]'
  const word = attachment.sticker ? 'sticker' : attachment.kind
  return attachment.name === null ? `[${word}]` : `[${word} ${attachment.name}]`
}
