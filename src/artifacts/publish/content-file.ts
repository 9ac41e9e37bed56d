/** Writes atomically and never overwrites. */
import { join } from 'node:path'
import { type AtomicOptions, isExisting, writeAtomic } from '../../core/atomic-file.ts'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { renderFrontmatter } from '../format/frontmatter.ts'
import type { ContentFrontmatter } from '../format/frontmatter-schema.ts'
import { bodySha256, isSound, readContentHead, soundHead } from '../format/read-artifact.ts'
import { putRowOf } from './artifact-rows.ts'
import { checkMark } from './forgotten-meanwhile.ts'
import type { LoadedSession } from './load-set.ts'
import type { PublishContext } from './publish-context.ts'

export interface ContentFile {
  readonly path: string
  readonly fields: ContentFrontmatter
  /** Must be normalized, as its checksum is. */
  readonly body: () => Iterable<string> | AsyncIterable<string>
}

/** Throws VALIDATION_ERROR if the file has other content: it was edited, or is an earlier version of the same moment. */
export async function writeContent(
  workspace: string,
  { path, fields, body }: ContentFile,
  commit?: AtomicOptions['commit'],
): Promise<'written' | 'there'> {
  async function* pieces() {
    yield renderFrontmatter(fields, path)
    for await (const piece of body()) yield piece
    yield '\n'
  }
  try {
    await writeAtomic(join(workspace, path), pieces(), { exclusive: true, ...given({ commit }) })
    return 'written'
  } catch (error) {
    if (!isExisting(error)) throw error
  }
  const there = readContentHead(workspace, path)
  const same = there?.fields.content_sha256 === fields.content_sha256
  if (same && (await bodySha256(workspace, path)) === fields.content_sha256) return 'there'
  throw new MnemonicError('VALIDATION_ERROR', `${path} is there already with other content; it is immutable and was left as it is`, {
    details: { file: path },
    hint: 'See what differs: mnemonic memory verify. Write it again from the ledger: mnemonic memory restore PATH.',
  })
}

/** Keeps an earlier attempt's file, even if it would now differ (a new title). */
export async function writeOnce(context: PublishContext, loaded: LoadedSession, file: ContentFile): Promise<'written' | 'there'> {
  try {
    return await writeContent(context.workspace, file, whileItHolds(context, loaded))
  } catch (error) {
    if (!(error instanceof MnemonicError) || error.code !== 'VALIDATION_ERROR' || !(await isOfSet(context, file))) throw error
    return 'there'
  }
}

async function isOfSet({ store, workspace, tombstones }: PublishContext, { path, fields }: ContentFile): Promise<boolean> {
  const there = soundHead(workspace, path)
  if (there?.session_id !== fields.session_id || there.manifest_path !== fields.manifest_path) return false
  if ((await tombstones({ db: store.read }))?.holds('artifact', there.content_sha256)) return false
  return isSound(workspace, path)
}

/** Renames only while the ledger still holds the source. */
export function whileItHolds({ store }: PublishContext, { facts, mark }: LoadedSession): (rename: () => void) => Promise<void> {
  return (rename) =>
    store.write(async (tx) => {
      await checkMark(tx, facts.sessionId, mark)
      rename()
    })
}

export async function putRows({ store, workspace, clock }: PublishContext, paths: readonly string[]): Promise<void> {
  const now = clock()
  await store.write(async (tx) => {
    for (const path of paths) await putRowOf(tx, { workspace, now }, path)
  })
}
