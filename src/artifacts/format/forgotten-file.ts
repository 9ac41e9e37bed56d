import type { Kysely } from 'kysely'
import type { Tables } from '../../store/tables.ts'
import type { Tombstones } from '../../tombstones/tombstones.ts'
import { isManifest } from './frontmatter.ts'
import type { Frontmatter } from './frontmatter-schema.ts'

export interface FileWithHead {
  readonly path: string
  readonly fields: Frontmatter
}

export async function isForgotten(db: Kysely<Tables>, file: FileWithHead, tombstones: Tombstones | undefined): Promise<boolean> {
  const { fields } = file
  if (tombstones === undefined) return false
  if (tombstones.holds('session', fields.session_id)) return true
  return !isManifest(fields) && tombstones.holds('artifact', fields.content_sha256) && !(await isKnown(db, file))
}

/** A set republished after the forget may repeat a text without forgotten content. */
async function isKnown(db: Kysely<Tables>, { path, fields }: FileWithHead): Promise<boolean> {
  const row = await db.selectFrom('artifacts').selectAll().where('source_path', '=', path).executeTakeFirst()
  if (row === undefined || isManifest(fields) || row.source_sha256 !== fields.content_sha256) return false
  const forgotten = await db
    .selectFrom('tombstones')
    .select((eb) => eb.fn.max('removed_at').as('last'))
    .where('session_token', '=', row.session_token)
    .executeTakeFirst()
  // A restored backup's row predates the forget.
  return row.updated_at >= (forgotten?.last ?? Number.POSITIVE_INFINITY)
}
